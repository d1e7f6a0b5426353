import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsDefaults } from '../centrals/settings.ts';
import { PointOffRoad, type Router } from '../routing/router.ts';
import { straightLineRouter } from '../routing/straightLine.ts';
import type { Mergeable } from './mergeStore.ts';
import { planMerge } from './planMerge.ts';

const LAKE_LNG = -51.3;
const roads: Router = {
  ...straightLineRouter(),
  async matrix(points, profile) {
    const inTheLake = points.findIndex(({ lng }) => lng === LAKE_LNG);
    if (inTheLake !== -1) throw new PointOffRoad(inTheLake);
    return straightLineRouter().matrix(points, profile);
  },
};
const order = (id: number, lng = -51.216): Mergeable => ({
  id,
  companyId: 1,
  categoryId: 1,
  dispatchAt: Temporal.Instant.from('2026-11-16T15:10:00Z').add({ minutes: id }),
  pickup: { lat: -30.0305, lng: -51.2303 },
  stops: [
    { lat: -30.045 - id / 1000, lng: -51.216 },
    { lat: -30.0455 - id / 1000, lng },
  ],
  returning: false,
  netCents: 1000,
  version: 1,
  mergeKey: '1',
});
const merged = async (...orders: Mergeable[]) =>
  (await planMerge(roads, 'motorcycle', orders, settingsDefaults)).map(({ members }) =>
    members.map(({ id }) => id),
  );

test('an order with a stop off the roads travels alone, and keeps no others from travelling together', async () => {
  assert.deepEqual(await merged(order(1), order(2, LAKE_LNG), order(3)), [[1, 3]]);
});

test('nobody is left to travel with when all others have a stop off the roads', async () => {
  assert.deepEqual(await merged(order(1), order(2, LAKE_LNG), order(3, LAKE_LNG)), []);
});
