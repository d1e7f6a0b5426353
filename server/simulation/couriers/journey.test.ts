import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Script } from '../../src/deliveries/orders/script.ts';
import type { RoadRoute } from '../../src/geo/routing/router.ts';
import { haversineMetres, type Position } from '../../src/platform/kernel/position.ts';
import type { Seen, Task } from './courier.ts';
import { driftGoal, drive, firstPlace, isOn, type Journey, nextAct, setOff } from './journey.ts';

/** Positions are reported with six decimals. */
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

test('a route takes its planned seconds and ends exactly at its destination', () => {
  fc.assert(
    fc.property(journey, (way) => {
      assert.deepEqual(drive(way, way.seconds).at, way.to);
      assert.deepEqual(drive(way, way.seconds + 1_000).at, way.to);
    }),
  );
});

test('the number of intermediate steps does not change the position', () => {
  fc.assert(
    fc.property(journey, fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 10 }), (way, parts) => {
      const often = parts.reduce(drive, way);
      const once = drive(
        way,
        parts.reduce((sum, seconds) => sum + seconds, 0),
      );
      assert.ok(haversineMetres(often.at, once.at) < ROUNDING_METRES);
    }),
  );
});

test('a courier never exceeds the average speed of the route', () => {
  fc.assert(
    fc.property(journey, fc.integer({ min: 1, max: 600 }), (way, seconds) => {
      const pace = way.metres.at(-1)! / way.seconds;
      assert.ok(haversineMetres(way.at, drive(way, seconds).at) <= pace * seconds * 1.001 + ROUNDING_METRES);
    }),
  );
});

test('half of the time is half of the route, around the corner', () => {
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

test('a route without length or time ends at once', () => {
  const here = { lat: -30, lng: -51 };
  assert.deepEqual(drive(setOff(here, here, routeAlong([here, here], 0)), 1).at, here);
  assert.deepEqual(drive(setOff(here, here, routeAlong([], 10)), 1).at, here);
});

test('a courier with another position or destination is not on the route any more', () => {
  const [from, to] = [
    { lat: -30, lng: -51 },
    { lat: -30.01, lng: -51.01 },
  ] as const;
  const way = drive(setOff(from, to, routeAlong([from, to], 100)), 10);
  assert.equal(isOn(way, way.at, to), true);
  assert.equal(isOn(way, from, to), false);
  assert.equal(isOn(way, way.at, from), false);
});

const NOW = Temporal.Instant.from('2026-11-16T15:00:00Z');
const ago = (seconds: number) => NOW.subtract({ seconds });

const PICKUP = { lat: -30.03, lng: -51.23 };
const DOOR = { lat: -30.05, lng: -51.21 };
const stop = { id: 7, position: DOOR, code: null, wrongCodes: 0 };

const accepted: Task = {
  deliveryId: 1,
  script: 'success',
  wasDeclined: false,
  profile: 'motorcycle',
  pickup: PICKUP,
  returning: false,
  started: false,
  arrivedAt: null,
  acceptedAt: ago(600),
  movedOnAt: ago(600),
  nextStop: stop,
  stopsLeft: 1,
};
const arrived: Task = { ...accepted, arrivedAt: ago(300) };
const started: Task = { ...arrived, started: true, movedOnAt: ago(400) };
const handedOver: Task = { ...started, nextStop: null, stopsLeft: 0, movedOnAt: ago(60) };

const at = (position: Seen['position'], seconds = 300): Seen => ({ position, at: ago(seconds) });
const near = { lat: PICKUP.lat + 0.0001, lng: PICKUP.lng };

const table: [what: string, task: Task, seen: Seen, act: ReturnType<typeof nextAct>][] = [
  ['goes to the pickup', accepted, at(DOOR), { kind: 'drive', to: PICKUP }],
  ['arrives there', accepted, at(PICKUP, 0), { kind: 'arrive' }],
  ['takes the next door for the pickup', accepted, at(near, 0), { kind: 'arrive' }],
  ['waits for the goods', { ...arrived, arrivedAt: ago(30) }, at(PICKUP), { kind: 'wait' }],
  ['starts with them', arrived, at(PICKUP), { kind: 'start' }],
  ['goes to the stop', started, at(PICKUP), { kind: 'drive', to: DOOR }],
  ['rings and waits', started, at(DOOR, 10), { kind: 'wait' }],
  ['hands over', started, at(DOOR, 200), { kind: 'conclude', stop }],
  [
    'takes its time for each stop, also for two behind one door',
    { ...started, movedOnAt: ago(5) },
    at(DOOR, 500),
    { kind: 'wait' },
  ],
  ['finishes where the last stop was', handedOver, at(DOOR), { kind: 'finish' }],
  ['not within the same second', { ...handedOver, movedOnAt: ago(1) }, at(DOOR), { kind: 'wait' }],
  ['returns first', { ...handedOver, returning: true }, at(DOOR), { kind: 'drive', to: PICKUP }],
  ['finishes after the return', { ...handedOver, returning: true }, at(PICKUP, 60), { kind: 'finish' }],
];

for (const [what, task, seen, act] of table)
  test(`a courier ${what}`, () => assert.deepEqual(nextAct(task, seen, { now: NOW, speed: 1 }), act));

const follows = (script: Script, task: Task, seen: Seen, speed = 1) =>
  nextAct({ ...task, script }, seen, { now: NOW, speed });

test('a courier gives up before the start, unless another one has already done so', () => {
  const early = { ...accepted, acceptedAt: ago(20), movedOnAt: ago(20) };
  assert.deepEqual(follows('giving_up', early, at(DOOR)), { kind: 'drive', to: PICKUP });
  assert.deepEqual(follows('giving_up', accepted, at(DOOR)), { kind: 'giveUp' });
  assert.deepEqual(
    follows('giving_up', { ...arrived, acceptedAt: ago(10), arrivedAt: ago(9_999) }, at(PICKUP)),
    {
      kind: 'wait',
    },
  );
  assert.deepEqual(follows('giving_up', { ...arrived, wasDeclined: true }, at(PICKUP)), { kind: 'start' });
});

test('a breakdown is cancelled before the start', () => {
  assert.deepEqual(follows('breakdown', accepted, at(DOOR)), { kind: 'cancel', reasonId: 3 });
});

test('an absent recipient is waited for at the last stop only', () => {
  assert.deepEqual(follows('absent', { ...started, stopsLeft: 2 }, at(DOOR, 200)), {
    kind: 'conclude',
    stop,
  });
  assert.deepEqual(follows('absent', started, at(DOOR, 200)), { kind: 'wait' });
  assert.deepEqual(follows('absent', started, at(DOOR, 301)), { kind: 'cancel', reasonId: 5 });
});

test('speed makes every pause shorter', () => {
  assert.deepEqual(follows('success', started, at(DOOR, 10), 60), { kind: 'conclude', stop });
  assert.deepEqual(follows('absent', started, at(DOOR, 6), 60), { kind: 'cancel', reasonId: 5 });
});

const BUSY = [
  { lat: -30.03, lng: -51.23 },
  { lat: -30.05, lng: -51.2 },
];
const ids = Array.from({ length: 200 }, (_, index) => index + 1);

test('an idle courier drifts to a busy place and stays when it is around there', () => {
  for (const id of ids) {
    const far = { lat: -30.1, lng: -51.3 };
    const goal = driftGoal(id, far, BUSY);
    assert.ok(goal && BUSY.includes(goal));
    assert.equal(driftGoal(id, goal, BUSY), null);
  }
  assert.equal(new Set(ids.map((id) => driftGoal(id, { lat: -30.1, lng: -51.3 }, BUSY))).size, 2);
});

test('where nothing was ever delivered couriers stay, and new ones do not appear', () => {
  assert.equal(driftGoal(1, BUSY[0]!, []), null);
  assert.equal(firstPlace(1, []), null);
});

test('new couriers begin here and there around busy places', () => {
  const beginnings = ids.map((id) => firstPlace(id, BUSY)!);
  for (const [index, place] of beginnings.entries())
    assert.ok(haversineMetres(place, BUSY[ids[index]! % BUSY.length]!) <= 1_801);
  assert.equal(new Set(beginnings.map(({ lat, lng }) => `${lat} ${lng}`)).size, ids.length);
});
