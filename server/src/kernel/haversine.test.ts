import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { haversineMetres } from './position.ts';

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

  test('is the same both ways, nothing to oneself, and at most half the way round', () => {
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
