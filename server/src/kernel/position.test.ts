import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { roundDegrees, samePlace } from './position.ts';

const rounded: [degrees: number, expected: number][] = [
  [-30.030504, -30.0305],
  [-30.030505, -30.03051],
  [30.030505, 30.03051],
  [-51.230305, -51.23031],
  [1.000005, 1.00001],
  [-0.000005, -0.00001],
  [-0.0000049, 0],
  [1e-7, 0],
  [-180, -180],
];
for (const [degrees, expected] of rounded)
  test(`${degrees} is ${expected} to 5 decimals`, () => assert.equal(roundDegrees(degrees), expected));

const micro = fc.integer({ min: -180_000_000, max: 180_000_000 });

test('any six decimals are rounded as they are written', () => {
  fc.assert(
    fc.property(micro, (millionths) => {
      const units = Math.floor((Math.abs(millionths) + 5) / 10) * (millionths < 0 ? -1 : 1);
      assert.equal(roundDegrees(Number(`${millionths}e-6`)), units === 0 ? 0 : units / 1e5);
    }),
  );
});

test('places are the same exactly when both coordinates round to the same', () => {
  fc.assert(
    fc.property(micro, fc.integer({ min: -25, max: 25 }), (millionths, off) => {
      const [a, b] = [Number(`${millionths}e-6`), Number(`${millionths + off}e-6`)];
      const same = roundDegrees(a) === roundDegrees(b);
      assert.equal(samePlace({ lat: a, lng: 0 }, { lat: b, lng: 0 }), same);
      assert.equal(samePlace({ lat: 0, lng: a }, { lat: 0, lng: b }), same);
    }),
  );
});
