import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMalote } from '../support/malote.ts';
import { assertOk, newDriver, openDelivery } from '../support/steps.ts';

/* The clocks of several processes differ, and a machine's clock is corrected now and then, also backwards. */
const malote = await startMalote();
const { operator, manager, clock, db } = malote;

const step = async (id: number, path: string, body: unknown = {}) =>
  assertOk(await operator.post(`/entregas/${id}/${path}`, body));
const putBack = () => clock.advance({ seconds: -10 });

test('however the clock is put back, the moments of a delivery keep their order', async () => {
  const { id, stopIds } = await openDelivery(malote, {}, 2);
  const driverId = await newDriver(malote);
  for (const [path, body] of [
    ['aceitar', { condutor_id: driverId }],
    ['chegar', {}],
    ['iniciar', {}],
    [`paradas/${stopIds[0]}/concluir`, {}],
    [`paradas/${stopIds[1]}/concluir`, {}],
    ['finalizar', {}],
  ] as const) {
    putBack();
    await step(id, path, body);
  }
  const [row] = await db<{ moments: string[] }>`
    select array[requested_at, accepted_at, arrived_at, started_at,
      (select concluded_at from stops where central_id = 1 and id = ${stopIds[0]}),
      (select concluded_at from stops where central_id = 1 and id = ${stopIds[1]}), finished_at]::text[] as moments
    from deliveries where central_id = 1 and id = ${id}`;
  assert.deepEqual(row!.moments, row!.moments.toSorted());
  const { data } = assertOk(await manager.get(`/entregas/${id}/recibo`)).body;
  assert.ok(data.partida.data_hora <= data.desejado.data_hora);
});

test('a delivery is never cancelled before it was ordered', async () => {
  const { id } = await openDelivery(malote);
  putBack();
  assertOk(await manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 }));
  const { data } = assertOk(await manager.get(`/entregas/${id}`)).body;
  assert.ok(data.data_hora_cancelamento_utc >= data.data_hora_solicitacao_utc);
});

test('a driver whom a clock that ran ahead saw in the future is seen again at once', async () => {
  const driverId = await newDriver(malote);
  const report = async (lat: number) =>
    assertOk(await operator.post(`/condutores/${driverId}/posicao`, { lat, lng: -51.2 }));
  clock.advance({ hours: 1 });
  await report(-30.01);
  clock.advance({ hours: -1 });
  await report(-30.02);
  const [row] = await db<{ lat: number; at: Temporal.Instant }>`
    select lat, at from driver_positions where central_id = 1 and driver_id = ${driverId}`;
  assert.equal(row!.lat, -30.02);
  assert.equal(row!.at.toString(), clock.now().toString());
});
