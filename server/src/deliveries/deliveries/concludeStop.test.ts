import assert from 'node:assert/strict';
import { test } from 'node:test';
import { confirms } from './concludeStop.ts';

test('only the right code confirms', () => {
  assert.equal(confirms({ code: 4821, wrongCodes: 0 }, 4821), true);
  assert.equal(confirms({ code: 4821, wrongCodes: 4 }, 4821), true);
  assert.equal(confirms({ code: 4821, wrongCodes: 0 }, 4820), false);
});

test('a missing code does not count as an attempt', () => {
  assert.throws(() => confirms({ code: 4821, wrongCodes: 4 }, null), { kind: 'confirmation-code-required' });
});

test('after five wrong codes no code confirms, not even the right one', () => {
  for (const given of [null, 4821, 1])
    assert.throws(() => confirms({ code: 4821, wrongCodes: 5 }, given), { kind: 'confirmation-code-locked' });
});
