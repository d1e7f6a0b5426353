import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { bestStopOrder, STOPS_MAX, type StopOrder, type StopTrip } from './stopOrder.ts';

type Costs = (number | null)[][];

/** Every order, smallest first, keeping the first of the cheapest. */
function bruteForce(cost: Costs, trip: StopTrip): StopOrder | null {
  let best: StopOrder | null = null;
  const between = (from: number, to: number) =>
    from === to ? 0 : (cost[from]![to] ?? Number.POSITIVE_INFINITY);
  const extend = (order: number[]) => {
    if (order.length < trip.stops.length) {
      for (let next = 0; next < trip.stops.length; next++)
        if (!order.includes(next)) extend([...order, next]);
      return;
    }
    const isLate = order.map((stop) => trip.last?.has(stop) ?? false);
    if (isLate.some((late, index) => late && isLate[index + 1] === false)) return;
    const places = [trip.start, ...order.map((stop) => trip.stops[stop]!)];
    if (trip.end !== undefined) places.push(trip.end);
    const total = places.slice(1).reduce((sum, place, index) => sum + between(places[index]!, place), 0);
    if (total < (best?.cost ?? Number.POSITIVE_INFINITY)) best = { order, cost: total };
  };
  extend([]);
  return best;
}

/** Trips over a matrix of 1 start, up to 7 stops, and an end that is absent, the start, or a place of its own. */
const tripsCosting = (cell: fc.Arbitrary<number | null>) =>
  fc
    .record({ count: fc.integer({ min: 1, max: 7 }), end: fc.constantFrom('none', 'start', 'elsewhere') })
    .chain(({ count, end }) => {
      const size = count + 2;
      const row = fc.array(cell, { minLength: size, maxLength: size });
      return fc.record({
        cost: fc.array(row, { minLength: size, maxLength: size }),
        trip: fc.constant<StopTrip>({
          start: 0,
          stops: Array.from({ length: count }, (_, index) => index + 1),
          ...(end === 'none' ? {} : { end: end === 'start' ? 0 : size - 1 }),
        }),
      });
    });

const seconds = fc.integer({ min: 0, max: 7200 });
const fewValues = fc.integer({ min: 0, max: 2 });
const orNoWay = (cell: fc.Arbitrary<number>) => fc.option(cell, { nil: null, freq: 2 });

const lines: Costs = [
  [0, 1, 2, 3],
  [1, 0, 1, 2],
  [2, 1, 0, 1],
  [3, 2, 1, 0],
];

describe('the best stop order', () => {
  for (const [situation, cell] of [
    ['with asymmetric costs', seconds],
    ['with many ties', fewValues],
    ['with places that no way joins', orNoWay(seconds)],
    ['with ties and places that no way joins', orNoWay(fewValues)],
  ] as const)
    test(`is the first of the cheapest of all orders ${situation}`, () => {
      fc.assert(
        fc.property(tripsCosting(cell), ({ cost, trip }) =>
          assert.deepEqual(bestStopOrder(cost, trip), bruteForce(cost, trip)),
        ),
        { numRuns: 150 },
      );
    });

  test('is the first of the cheapest when stops share a place', () => {
    const shared = fc.record({
      stops: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 6 }),
      cost: fc.array(fc.array(fewValues, { minLength: 4, maxLength: 4 }), { minLength: 4, maxLength: 4 }),
    });
    fc.assert(
      fc.property(shared, ({ stops, cost }) => {
        const trip = { start: 0, stops, end: 3 };
        assert.deepEqual(bestStopOrder(cost, trip), bruteForce(cost, trip));
      }),
    );
  });

  test('is the first of the cheapest that leave some stops for the end', () => {
    const parted = tripsCosting(orNoWay(fewValues)).chain(({ cost, trip }) =>
      fc
        .subarray([...trip.stops.keys()])
        .map((last): { cost: Costs; trip: StopTrip } => ({ cost, trip: { ...trip, last: new Set(last) } })),
    );
    fc.assert(
      fc.property(parted, ({ cost, trip }) =>
        assert.deepEqual(bestStopOrder(cost, trip), bruteForce(cost, trip)),
      ),
    );
  });

  test('is the same whatever was asked before', () => {
    const anyTrip = tripsCosting(orNoWay(fewValues));
    fc.assert(
      fc.property(anyTrip, anyTrip, (each, other) => {
        const first = bestStopOrder(each.cost, each.trip);
        bestStopOrder(other.cost, other.trip);
        assert.deepEqual(bestStopOrder(each.cost, each.trip), first);
      }),
    );
  });

  test('walks a line outwards when it need not return', () => {
    assert.deepEqual(bestStopOrder(lines, { start: 0, stops: [3, 1, 2] }), { order: [1, 2, 0], cost: 3 });
  });

  test('counts the way to the end', () => {
    assert.deepEqual(bestStopOrder(lines, { start: 0, stops: [1, 3], end: 0 }), { order: [0, 1], cost: 6 });
    assert.deepEqual(bestStopOrder(lines, { start: 2, stops: [1, 3], end: 0 }), { order: [1, 0], cost: 4 });
  });

  test('keeps the given order when every order costs the same', () => {
    const size = STOPS_MAX + 1;
    const equal = Array.from({ length: size }, () => Array.from({ length: size }, () => 5));
    const stops = Array.from({ length: STOPS_MAX }, (_, index) => index + 1);
    assert.deepEqual(bestStopOrder(equal, { start: 0, stops, end: 0 }), {
      order: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      cost: 55,
    });
  });

  test('does not exist when a stop cannot be reached, or the end cannot be reached from any stop', () => {
    const island: Costs = [
      [0, 1, null],
      [1, 0, null],
      [1, 1, 0],
    ];
    assert.equal(bestStopOrder(island, { start: 0, stops: [1, 2] }), null);
    assert.equal(bestStopOrder(island, { start: 0, stops: [1], end: 2 }), null);
    assert.deepEqual(bestStopOrder(island, { start: 2, stops: [1], end: 0 }), { order: [0], cost: 2 });
  });

  test('holds for costs of three years a leg, takes larger ones for no way, and refuses what is no cost', () => {
    const size = STOPS_MAX + 1;
    const stops = Array.from({ length: STOPS_MAX }, (_, index) => index + 1);
    const all = (value: number): Costs => Array.from({ length: size }, () => Array(size).fill(value));
    assert.equal(bestStopOrder(all(97_000_000), { start: 0, stops, end: 0 })?.cost, 1_067_000_000);
    assert.equal(bestStopOrder(all(98_000_000), { start: 0, stops, end: 0 }), null);
    for (const value of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])
      assert.throws(() => bestStopOrder(all(value), { start: 0, stops, end: 0 }), RangeError);
  });

  test('is only searched for 1 to 10 stops', () => {
    assert.throws(() => bestStopOrder([[0]], { start: 0, stops: [] }), RangeError);
    assert.throws(() => bestStopOrder([[0]], { start: 0, stops: Array(11).fill(0) }), RangeError);
  });
});
