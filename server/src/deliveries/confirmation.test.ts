import assert from 'node:assert/strict';
import { test } from 'node:test';
import { confirms } from './confirmation.ts';

const driver = (given: number | null) => ({ given, byOperator: false });
const operator = (given: number | null) => ({ given, byOperator: true });

test('only the right code confirms', () => {
  assert.equal(confirms({ code: 4821, wrongCodes: 0 }, driver(4821)), true);
  assert.equal(confirms({ code: 4821, wrongCodes: 4 }, driver(4821)), true);
  assert.equal(confirms({ code: 4821, wrongCodes: 0 }, driver(4820)), false);
  assert.equal(confirms({ code: 4821, wrongCodes: 0 }, operator(4820)), false);
});

test('none is no attempt', () => {
  for (const attempt of [driver(null), operator(null)])
    assert.throws(() => confirms({ code: 4821, wrongCodes: 4 }, attempt), {
      kind: 'confirmation-code-required',
    });
});

test('after five wrong ones no driver confirms, and an operator needs no code', () => {
  for (const given of [null, 4821, 1])
    assert.throws(() => confirms({ code: 4821, wrongCodes: 5 }, driver(given)), {
      kind: 'confirmation-code-locked',
    });
  for (const given of [null, 4821, 1])
    assert.equal(confirms({ code: 4821, wrongCodes: 5 }, operator(given)), true);
});
