import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { haversineMetres, roundDegrees, samePlace } from './position.ts';

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

test('six decimals are rounded by their written digits', () => {
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

const anywhere = fc.record({
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lng: fc.double({ min: -180, max: 180, noNaN: true }),
});
const degreeOfLatitude = 111_195;

describe('the distance as the crow flies', () => {
  test('is 111 km for a degree of latitude, and for one of longitude at the equator', () => {
    assert.equal(
      Math.round(haversineMetres({ lat: -30, lng: -51 }, { lat: -31, lng: -51 })),
      degreeOfLatitude,
    );
    assert.equal(Math.round(haversineMetres({ lat: 0, lng: -51 }, { lat: 0, lng: -50 })), degreeOfLatitude);
  });

  test('shrinks with the latitude along a parallel', () => {
    const atSixty = haversineMetres({ lat: 60, lng: 10 }, { lat: 60, lng: 10.01 });
    assert.ok(Math.abs(atSixty - degreeOfLatitude / 200) < 0.1, `${atSixty}`);
  });

  test('takes the short way across the date line', () => {
    assert.equal(
      Math.round(haversineMetres({ lat: 0, lng: 179.5 }, { lat: 0, lng: -179.5 })),
      degreeOfLatitude,
    );
  });

  test('is the same both ways, zero to the same point, and at most half the circumference', () => {
    fc.assert(
      fc.property(anywhere, anywhere, (a, b) => {
        const there = haversineMetres(a, b);
        assert.ok(there >= 0 && there <= 20_015_115, `${there}`);
        assert.ok(Math.abs(there - haversineMetres(b, a)) < 1e-6);
        assert.equal(haversineMetres(a, a), 0);
      }),
    );
  });

  test('exists between antipodes', () => {
    fc.assert(
      fc.property(anywhere, (a) => {
        const antipode = { lat: -a.lat, lng: a.lng > 0 ? a.lng - 180 : a.lng + 180 };
        assert.ok(Math.abs(haversineMetres(a, antipode) - 20_015_115) < 2);
      }),
    );
  });
});
