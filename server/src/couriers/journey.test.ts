import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { haversineMetres, type Position } from '../kernel/position.ts';
import type { RoadRoute } from '../routing/router.ts';
import { drive, isOn, type Journey, setOff } from './journey.ts';

/** Positions are told with six decimals. */
const ROUNDING_METRES = 0.2;

const position = fc.record({
  lat: fc.double({ min: -30.2, max: -30, noNaN: true }),
  lng: fc.double({ min: -51.3, max: -51.1, noNaN: true }),
});

const journey = fc
  .tuple(fc.array(position, { minLength: 2, maxLength: 20 }), fc.integer({ min: 1, max: 3_600 }))
  .map(([line, seconds]): Journey => setOff(line[0]!, line.at(-1)!, routeAlong(line, seconds)));

function routeAlong(line: readonly Position[], seconds: number): RoadRoute {
  return { metres: 1, seconds, legs: [], geometry: line.map(({ lat, lng }) => [lng, lat]) };
}

test('a way takes its seconds, and then the courier is exactly there', () => {
  fc.assert(
    fc.property(journey, (way) => {
      assert.deepEqual(drive(way, way.seconds).at, way.to);
      assert.deepEqual(drive(way, way.seconds + 1_000).at, way.to);
    }),
  );
});

test('it does not matter how often a courier is looked at', () => {
  fc.assert(
    fc.property(journey, fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 10 }), (way, looks) => {
      const often = looks.reduce(drive, way);
      const once = drive(
        way,
        looks.reduce((sum, seconds) => sum + seconds, 0),
      );
      assert.ok(haversineMetres(often.at, once.at) < ROUNDING_METRES);
    }),
  );
});

test('no faster than the pace of the whole way', () => {
  fc.assert(
    fc.property(journey, fc.integer({ min: 1, max: 600 }), (way, seconds) => {
      const pace = way.metres.at(-1)! / way.seconds;
      assert.ok(haversineMetres(way.at, drive(way, seconds).at) <= pace * seconds * 1.001 + ROUNDING_METRES);
    }),
  );
});

test('half of the time is half of the way, around the corner', () => {
  const line = [
    { lat: -30, lng: -51 },
    { lat: -30, lng: -50.99 },
    { lat: -29.99, lng: -50.99 },
  ];
  const way = setOff(line[0]!, line[2]!, routeAlong(line, 100));
  const corner = way.metres[1]! / way.metres[2]!;
  assert.ok(haversineMetres(drive(way, 100 * corner).at, line[1]!) < 1);
  assert.ok(drive(way, 50).at.lat > -30, 'beyond the corner');
});

test('a way without length or time is driven at once', () => {
  const here = { lat: -30, lng: -51 };
  assert.deepEqual(drive(setOff(here, here, routeAlong([here, here], 0)), 1).at, here);
  assert.deepEqual(drive(setOff(here, here, routeAlong([], 10)), 1).at, here);
});

test('a courier that was put elsewhere, or wants to go elsewhere, is not on the way any more', () => {
  const [from, to] = [
    { lat: -30, lng: -51 },
    { lat: -30.01, lng: -51.01 },
  ] as const;
  const way = drive(setOff(from, to, routeAlong([from, to], 100)), 10);
  assert.equal(isOn(way, way.at, to), true);
  assert.equal(isOn(way, from, to), false);
  assert.equal(isOn(way, way.at, from), false);
});
