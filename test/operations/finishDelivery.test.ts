import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMalote } from '../support/malote.ts';
import {
  assertOk,
  countStatuses,
  deliveryIn,
  newDriver,
  openDelivery,
  type TestDelivery,
} from '../support/steps.ts';

const malote = await startMalote();
const { operator } = malote;

const balance = async (): Promise<number> => {
  const [row] = await malote.db<{ balance_cents: number }>`
    select balance_cents from wallets where central_id = 1 and company_id = 1`;
  return row!.balance_cents;
};

async function carryOut(delivery: TestDelivery): Promise<void> {
  const step = async (path: string, body: unknown = {}) =>
    assertOk(await operator.post(`/entregas/${delivery.id}/${path}`, body));
  await step('aceitar', { condutor_id: await newDriver(malote) });
  await step('iniciar');
  for (const stopId of delivery.stopIds) await step(`paradas/${stopId}/concluir`);
  await step('finalizar');
}

test('a finished delivery shows when it started and ended, and how far it went', async () => {
  const delivery = await openDelivery(malote, {}, 2);
  const driverId = await newDriver(malote);
  const step = async (path: string, body: unknown = {}) => {
    malote.clock.advance({ minutes: 7 });
    return assertOk(await operator.post(`/entregas/${delivery.id}/${path}`, body));
  };
  malote.clock.set('2026-11-16T15:00:00Z');
  await step('aceitar', { condutor_id: driverId });
  await step('chegar');
  await step('iniciar');
  for (const stopId of delivery.stopIds) await step(`paradas/${stopId}/concluir`);
  await step('finalizar');
  const { data } = assertOk(await malote.manager.get(`/entregas/${delivery.id}`)).body;
  assert.equal(data.data_hora_aceite_utc, '2026-11-16T15:07:00Z');
  assert.equal(data.data_hora_chegada_local, '2026-11-16 12:14:00');
  assert.equal(data.data_hora_inicio, '2026-11-16T15:21:00Z');
  assert.equal(data.data_hora_finalizacao_utc, '2026-11-16T15:35:00Z');
  assert.equal(data.duracao_corrida, '00:14:00');
  const [row] = await malote.db<{ planned_metres: number; travelled_metres: number }>`
    select planned_metres, travelled_metres from deliveries where central_id = 1 and id = ${delivery.id}`;
  assert.ok(row!.planned_metres > 0);
  assert.equal(row!.travelled_metres, row!.planned_metres);
});

test('what is paid from the wallet is reserved on opening and charged once on finishing', async () => {
  const before = await balance();
  const delivery = await openDelivery(malote, { forma_pagamento: 'R' }, 2);
  const reserved = before - (await balance());
  assert.ok(reserved > 0);
  await carryOut(delivery);
  assert.equal(await balance(), before - reserved);
  const entries = await malote.db<{ kind: string; amount_cents: number }>`
    select kind, amount_cents from wallet_entries
    where central_id = 1 and delivery_id = ${delivery.id} order by id`;
  assert.deepEqual(entries, [
    { kind: 'reserve', amount_cents: -reserved },
    { kind: 'release', amount_cents: reserved },
    { kind: 'settlement', amount_cents: -reserved },
  ]);
  const [row] = await malote.db<{ reserved_cents: number; net_cents: number }>`
    select reserved_cents, net_cents from deliveries where central_id = 1 and id = ${delivery.id}`;
  assert.deepEqual(row, { reserved_cents: 0, net_cents: reserved });
});

test('what is paid in cash never touches the wallet', async () => {
  const before = await balance();
  await carryOut(await openDelivery(malote));
  assert.equal(await balance(), before);
});

test('of several who finish at once one does, all are told so, and the wallet is charged once', async () => {
  const delivery = await openDelivery(malote, { forma_pagamento: 'R', com_retorno: true });
  for (const [path, body] of [
    ['aceitar', { condutor_id: await newDriver(malote) }],
    ['iniciar', {}],
    [`paradas/${delivery.stopIds[0]}/concluir`, {}],
  ] as const)
    assertOk(await operator.post(`/entregas/${delivery.id}/${path}`, body));
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => operator.post(`/entregas/${delivery.id}/finalizar`)),
  );
  assert.deepEqual(countStatuses(answers), { 200: 6 });
  const settlements = await malote.db`
    select 1 from wallet_entries
    where central_id = 1 and delivery_id = ${delivery.id} and kind = 'settlement'`;
  assert.equal(settlements.length, 1);
});

test('those grouped into it finish with it, and hold no credit any more', async () => {
  const grouper = await deliveryIn(malote, 'in_progress');
  const grouped = await openDelivery(malote, { forma_pagamento: 'R' });
  assertOk(await operator.post(`/entregas/${grouped.id}/aceitar`, { condutor_id: await newDriver(malote) }));
  assertOk(await operator.post(`/entregas/${grouped.id}/iniciar`));
  await malote.db`
    update deliveries set grouped_into = ${grouper.id}, driver_id = ${grouper.driverId}
    where central_id = 1 and id = ${grouped.id}`;
  assertOk(await operator.post(`/entregas/${grouper.id}/paradas/${grouper.stopIds[0]}/concluir`));
  assertOk(await operator.post(`/entregas/${grouper.id}/finalizar`));
  for (const { id } of [grouper, grouped]) {
    assert.equal(assertOk(await malote.manager.get(`/entregas/${id}/status`)).body.data.status, 'F');
    const events = await malote.db<{ payload: { status: string; previousStatus: string } }>`
      select payload from events where central_id = 1 and delivery_id = ${id} order by sequence`;
    assert.partialDeepStrictEqual(events.at(-1)!.payload, {
      status: 'finished',
      previousStatus: 'in_progress',
      driverId: grouper.driverId,
    });
  }
  const [row] = await malote.db<{ reserved_cents: number }>`
    select reserved_cents from deliveries where central_id = 1 and id = ${grouped.id}`;
  assert.equal(row!.reserved_cents, 0);
});

test('every step is an event with where it came from, numbered without a gap', async () => {
  const delivery = await openDelivery(malote);
  const driverId = await newDriver(malote);
  const step = async (path: string, body: unknown = {}) =>
    assertOk(await operator.post(`/entregas/${delivery.id}/${path}`, body));
  await step('atribuir', { condutor_id: driverId });
  await step('aceitar', { condutor_id: driverId });
  await step('chegar');
  await step('desistir');
  await step('aceitar', { condutor_id: driverId });
  await step('iniciar');
  await step(`paradas/${delivery.stopIds[0]}/concluir`);
  await step('finalizar');
  const events = await malote.db<{ type: string; sequence: number; payload: Record<string, unknown> }>`
    select type, sequence, payload from events
    where central_id = 1 and delivery_id = ${delivery.id} order by sequence`;
  assert.deepEqual(
    events.map((one) => one.sequence),
    [1, 2, 3, 4, 5, 6, 7, 8, 9],
  );
  const statuses = events.filter((one) => one.type === 'delivery.status').map((one) => one.payload);
  assert.equal(statuses.length, 8);
  assert.partialDeepStrictEqual(statuses, [
    { status: 'distributing' },
    { status: 'offered', previousStatus: 'distributing', driverId: null, offeredTo: driverId },
    { status: 'accepted', previousStatus: 'offered', driverId },
    { status: 'accepted', previousStatus: 'accepted', driverId, arrived: true },
    { status: 'distributing', previousStatus: 'accepted', driverId: null, previousDriverId: driverId },
    { status: 'accepted', previousStatus: 'distributing', driverId },
    { status: 'in_progress', previousStatus: 'accepted', driverId },
    { status: 'finished', previousStatus: 'in_progress', driverId },
  ]);
});
