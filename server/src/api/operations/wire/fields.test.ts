import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Exact } from '../../../platform/kernel/exact.ts';
import { formatFactor, formatRate, parseRate } from './fields.ts';

test('a rate in whole units is a hundred times as many cents, exactly', () => {
  fc.assert(
    fc.property(fc.nat(9999), fc.stringMatching(/^(\.\d{1,4})?$/), (whole, fraction) => {
      const rate = `${whole}${fraction}`;
      const cents = Exact.decimal(rate).times(Exact.integer(100));
      assert.equal(Exact.decimal(parseRate(rate)).compare(cents), 0);
      assert.equal(Exact.decimal(formatRate(parseRate(rate))).compare(Exact.decimal(rate)), 0);
    }),
  );
});

test('a rate is written with at least two decimals, and without trailing zeros after them', () => {
  assert.equal(formatRate('187.5000'), '1.875');
  assert.equal(formatRate('185.0000'), '1.85');
  assert.equal(formatRate('100.0000'), '1.00');
  assert.equal(formatRate('0.0000'), '0.00');
  assert.equal(formatRate('0.0100'), '0.0001');
});

test('a factor is written without trailing zeros', () => {
  assert.equal(formatFactor('0.5000'), '0.5');
  assert.equal(formatFactor('1.0000'), '1');
  assert.equal(formatFactor('10'), '10');
  assert.equal(formatFactor('0.0000'), '0');
});
