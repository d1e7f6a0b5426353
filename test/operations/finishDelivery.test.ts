import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STATUSES, type Status } from '../../server/src/deliveries/deliveries/status.ts';
import type { Answer } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { order, pickup, stop } from '../support/orders.ts';
import {
  allOf,
  assertOk,
  assertRefused,
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

test('a price paid from the wallet is reserved on opening and charged once on finishing', async () => {
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

test('a price paid in cash never touches the wallet', async () => {
  const before = await balance();
  await carryOut(await openDelivery(malote));
  assert.equal(await balance(), before);
});

test('of several finishes at once one counts, all are answered so, and the wallet is charged once', async () => {
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
    events.map((event) => event.sequence),
    [1, 2, 3, 4, 5, 6, 7, 8, 9],
  );
  const statuses = events.filter((event) => event.type === 'delivery.status').map((event) => event.payload);
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

const someone = await newDriver(malote);

const post =
  (path: string, body: unknown = {}) =>
  ({ id }: TestDelivery) =>
    malote.operator.post(`/entregas/${id}/${path}`, body);

interface Row {
  take: (delivery: TestDelivery) => Promise<Answer>;
  /** The statuses from which the step is legal, with the resulting letter of contract 4.16. */
  leads: Partial<Record<Status, string>>;
}

/** Written from contract 3.1, not from the table in the code. */
const steps: Record<string, Row> = {
  liberar: { take: post('liberar'), leads: { awaiting_release: 'D' } },
  atribuir: {
    take: post('atribuir', { condutor_id: someone }),
    leads: { distributing: 'G', offered: 'G', pending: 'G' },
  },
  recusar: { take: post('recusar'), leads: { offered: 'D' } },
  aceitar: {
    take: async ({ id, driverId }) =>
      malote.operator.post(`/entregas/${id}/aceitar`, { condutor_id: driverId ?? (await newDriver(malote)) }),
    leads: { distributing: 'A', offered: 'A', pending: 'A' },
  },
  chegar: { take: post('chegar'), leads: { accepted: 'A' } },
  iniciar: { take: post('iniciar'), leads: { accepted: 'E' } },
  concluir: {
    take: ({ id, stopIds }) => malote.operator.post(`/entregas/${id}/paradas/${stopIds[0]}/concluir`, {}),
    leads: { in_progress: 'F' },
  },
  desistir: { take: post('desistir'), leads: { accepted: 'D', on_hold: 'D' } },
  cancelar: {
    take: ({ id }) => malote.central.post(`/entregas/${id}/cancelar`, { motivo_id: 1 }),
    leads: {
      awaiting_release: 'C',
      distributing: 'C',
      offered: 'C',
      pending: 'C',
      accepted: 'C',
      on_hold: 'C',
      in_progress: 'C',
    },
  },
};

for (const [name, { take, leads }] of Object.entries(steps))
  for (const status of STATUSES) {
    const expected = leads[status];
    if (expected)
      test(`${name} leads from ${status} to ${expected}`, async () => {
        const delivery = await deliveryIn(malote, status);
        assertOk(await take(delivery));
        const read = await malote.central.get(`/entregas/${delivery.id}/status`);
        assert.equal(read.body.data.status, expected);
      });
    else
      test(`${name} is refused in ${status} and changes nothing`, async () => {
        const delivery = await deliveryIn(malote, status);
        const before = await allOf(malote, delivery.id);
        const over = ['finished', 'cancelled', 'not_attended'].includes(status);
        assertRefused(
          await take(delivery),
          406,
          over ? /já foi finalizada, cancelada ou não atendida/ : /etapa não é possível/,
        );
        assert.deepEqual(await allOf(malote, delivery.id), before);
      });
  }

test('finalizar leads from in_progress to F once every stop is concluded, and not before', async () => {
  const delivery = await deliveryIn(malote, 'in_progress', 2);
  const finish = () => malote.operator.post(`/entregas/${delivery.id}/finalizar`);
  const conclude = (stopId: number) =>
    malote.operator.post(`/entregas/${delivery.id}/paradas/${stopId}/concluir`, {});
  assertRefused(await finish(), 406, /paradas a concluir: 2/);
  assertOk(await conclude(delivery.stopIds[1]!));
  const before = await allOf(malote, delivery.id);
  assertRefused(await finish(), 406, /paradas a concluir: 1/);
  assert.deepEqual(await allOf(malote, delivery.id), before);
  assertOk(await conclude(delivery.stopIds[0]!));
  assert.equal(assertOk(await finish()).body.data.status, 'F');
});

test('finalizar of a finished delivery is answered and changes nothing', async () => {
  const delivery = await deliveryIn(malote, 'finished');
  const before = await allOf(malote, delivery.id);
  const answer = assertOk(await malote.operator.post(`/entregas/${delivery.id}/finalizar`));
  assert.equal(answer.body.data.status, 'F');
  assert.deepEqual(await allOf(malote, delivery.id), before);
});

for (const status of STATUSES.filter((candidate) => candidate !== 'in_progress' && candidate !== 'finished'))
  test(`finalizar is refused in ${status} and changes nothing`, async () => {
    const delivery = await deliveryIn(malote, status);
    const before = await allOf(malote, delivery.id);
    assert.equal((await malote.operator.post(`/entregas/${delivery.id}/finalizar`)).status, 406);
    assert.deepEqual(await allOf(malote, delivery.id), before);
  });

for (const [name, take] of [
  ['chegar', post('chegar')],
  ['concluir', steps.concluir!.take],
] as const)
  test(`${name} twice is refused and keeps the first moment`, async () => {
    const delivery = await deliveryIn(malote, name === 'chegar' ? 'accepted' : 'in_progress', 2);
    assertOk(await take(delivery));
    const before = await allOf(malote, delivery.id);
    malote.clock.advance({ minutes: 1 });
    assertRefused(await take(delivery), 406, /etapa não é possível/);
    assert.deepEqual(await allOf(malote, delivery.id), before);
  });

test('every step of an unknown delivery, or of another central, is 404', async () => {
  const foreign = await malote.neighbour.post(
    '/entregas',
    order({
      empresa_id: 10_000_001,
      partida: { ...pickup, lat: '-3.119', lng: '-60.0217' },
      paradas: [{ ...stop(), lat_parada: '-3.1', lng_parada: '-60.02' }],
    }),
  );
  for (const id of [999_999, Number(assertOk(foreign).body.data.id_mch)])
    for (const { take } of Object.values(steps)) {
      const answer = await take({ id, stopIds: [1], driverId: someone });
      assertRefused(answer, 404, /entrega não encontrada/);
    }
});

test('a delivery grouped into another refuses every step but its cancellation, and names its grouper', async () => {
  const grouper = await deliveryIn(malote, 'in_progress');
  const grouped = await deliveryIn(malote, 'in_progress');
  await malote.db`
    update deliveries set grouped_into = ${grouper.id}, driver_id = ${grouper.driverId}
    where central_id = 1 and id = ${grouped.id}`;
  const before = await allOf(malote, grouped.id);
  const refused = Object.entries(steps).filter(([name]) => name !== 'cancelar');
  for (const [, { take }] of refused)
    assertRefused(await take(grouped), 406, new RegExp(`agrupada na entrega ${grouper.id}`));
  assert.deepEqual(await allOf(malote, grouped.id), before);
});
