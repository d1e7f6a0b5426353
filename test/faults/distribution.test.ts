import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Settings } from '../../server/src/centrals/central.ts';
import { PointOffRoad, type Router } from '../../server/src/geo/routing/router.ts';
import { estimatorFor, estimatorRouters } from '../../server/src/geo/routing/routers.ts';
import { samePlace } from '../../server/src/platform/kernel/position.ts';
import { startMalote } from '../support/malote.ts';
import { order, pickup, stop } from '../support/orders.ts';
import { distributeOnce } from '../support/rounds.ts';
import { assertOk, newDriver, openDelivery } from '../support/steps.ts';

const malote = await startMalote();
const { operator, clock, db } = malote;

const HERE = { lat: Number(pickup.lat), lng: Number(pickup.lng) };
const NEARBY = { lat: HERE.lat + 0.004, lng: HERE.lng };
const ON_THE_LAKE = { lat: HERE.lat, lng: HERE.lng - 0.001 };

/** The estimator, which first runs a function of the test. */
const routersThat = (before: (points: readonly { lat: number; lng: number }[]) => unknown) => {
  const router = (settings: Settings): Router => ({
    ...estimatorFor(settings),
    async matrix(points, profile) {
      await before(points);
      return estimatorFor(settings).matrix(points, profile);
    },
  });
  return { ...estimatorRouters, forEstimates: router, forPlanning: router };
};
const distribute = (routers = estimatorRouters) => distributeOnce({ ...malote.app.deps, routers });

const status = async (id: number): Promise<string> =>
  assertOk(await malote.central.get(`/entregas/${id}/status`)).body.data.status;
const offersOf = (id: number) =>
  db<{ driver_id: number; state: string }>`
    select driver_id, state from offers where central_id = 1 and delivery_id = ${id} order by id`;
const driverAt = async (at: { lat: number; lng: number }): Promise<number> => {
  const id = await newDriver(malote, at);
  await db`insert into driver_categories (central_id, driver_id, category_id)
    select 1, ${id}, id from categories where central_id = 1`;
  return id;
};

/** No driver is on duty until a test sends one. */
beforeEach(async () => {
  await db`update drivers set available = false`;
  const left = await db<{ id: number }>`
    select id from deliveries where central_id = 1 and status not in ('finished', 'cancelled', 'not_attended')`;
  for (const { id } of left)
    assertOk(await malote.central.post(`/entregas/${id}/cancelar`, { motivo_id: 6 }));
});

test('a driver who is seen off all roads keeps no delivery from being offered', async () => {
  await driverAt(ON_THE_LAKE);
  await driverAt(NEARBY);
  const { id } = await openDelivery(malote);
  await distribute(
    routersThat((points) => {
      const index = points.findIndex((point) => samePlace(point, ON_THE_LAKE));
      if (index !== -1) throw new PointOffRoad(index);
    }),
  );
  assert.equal(await status(id), 'G');
});

test('a failure in one central does not affect another', async () => {
  await malote.configure({ supportText: 'broken' });
  await openDelivery(malote);
  const neighbours = order({
    empresa_id: 10_000_001,
    partida: { ...pickup, lat: '-3.119', lng: '-60.0217' },
    paradas: [{ ...stop(), lat_parada: '-3.1', lng_parada: '-60.02' }],
  });
  const { id_mch: id } = assertOk(await malote.neighbour.post('/entregas', neighbours)).body.data;
  const routers = {
    ...estimatorRouters,
    forEstimates: (settings: Settings): Router => {
      if (settings.supportText === 'broken') throw new Error('told to fail');
      return estimatorFor(settings);
    },
  };
  await assert.rejects(distribute(routers), /told to fail/);
  await malote.configure({ supportText: '' });
  assert.equal(assertOk(await malote.neighbour.get(`/entregas/${id}/status`)).body.data.status, 'P');
});

test('a driver who refused while another process was matching is not asked again by it', async () => {
  const driver = await driverAt(NEARBY);
  const { id } = await openDelivery(malote);
  let isFirst = true;
  await distribute(
    routersThat(async () => {
      if (!isFirst) return;
      isFirst = false;
      await distribute();
      assertOk(await operator.post(`/entregas/${id}/recusar`, { condutor_id: driver }));
    }),
  );
  assert.deepEqual(await offersOf(id), [{ driver_id: driver, state: 'refused' }]);
});

test('a search that began anew a moment ago is not ended for its age before', async () => {
  const { id } = await openDelivery(malote);
  clock.advance({ minutes: 21 });
  const held = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const other = db.begin(async (tx) => {
    await tx`update deliveries set search_since = ${clock.now()} where central_id = 1 and id = ${id}`;
    held.resolve();
    await release.promise;
  });
  await held.promise;
  // A round does not wait for locks: locked deliveries are left for the next round.
  await distribute();
  release.resolve();
  await other;
  await distribute();
  assert.notEqual(await status(id), 'N');
});

test('a delivery offered to a driver who goes off duty passes to the next one', async () => {
  const [first, second] = [await driverAt(HERE), await driverAt(NEARBY)];
  const { id } = await openDelivery(malote);
  await distribute();
  assert.deepEqual(await offersOf(id), [{ driver_id: first, state: 'open' }]);
  assertOk(await operator.post(`/condutores/${first}/disponibilidade`, { disponivel: false }));
  await distribute();
  assert.deepEqual(await offersOf(id), [
    { driver_id: first, state: 'withdrawn' },
    { driver_id: second, state: 'open' },
  ]);
});

test('an operator may name a driver who is off duty, and that one may take its time', async () => {
  const driver = await driverAt(HERE);
  assertOk(await operator.post(`/condutores/${driver}/disponibilidade`, { disponivel: false }));
  const { id } = await openDelivery(malote);
  assertOk(await operator.post(`/entregas/${id}/atribuir`, { condutor_id: driver }));
  clock.advance({ minutes: 5 });
  await distribute();
  assert.equal(await status(id), 'G');
});

test('a delivery assigned to a driver who is no longer active is searched for again, with all its time', async () => {
  const driver = await driverAt(HERE);
  const { id } = await openDelivery(malote);
  assertOk(await operator.post(`/entregas/${id}/atribuir`, { condutor_id: driver }));
  clock.advance({ minutes: 25 });
  const next = await driverAt(NEARBY);
  assertOk(
    await operator.put(`/condutores/${driver}`, {
      nome: 'Condutor de teste',
      telefone: '51988880000',
      categorias: [1],
      ativo: false,
    }),
  );
  await distribute();
  assert.deepEqual(await offersOf(id), [
    { driver_id: driver, state: 'withdrawn' },
    { driver_id: next, state: 'open' },
  ]);
  const { data } = assertOk(await malote.central.get(`/entregas/${id}`)).body;
  assert.equal(data.condutor_especificado, false);
});
