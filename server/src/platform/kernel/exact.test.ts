import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Exact } from './exact.ts';

const parts = ({ n, d }: Exact) => [n, d];
const safeInteger = fc.maxSafeInteger();
const anyExact = fc
  .tuple(fc.integer(), fc.integer({ min: 1 }))
  .map(([part, whole]) => Exact.ratio(part, whole));

describe('an exact number', () => {
  test('reads decimals without losing a digit', () => {
    assert.deepEqual(parts(Exact.decimal('1.25')), [5n, 4n]);
    assert.deepEqual(parts(Exact.decimal('0.1').plus(Exact.decimal('0.2'))), [3n, 10n]);
    assert.deepEqual(parts(Exact.decimal('-0.50')), [-1n, 2n]);
    assert.deepEqual(parts(Exact.decimal('-0')), [0n, 1n]);
    assert.deepEqual(parts(Exact.decimal('12345678901234567890.1')), [123456789012345678901n, 10n]);
  });

  for (const garbage of [
    '',
    ' ',
    '.',
    '.5',
    '5.',
    '+1',
    '--1',
    '1,25',
    '1e3',
    '0x10',
    ' 1',
    '1 ',
    '1\n',
    '1.2.3',
    'NaN',
    '١',
  ])
    test(`refuses ${JSON.stringify(garbage)} as a decimal`, () => {
      assert.throws(() => Exact.decimal(garbage), RangeError);
    });

  test('refuses numbers that are not safe integers, and denominators that are not positive', () => {
    for (const value of [0.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER + 1]) {
      assert.throws(() => Exact.integer(value), RangeError);
      assert.throws(() => Exact.ratio(1, value), RangeError);
    }
    assert.throws(() => Exact.ratio(1, 0), RangeError);
    assert.throws(() => Exact.ratio(1, -2), RangeError);
  });

  test('has one form for each value', () => {
    assert.deepEqual(parts(Exact.ratio(90, 60)), [3n, 2n]);
    assert.deepEqual(parts(Exact.ratio(0, 60)), [0n, 1n]);
    assert.deepEqual(Exact.decimal('1.50'), Exact.ratio(3, 2));
  });

  test('rounds a half away from zero, and anything less to the nearest', () => {
    const rounded = (text: string) => Exact.decimal(text).roundHalfUp();
    assert.equal(rounded('2.5'), 3);
    assert.equal(rounded('2.49999999999999999999'), 2);
    assert.equal(rounded('-2.5'), -3);
    assert.equal(rounded('-2.4'), -2);
    assert.ok(Object.is(rounded('-0.4'), 0), 'never minus zero');
    assert.equal(Exact.decimal('1.005').times(Exact.integer(100)).roundHalfUp(), 101);
  });

  test('refuses to round to what a number cannot hold exactly', () => {
    assert.equal(Exact.decimal('9007199254740991.4').roundHalfUp(), Number.MAX_SAFE_INTEGER);
    assert.throws(() => Exact.decimal('9007199254740991.5').roundHalfUp(), RangeError);
    assert.throws(() => Exact.decimal('-9007199254740991.5').roundHalfUp(), RangeError);
  });

  test('agrees with integer arithmetic', () => {
    fc.assert(
      fc.property(safeInteger, safeInteger, (a, b) => {
        const [left, right] = [Exact.integer(a), Exact.integer(b)];
        assert.equal(left.plus(right).n, BigInt(a) + BigInt(b));
        assert.equal(left.minus(right).n, BigInt(a) - BigInt(b));
        assert.equal(left.times(right).n, BigInt(a) * BigInt(b));
        assert.equal(left.compare(right), Math.sign(a - b));
        assert.equal(left.max(right).roundHalfUp(), Math.max(a, b));
      }),
    );
  });

  test('keeps the laws of fractions', () => {
    fc.assert(
      fc.property(anyExact, anyExact, anyExact, (a, b, c) => {
        assert.deepEqual(a.plus(b).minus(b), a);
        assert.deepEqual(a.plus(b).times(c), a.times(c).plus(b.times(c)));
        assert.equal(a.plus(c).compare(b.plus(c)), a.compare(b));
      }),
    );
  });

  test('is never rounded by more than a half', () => {
    const half = Exact.ratio(1, 2);
    fc.assert(
      fc.property(anyExact, (value) => {
        const distance = Exact.integer(value.roundHalfUp()).minus(value);
        assert.ok(distance.compare(half) <= 0 && half.plus(distance).compare(Exact.integer(0)) >= 0);
      }),
    );
  });
});
