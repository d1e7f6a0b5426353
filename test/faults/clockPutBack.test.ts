import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { startMalote } from '../support/malote.ts';
import { pickup } from '../support/orders.ts';
import { distributeOnce } from '../support/rounds.ts';
import { dispatchAll, readScheduled, schedule } from '../support/scheduled.ts';
import { simulation } from '../support/simulation.ts';
import { assertOk, openDelivery } from '../support/steps.ts';

/*
 * A clock that ran hours ahead is corrected. Work that was postponed by that clock must not wait until the hours have
 * passed.
 */
const malote = await startMalote();
const { manager, operator, clock, db } = malote;
const distribute = () => distributeOnce(malote.app.deps);
const putBack = () => clock.advance({ hours: -3 });

const statusOf = async (id: number): Promise<string> =>
  assertOk(await manager.get(`/entregas/${id}/status`)).body.data.status;
const offersOf = (id: number) =>
  db<{ driverId: number; state: string; isAfterOffer: boolean }>`
    select driver_id as "driverId", state, closed_at is null or closed_at >= offered_at as "isAfterOffer"
    from offers where central_id = 1 and delivery_id = ${id} order by id`;
const beAtPickup = async (driver: number) =>
  assertOk(
    await operator.post(`/condutores/${driver}/posicao`, {
      lat: Number(pickup.lat),
      lng: Number(pickup.lng),
    }),
  );

beforeEach(async () => {
  await db`update drivers set available = id = 1 where central_id = 1`;
});

test('a delivery for which nobody was near is searched for again at once', async () => {
  assertOk(await operator.post('/condutores/1/posicao', { lat: -27, lng: -48 }));
  const { id } = await openDelivery(malote);
  await distribute();
  assert.equal(await statusOf(id), 'P');
  putBack();
  await beAtPickup(1);
  await distribute();
  assert.equal(await statusOf(id), 'G');
  assertOk(await manager.post(`/entregas/${id}/cancelar`, { motivo_id: 6 }));
});

test('an offer that nobody answers ends, and the same driver is asked anew and may accept', async () => {
  await beAtPickup(1);
  const { id } = await openDelivery(malote);
  await distribute();
  putBack();
  await distribute();
  assert.deepEqual(await offersOf(id), [
    { driverId: 1, state: 'withdrawn', isAfterOffer: true },
    { driverId: 1, state: 'open', isAfterOffer: true },
  ]);
  assertOk(await malote.driver(1).post(`/entregas/${id}/aceitar`));
  assertOk(await manager.post(`/entregas/${id}/cancelar`, { motivo_id: 6 }));
});

test('a driver accepts what an operator offers it again after the clock was put back', async () => {
  const { id } = await openDelivery(malote);
  const offer = async () => assertOk(await operator.post(`/entregas/${id}/atribuir`, { condutor_id: 1 }));
  await offer();
  putBack();
  await offer();
  assertOk(await malote.driver(1).post(`/entregas/${id}/aceitar`));
  assertOk(await manager.post(`/entregas/${id}/cancelar`, { motivo_id: 6 }));
});

test('simulated couriers go on, of a process that died too, whatever they were doing', async (t) => {
  await malote.configureFor(t, { simulatedCouriers: true, simulationSpeed: 60 });
  const simulated = simulation(malote);
  for (const until of ['G', 'A', 'E']) {
    await beAtPickup(1);
    const { id } = await openDelivery(malote);
    const { letters } = await simulated.follow(id, { until, seconds: 120 });
    assert.ok(letters.endsWith(until), letters);
    putBack();
    const next = simulation(malote);
    assert.match((await next.follow(id, { seconds: 240 })).letters, /F$/, `put back in ${until}`);
    await next.pass(61);
  }
});

test('a due scheduled delivery whose dispatch failed a moment ago is tried again at once', async () => {
  const id = await schedule(manager);
  await db`
    update scheduled set dispatch_at = ${clock.now().subtract({ hours: 4 })},
      retry_at = ${clock.now().add({ seconds: 5 })}
    where central_id = 1 and id = ${id}`;
  putBack();
  await dispatchAll(malote);
  assert.equal((await readScheduled(manager, id)).situacao, 'D');
});

test('requests that a grouping left claimed can be grouped', async () => {
  const [first, second] = [await schedule(manager), await schedule(manager)];
  await db`
    insert into claims (central_id, noun, target_id, purpose, token, expires_at)
    values (1, 'scheduled', ${second}, 'grouping', gen_random_uuid(), ${clock.now().add({ seconds: 30 })})`;
  putBack();
  const body = { programadas_agrupadas: [second] };
  assertOk(await operator.post(`/programadas/${first}/simular-agrupamento`, body));
  assertOk(await manager.post(`/entregas/programadas/${first}/agrupar`, body));
});
