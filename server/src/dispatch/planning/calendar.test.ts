import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { arriveAfter, beginAfter, beginBefore, leaveBefore, workingSeconds } from './calendar.ts';

const breaks = fc
  .array(fc.integer({ min: 1, max: 20 }), { maxLength: 6 })
  .map((steps) => steps.slice(0, steps.length - (steps.length % 2)))
  .map((steps) => Float64Array.from(steps, (_, at) => steps.slice(0, at + 1).reduce((a, b) => a + b, 0)));
const time = fc.integer({ min: -5, max: 130 });
const span = fc.integer({ min: 0, max: 15 });

test('a leg takes as many working seconds as it is long, and a service lies outside the breaks', () => {
  fc.assert(
    fc.property(breaks, time, span, (rests, ready, seconds) => {
      const begin = beginAfter(rests, ready, seconds);
      assert.equal(workingSeconds(rests, begin, begin + seconds), seconds);
      const leave = beginAfter(rests, ready, 0);
      assert.equal(workingSeconds(rests, leave, arriveAfter(rests, leave, seconds)), seconds);
    }),
  );
});

test('the latest departure and the latest begin are the latest ones', () => {
  fc.assert(
    fc.property(breaks, time, span, (rests, until, seconds) => {
      const leave = leaveBefore(rests, until, seconds);
      assert.ok(arriveAfter(rests, leave, seconds) <= until);
      for (let later = leave + 1; later <= until; later += 1)
        assert.ok(arriveAfter(rests, later, seconds) > until, `could leave at ${later}, not ${leave}`);
      const begin = beginBefore(rests, until, seconds);
      assert.equal(beginAfter(rests, begin, seconds), begin);
      for (let later = begin + 1; later <= until; later += 1)
        assert.ok(beginAfter(rests, later, seconds) > later, `could begin at ${later}, not ${begin}`);
    }),
  );
});
