import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Script, Seen, Task } from './courier.ts';
import { nextAct } from './nextAct.ts';

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

test('one who is to give up does so before the start, unless somebody did already', () => {
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
