import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Language } from '../../api/http/envelope.ts';
import { type Central, settingsDefaults } from '../../centrals/central.ts';
import { estimatorFor } from '../../geo/routing/routers.ts';
import type { TrackedJourney } from './trackedJourneyStore.ts';
import { arrivalOf, trackingView } from './trackingView.ts';

const now = Temporal.Instant.from('2026-11-16T15:00:00Z');
const router = estimatorFor(settingsDefaults);
const destination = { lat: -30.0489, lng: -51.2158 };
const journey = (changes: Partial<TrackedJourney>): TrackedJourney => ({
  centralId: 1,
  stopId: 1,
  deliveryId: 1,
  status: 'in_progress',
  requestedAt: now,
  acceptedAt: now,
  arrivedAt: null,
  startedAt: now,
  concludedAt: null,
  endedAt: null,
  destination,
  destinationAddress: 'Avenida Ipiranga, 1',
  pickup: { lat: -30.0305, lng: -51.2303 },
  planned: {
    pickup: { lat: -30.0305, lng: -51.2303 },
    stops: [destination],
    returning: false,
    seconds: 0,
  },
  before: [],
  driver: null,
  driverAt: null,
  confirmationCode: null,
  isNotDelivered: false,
  attempts: [],
  shop: null,
  profile: 'motorcycle',
  ...changes,
});
const driverAt = (lat: number, lng: number) => ({ position: { lat, lng }, at: now });
const minutesOf = async (changes: Partial<TrackedJourney>) => {
  const { from, until } = (await arrivalOf(router, journey(changes), now))!;
  return [from, until].map((each) => each.since(now).total('minutes')) as [number, number];
};

test('the range narrows as the courier comes nearer, and its end never lies before its beginning', async () => {
  let width = Number.POSITIVE_INFINITY;
  for (const lat of [-29.9, -29.98, -30.02, -30.04, -30.0489]) {
    const [from, until] = await minutesOf({ driverAt: driverAt(lat, destination.lng) });
    assert.ok(from >= -5 && until > from, `${from} to ${until}`);
    assert.ok(until - from <= width, `${until - from} minutes wide at ${lat}`);
    width = until - from;
  }
  assert.ok(width <= 10);
});

test('earlier stops and the way to the pickup add to the expected time', async () => {
  const at = driverAt(-30.0305, -51.2303);
  const [, alone] = await minutesOf({ driverAt: at });
  const [, second] = await minutesOf({ driverAt: at, before: [{ lat: -30.06, lng: -51.19 }] });
  const [, toPickup] = await minutesOf({ driverAt: driverAt(-30.06, -51.19), status: 'accepted' });
  assert.ok(second > alone && toPickup > alone);
});

for (const [what, changes] of [
  ['nobody carries it', { status: 'distributing' }],
  ['its courier finishes another one first', { status: 'on_hold' }],
  ['it was cancelled', { status: 'cancelled' }],
  ['it was delivered', { concludedAt: now }],
] as const)
  test(`no time is promised when ${what}`, async () =>
    assert.equal(await arrivalOf(router, journey(changes), now), null));

const ago = (minutes: number) => now.subtract({ minutes });
const lastSeen = (minutes: number) => ({ ...driverAt(-30.04, -51.22), at: ago(minutes) });

for (const [what, changes] of [
  ['the courier has been silent for hours', { driverAt: lastSeen(300) }],
  ['the courier has been silent for longer than most ways take', { driverAt: lastSeen(31) }],
  ['a courier without a position left long ago', { startedAt: ago(31) }],
  ['a courier without a position accepted it long ago', { status: 'accepted', acceptedAt: ago(31) }],
] as const)
  test(`no time is promised when ${what}`, async () =>
    assert.equal(await arrivalOf(router, journey(changes), now), null));

for (const [what, changes] of [
  ['the courier was silent for a while', { driverAt: lastSeen(29) }],
  ['a courier without a position left a while ago', { startedAt: ago(29) }],
  [
    'the courier has just arrived at the pickup',
    { status: 'accepted', arrivedAt: ago(1), driverAt: lastSeen(300) },
  ],
] as const)
  test(`a time is promised when ${what}`, async () =>
    assert.notEqual(await arrivalOf(router, journey(changes), now), null));

const central: Central = {
  id: 1,
  name: 'Central',
  timeZone: 'America/Sao_Paulo',
  active: true,
  settings: settingsDefaults,
};
const noteOf = (changes: Partial<TrackedJourney>, language: Language) =>
  trackingView(central, journey(changes), { arrival: null, photo: null }, now, language).positionNote;

for (const [minutes, pt, en] of [
  [2, '2 min', '2 min'],
  [59, '59 min', '59 min'],
  [60, '1 h', '1 h'],
  [300, '5 h', '5 h'],
  [3 * 24 * 60, '3 dias', '3 days'],
] as const)
  test(`a position of ${minutes} minutes ago is ${en} old`, () => {
    assert.equal(noteOf({ driverAt: lastSeen(minutes) }, 'pt'), `Última posição conhecida, há ${pt}.`);
    assert.equal(noteOf({ driverAt: lastSeen(minutes) }, 'en'), `Last known position, ${en} ago.`);
  });

test('the note without a position depends on whether a courier is on the way', () => {
  for (const status of ['accepted', 'in_progress'] as const) {
    assert.match(noteOf({ status }, 'pt'), /^No momento não sabemos onde está o entregador\./);
    assert.match(noteOf({ status }, 'en'), /^We do not know where the courier is right now\./);
  }
  for (const status of ['distributing', 'on_hold'] as const) {
    assert.match(noteOf({ status }, 'pt'), /quando ele for buscar o seu pedido\.$/);
    assert.match(noteOf({ status }, 'en'), /about to be picked up\.$/);
  }
});
