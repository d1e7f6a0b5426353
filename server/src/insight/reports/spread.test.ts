import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptySpread, percentile, RANGE_STARTS, rangeOf } from './spread.ts';

test('a range of durations is at most 15 seconds wide, or half as wide as its beginning is long', () => {
  for (const [index, start] of RANGE_STARTS.slice(0, -1).entries()) {
    const width = RANGE_STARTS[index + 1]! - start;
    assert.ok(width <= Math.max(15, start / 2), `${width} seconds from ${start} on`);
  }
});

test('a percentile lies in the range of the duration that it stands for', () => {
  for (const seconds of [0, 14, 15, 89, 90, 119, 1_799, 5_400, 20_000]) {
    const spread = emptySpread();
    spread[rangeOf(seconds)] = 1;
    assert.equal(rangeOf(percentile(spread, 0.5)!), rangeOf(seconds), `${seconds} s`);
  }
});
