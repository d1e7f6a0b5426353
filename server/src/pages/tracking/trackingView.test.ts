import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsDefaults } from '../../centrals/central.ts';
import { estimatorFor } from '../../routing/router.ts';
import type { TrackedJourney } from './trackedJourneyStore.ts';
import { arrivalOf } from './trackingView.ts';

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

test('stops before one’s own, and the way to the pickup, take their time', async () => {
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
