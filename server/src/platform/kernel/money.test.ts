import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { centsToDecimal, centsToNumber, decimalToCents, numberToCents } from './money.ts';

const anyCents = fc.integer({ min: -1e11, max: 1e11 });

describe('cents', () => {
  test('are written with two decimals', () => {
    assert.equal(centsToDecimal(1234), '12.34');
    assert.equal(centsToDecimal(0), '0.00');
    assert.equal(centsToDecimal(-0), '0.00');
    assert.equal(centsToDecimal(5), '0.05');
    assert.equal(centsToDecimal(-5), '-0.05');
    assert.equal(centsToDecimal(100_000_000), '1000000.00');
  });

  test('become the number that their decimal text denotes', () => {
    assert.equal(centsToNumber(1234), 12.34);
    assert.equal(centsToNumber(29), 0.29);
    assert.ok(Object.is(centsToNumber(-0), 0));
    fc.assert(
      fc.property(anyCents, (cents) => assert.equal(centsToNumber(cents), Number(centsToDecimal(cents)))),
    );
  });

  test('come back from decimal text', () => {
    fc.assert(fc.property(anyCents, (cents) => assert.equal(decimalToCents(centsToDecimal(cents)), cents)));
  });

  test('come back from numbers', () => {
    fc.assert(fc.property(anyCents, (cents) => assert.equal(numberToCents(centsToNumber(cents)), cents)));
  });

  test('must be whole to be written', () => {
    for (const cents of [12.5, Number.NaN, 2 ** 53]) {
      assert.throws(() => centsToDecimal(cents), RangeError);
      assert.throws(() => centsToNumber(cents), RangeError);
    }
  });
});

describe('an amount', () => {
  test('may be written with fewer decimals', () => {
    assert.equal(decimalToCents('12'), 1200);
    assert.equal(decimalToCents('12.3'), 1230);
    assert.ok(Object.is(decimalToCents('-0.00'), 0));
  });

  for (const text of [
    '',
    '12.345',
    '12.340',
    '.5',
    '5.',
    '+1',
    '1,50',
    '1e2',
    ' 1',
    '1\n',
    'NaN',
    '90071992547409.92',
  ])
    test(`is not ${JSON.stringify(text)}`, () => assert.equal(decimalToCents(text), null));

  test('may be a number that binary fractions only approximate', () => {
    assert.equal(numberToCents(0.29), 29);
    assert.equal(numberToCents(1.1), 110);
    assert.equal(numberToCents(1_000_000), 100_000_000);
    assert.ok(Object.is(numberToCents(-0), 0));
  });

  for (const amount of [0.1 + 0.2, 12.345, 0.001, 1e-7, 1e21, Number.NaN, Number.POSITIVE_INFINITY])
    test(`is not the number ${amount}`, () => assert.equal(numberToCents(amount), null));
});
