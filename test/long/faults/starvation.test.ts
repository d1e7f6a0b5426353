import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Settings } from '../../../server/src/centrals/central.ts';
import { createCentral } from '../../../server/src/centrals/createCentral.ts';
import { EXAMINED_MAX } from '../../../server/src/dispatch/rounds/distributeDeliveries.ts';
import { ROUNDS } from '../../../server/src/dispatch/rounds/roundTable.ts';
import { startRound } from '../../../server/src/dispatch/rounds/runRounds.ts';
import type { Router } from '../../../server/src/geo/routing/router.ts';
import { estimatorFor, estimatorRouters } from '../../../server/src/geo/routing/routers.ts';
import { startMalote } from '../../support/malote.ts';
import { pickup } from '../../support/orders.ts';
import { distributeOnce } from '../../support/rounds.ts';
import { copyCentral, copyDelivery, copyDriver } from '../../support/states.ts';
import { assertOk, newDriver, openDelivery } from '../../support/steps.ts';
import { waitUntil } from '../../support/waitUntil.ts';

const malote = await startMalote();
const { clock, db } = malote;
const HERE = { lat: Number(pickup.lat), lng: Number(pickup.lng) };
const distribute = () => distributeOnce(malote.app.deps);

const status = async (id: number): Promise<string> =>
  assertOk(await malote.central.get(`/entregas/${id}/status`)).body.data.status;
const count = async (statuses: readonly string[], centralId = 1): Promise<number> => {
  const [row] = await db<{ count: number }>`
    select count(*) from deliveries where central_id = ${centralId} and status = any(${statuses})`;
  return row!.count;
};

/** A new driver who serves only this category. */
const driverOf = async (categoryId: number): Promise<number> => {
  const id = await newDriver(malote, HERE);
  await db`insert into driver_categories (central_id, driver_id, category_id) values (1, ${id}, ${categoryId})`;
  return id;
};

/** No delivery waits, and no driver is on duty until a test sends one. */
beforeEach(async () => {
  await db`update offers set state = 'withdrawn', closed_at = offered_at where state = 'open'`;
  await db`update deliveries set status = 'cancelled', cancelled_at = requested_at
    where status in ('distributing', 'pending', 'offered')`;
  await db`update drivers set available = false`;
});

test('900 that wait in a category without drivers keep no other one waiting', async () => {
  const { id: old } = await openDelivery(malote, { categoria_id: 2 });
  await copyDelivery(db, old, 899);
  clock.advance({ seconds: 5 });
  const driver = await driverOf(1);
  const { id } = await openDelivery(malote, { categoria_id: 1 });
  await distribute();
  assert.equal(await status(id), 'G');
  const [offer] = await db<{ driver_id: number }>`
    select driver_id from offers where central_id = 1 and delivery_id = ${id}`;
  assert.equal(offer?.driver_id, driver);
  assert.equal(await status(old), 'P');
});

test('900 that wait far from any driver, or for the same one, keep no other one waiting either', async () => {
  const { id: first } = await openDelivery(malote);
  await copyDelivery(db, first, 450, { pickup_lat: HERE.lat + 2 });
  await copyDelivery(db, first, 450, { pickup_lat: HERE.lat + 0.09 });
  await driverOf(1);
  const far = await driverOf(1);
  assertOk(await malote.operator.post(`/condutores/${far}/posicao`, { ...HERE, lat: HERE.lat + 0.09 }));
  clock.advance({ seconds: 5 });
  assertOk(await malote.central.post(`/entregas/${first}/cancelar`, { motivo_id: 6 }));
  const { id } = await openDelivery(malote);
  await distribute();
  assert.equal(await status(id), 'G');
  assert.equal(await count(['offered']), 2);
});

test(`each of 5,000 waiting deliveries is examined within ${Math.ceil(5_000 / EXAMINED_MAX)} rounds, and again in its turn`, async () => {
  const { id } = await openDelivery(malote, { categoria_id: 2 });
  await copyDelivery(db, id, 4_999);
  // Free all the time, but unable to serve these deliveries.
  const idle = await driverOf(1);
  const unseen = async (): Promise<number> => {
    const [row] = await db<{ count: number }>`
      select count(*) from deliveries where central_id = 1 and status in ('distributing', 'pending')
        and (search_again_at is null or search_again_at <= ${clock.now()})`;
    return row!.count;
  };
  const rounds = Math.ceil(5_000 / EXAMINED_MAX);
  for (let round = 0; round < rounds; round += 1) await distribute();
  assert.equal(await unseen(), 0);
  assert.equal(await count(['pending']), 5_000);
  clock.advance({ seconds: 16 });
  for (let round = 0; round < rounds; round += 1) await distribute();
  assert.equal(await unseen(), 0);

  // A driver who becomes free is matched with the newest delivery, after all those that it cannot serve, one round
  // later.
  await db`update drivers set available = false where central_id = 1 and id = ${idle}`;
  clock.advance({ seconds: 16 });
  const { id: newest } = await openDelivery(malote, { categoria_id: 1 });
  await distribute();
  assert.equal(await status(newest), 'P');
  await driverOf(1);
  for (let round = 0; round <= rounds; round += 1) await distribute();
  assert.equal(await status(newest), 'G');

  // The time limit of a search also holds under this load.
  clock.advance({ minutes: 21 });
  for (let round = 0; round < 3; round += 1) await distribute();
  assert.equal(await count(['not_attended']), 5_001);
});

test('500 that wait and 500 free drivers are matched in one round', async () => {
  const { id } = await openDelivery(malote);
  await copyDelivery(db, id, 499);
  await db`update deliveries set pickup_lat = pickup_lat + (id % 25) * 0.002, pickup_lng = pickup_lng + (id % 20) * 0.002
    where central_id = 1 and status = 'distributing'`;
  const driver = await driverOf(1);
  await copyDriver(db, driver, 499);
  await db`update driver_positions set lat = lat + (driver_id % 20) * 0.0025, lng = lng + (driver_id % 25) * 0.0016
    where central_id = 1`;
  const { offered } = await distribute();
  assert.equal(offered, 500);
});

test('a router that hangs for one of 200 centrals keeps none of the others waiting', async () => {
  await openDelivery(malote);
  await driverOf(1);
  const centrals: number[] = [];
  for (let made = 0; made < 200; made += 1)
    centrals.push(await createCentral(malote.app.deps, { name: `Central ${made}`, timeZone: 'UTC' }));
  await copyCentral(db, centrals);
  await db`update centrals set settings = settings || '{"supportText": "hangs"}'::jsonb where id = ${centrals[0]}`;
  const never = new Promise<never>(() => undefined);
  const forEstimates = (settings: Settings): Router => {
    const router = estimatorFor(settings);
    return settings.supportText === 'hangs' ? { ...router, matrix: () => never } : router;
  };
  const deps = { ...malote.app.deps, routers: { ...estimatorRouters, forEstimates } };
  const errors: unknown[] = [];
  const distribution = startRound(ROUNDS.distribution, deps, (error) => errors.push(error));
  const searching = async (): Promise<number[]> => {
    const rows = await db<{ central_id: number }>`
      select central_id from deliveries where central_id = any(${centrals}::bigint[]) and status = 'distributing'
      order by central_id`;
    return rows.map((row) => row.central_id);
  };
  let meanwhile: number[] = [];
  await waitUntil(
    'all others are served',
    async () => {
      meanwhile = await searching();
      return meanwhile.every((centralId) => centralId === centrals[0]);
    },
    60_000,
  );
  await waitUntil(
    'the last one is served by straight lines',
    async () => (await searching()).length === 0,
    60_000,
  );
  await distribution.stop();
  assert.deepEqual(errors, []);
});
