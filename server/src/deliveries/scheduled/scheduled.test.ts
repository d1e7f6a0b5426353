import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertChangeable, assertInFuture, type Scheduled, secondsUntilDispatch } from './scheduled.ts';

const now = Temporal.Instant.from('2026-11-16T15:00:00Z');

const scheduled = (changes: Partial<Scheduled> = {}): Scheduled => ({
  id: 1,
  situation: 'awaiting',
  dispatchAt: now.add({ minutes: 1 }),
  requestedAt: now,
  companyId: 1,
  customerId: 1,
  categoryId: 1,
  tariffId: 1,
  payment: 'cash',
  returning: false,
  note: null,
  couponId: null,
  discountPercent: '0',
  pickup: {
    address: 'Rua dos Andradas, 1001',
    complement: null,
    reference: null,
    district: 'Centro',
    city: '',
    state: '',
    position: { lat: -30.03, lng: -51.23 },
    located: null,
  },
  plannedMetres: 1000,
  separateMetres: null,
  plannedSeconds: 300,
  grossCents: 900,
  netCents: 900,
  estimateOutdated: false,
  deliveryId: null,
  groupedInto: null,
  groupedAutomatically: false,
  failure: null,
  version: 1,
  ...changes,
});

test('a scheduled delivery that awaits its dispatch can be changed, also when overdue', () => {
  assertChangeable(scheduled());
  assertChangeable(scheduled({ dispatchAt: now.subtract({ hours: 1 }) }));
});

for (const [kind, changes] of [
  ['scheduled-cancelled', { situation: 'cancelled' }],
  ['scheduled-dispatched', { situation: 'dispatched', deliveryId: 7 }],
  ['scheduled-failed', { situation: 'failed', failure: 'insufficient-balance' }],
  ['scheduled-grouped', { situation: 'grouped', groupedInto: 9 }],
  ['delivery-grouped', { situation: 'grouped', deliveryId: 7 }],
  ['grouped-automatically', { groupedAutomatically: true }],
  ['grouped-automatically', { situation: 'grouped', groupedInto: 9, groupedAutomatically: true }],
] as const)
  test(`refuses a change of ${JSON.stringify(changes)}: ${kind}`, () =>
    assert.throws(() => assertChangeable(scheduled(changes)), { name: 'Refusal', kind }));

test('the refusal for a grouped scheduled delivery names its carrier', () => {
  const into = (changes: Partial<Scheduled>) => () =>
    assertChangeable(scheduled({ situation: 'grouped', ...changes }));
  assert.throws(into({ groupedInto: 9 }), { details: { id: 9 } });
  assert.throws(into({ deliveryId: 7 }), { details: { id: 7 } });
});

test('a dispatch is in the future from the next moment on', () => {
  assertInFuture(now.add({ milliseconds: 1 }), now);
  for (const past of [now, now.subtract({ seconds: 1 })])
    assert.throws(() => assertInFuture(past, now), { kind: 'dispatch-in-the-past' });
});

test('the time until dispatch is in seconds, and negative once it is overdue', () => {
  assert.equal(secondsUntilDispatch(scheduled(), now), 60);
  assert.equal(secondsUntilDispatch(scheduled(), now.add({ minutes: 2 })), -60);
});
