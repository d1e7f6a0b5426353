import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { newId } from '../../server/src/platform/postgres/ids.ts';
import type { Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { pickup, stop } from '../support/orders.ts';
import {
  dispatchAll,
  eventsOfDelivery,
  eventsOfScheduled,
  readScheduled,
  schedule,
} from '../support/scheduled.ts';
import { assertOk } from '../support/steps.ts';
import { testRouters } from '../support/testRouters.ts';

const START = '2026-11-16T15:00:00Z';
const routers = testRouters();
const malote = await startMalote({ routers });

beforeEach(() => {
  routers.restore();
  malote.clock.set(START);
});

const deliveryOf = async (id: number): Promise<Json> => {
  const { id_mch } = await readScheduled(malote.central, id);
  assert.match(String(id_mch), /^\d+$/);
  return assertOk(await malote.central.get(`/entregas/${id_mch}`)).body.data;
};

const rowOf = async (id: number): Promise<Json> => {
  const [row] = await malote.db`select * from scheduled where id = ${id}`;
  return row;
};

const balanceOf = async (companyId: number): Promise<number> => {
  const [wallet] = await malote.db<{ balance_cents: number }>`
    select balance_cents from wallets where central_id = 1 and company_id = ${companyId}`;
  return wallet!.balance_cents;
};

test('nothing is dispatched before its instant, and at its instant it is', async () => {
  const id = await schedule(malote.manager);
  malote.clock.set('2026-11-16T15:59:59Z');
  assert.equal(await dispatchAll(malote), 0);
  assert.equal((await readScheduled(malote.manager, id)).situacao, 'A');
  malote.clock.set('2026-11-16T16:00:00Z');
  assert.equal(await dispatchAll(malote), 1);
  const shown = await readScheduled(malote.manager, id);
  assert.deepEqual([shown.situacao, shown.situacao_formatada], ['D', 'Distribuída']);
  assert.equal(await dispatchAll(malote), 0);
});

test('each central’s own clock decides', async () => {
  const here = await schedule(malote.manager, { hora: '13:00:00' });
  const place = { endereco: 'Rua 1', bairro: 'Centro', lat: '-3.119', lng: '-60.0217' };
  const there = await schedule(malote.neighbour, {
    empresa_id: 10_000_001,
    hora: '13:00:00',
    partida: place,
    paradas: [
      { endereco_parada: 'Rua 2', bairro_parada: 'Centro', lat_parada: '-3.1', lng_parada: '-60.02' },
    ],
  });
  malote.clock.set('2026-11-16T16:00:00Z');
  await dispatchAll(malote);
  assert.equal((await readScheduled(malote.manager, here)).situacao, 'D');
  assert.equal((await readScheduled(malote.neighbour, there)).situacao, 'A');
  malote.clock.set('2026-11-16T17:00:00Z');
  await dispatchAll(malote);
  const dispatched = await readScheduled(malote.neighbour, there);
  assert.equal(dispatched.situacao, 'D');
  assert.ok(Number(dispatched.id_mch) > 10_000_000, 'its delivery is numbered by its own central');
});

test('the delivery is what was ordered, under a new id, and its stops keep theirs', async () => {
  const id = await schedule(malote.manager, {
    categoria_id: 2,
    com_retorno: true,
    codigo_cupom: 'DEMO10',
    forma_pagamento: 'X',
    partida: { ...pickup, complemento: 'loja 2', referencia: 'praça' },
    paradas: [{ ...stop(0), complemento_parada: 'apto 1', valor_cobrar: '12.50' }, stop(1), stop(2)],
  });
  const ordered = await readScheduled(malote.manager, id);
  malote.clock.set('2026-11-16T16:00:05Z');
  await dispatchAll(malote);
  const delivery = await deliveryOf(id);
  assert.equal(delivery.status_solicitacao, 'D');
  assert.equal(delivery.data_hora_solicitacao, '2026-11-16 13:00:05');
  assert.equal(delivery.valor_corrida, ordered.valor.estimado);
  assert.equal(delivery.empresa_id, '1');
  assert.equal(delivery.id_categoria, '2');
  assert.equal(delivery.tipo_pagamento, 'X');
  assert.equal(delivery.com_retorno, true);
  assert.equal(delivery.codigo_cupom, 'DEMO10');
  assert.equal(delivery.desconto, '10.00');
  assert.deepEqual(delivery.partida, {
    endereco: 'Rua dos Andradas, 1001',
    complemento: 'loja 2',
    referencia: 'praça',
    bairro: 'Centro Histórico',
    cidade: 'Porto Alegre',
    estado: 'RS',
    lat: '-30.0305',
    lng: '-51.2303',
  });
  assert.deepEqual(
    delivery.paradas.map((stop: Json) => [stop.ordem, stop.id, stop.endereco, stop.numero_pedido]),
    ordered.paradas.map((stop: Json) => [stop.ordem, stop.id, stop.endereco, stop.numero_pedido]),
  );
  const after = await readScheduled(malote.manager, id);
  assert.deepEqual(after.paradas, ordered.paradas);
  const links = assertOk(await malote.manager.get(`/entregas/${delivery.id}/links-rastreio`));
  assert.equal(new Set(links.body.data.map((row: Json) => row.link_rastreio)).size, 3);
});

test('both get an event', async () => {
  const id = await schedule(malote.manager);
  malote.clock.set('2026-11-16T16:00:00Z');
  await dispatchAll(malote);
  const deliveryId = Number((await readScheduled(malote.manager, id)).id_mch);
  assert.partialDeepStrictEqual(await eventsOfDelivery(malote, deliveryId), [
    { type: 'delivery.status', sequence: 1, payload: { status: 'distributing' } },
  ]);
  assert.partialDeepStrictEqual((await eventsOfScheduled(malote, id)).at(-1)!, {
    type: 'scheduled.dispatched',
    sequence: 2,
    payload: { situation: 'dispatched', deliveryId },
  });
});

test('where deliveries must be released it waits for that', async () => {
  const id = await schedule(malote.manager);
  await malote.configure({ releaseRequired: true });
  malote.clock.set('2026-11-16T16:00:00Z');
  await dispatchAll(malote);
  await malote.configure({ releaseRequired: false });
  assert.equal((await deliveryOf(id)).status_solicitacao, 'P');
});

test('after an outage all that fell due is dispatched at once, the oldest first', async () => {
  const hours = [19, 13, 22, 16, 14, 13];
  const ids: number[] = [];
  for (const hour of hours) ids.push(await schedule(malote.manager, { hora: `${hour}:00:00` }));
  malote.clock.set('2026-11-20T00:00:00Z');
  assert.equal(await dispatchAll(malote), ids.length);
  const deliveryIds = await Promise.all(
    ids.map(async (id) => Number((await readScheduled(malote.manager, id)).id_mch)),
  );
  const oldestFirst = [...ids.keys()].sort((a, b) => hours[a]! - hours[b]! || a - b);
  const inDispatchOrder = oldestFirst.map((index) => deliveryIds[index]!);
  assert.deepEqual(
    inDispatchOrder,
    inDispatchOrder.toSorted((a, b) => a - b),
  );
});

test('credits are reserved at dispatch; where they do not cover it, that one alone has failed', async () => {
  const ids: number[] = [];
  for (const hora of ['13:00:00', '13:00:01', '13:00:02', '13:00:03'])
    ids.push(await schedule(malote.manager, { forma_pagamento: 'R', hora }));
  const cash = await schedule(malote.manager, { hora: '13:00:04' });
  const price = (await rowOf(ids[0]!)).net_cents;
  // Enough for two. The third is expensive.
  const [any] = await malote.db<{ id: number }>`select min(id) as id from deliveries where central_id = 1`;
  await malote.db`
    insert into wallet_entries (central_id, id, company_id, kind, amount_cents, balance_after_cents, created_at, delivery_id)
    values (1, ${await newId(malote.db, 1, 'entry')}, 1, 'release', ${2 * price + 1 - (await balanceOf(1))}, 0, now(),
      ${any!.id})`;
  await malote.db`update scheduled set gross_cents = 9999999, net_cents = 9999999 where id = ${ids[1]!}`;
  malote.clock.set('2026-11-16T16:01:00Z');
  assert.equal(await dispatchAll(malote), 3);

  const shown = await Promise.all([...ids, cash].map((id) => readScheduled(malote.manager, id)));
  assert.deepEqual(
    shown.map((scheduled) => [scheduled.situacao, scheduled.situacao_formatada, scheduled.id_mch === null]),
    [
      ['D', 'Distribuída', false],
      ['X', 'Erro', true],
      ['D', 'Distribuída', false],
      ['X', 'Erro', true],
      ['D', 'Distribuída', false],
    ],
  );
  assert.equal(await balanceOf(1), 1);
  assert.equal((await rowOf(ids[1]!)).failure, 'insufficient-balance');
  const recorded = (await eventsOfScheduled(malote, ids[1]!)).at(-1);
  assert.equal(recorded?.type, 'scheduled.changed');
  assert.deepEqual(
    [recorded?.payload.situation, recorded?.payload.failure],
    ['failed', 'insufficient-balance'],
  );
  const [entry] = await malote.db<{ payload: Json }>`
    select payload from events where central_id = 1 and type = 'wallet.entry' order by id desc limit 1`;
  assert.partialDeepStrictEqual(entry?.payload, { kind: 'reserve', amountCents: -price, balanceCents: 1 });
  const reserved = await malote.db`
    select reserved_cents from deliveries where central_id = 1 and scheduled_id = any(${ids}::bigint[])`;
  assert.deepEqual(reserved, [{ reserved_cents: price }, { reserved_cents: price }]);
  malote.clock.set('2026-11-16T18:00:00Z');
  assert.equal(await dispatchAll(malote), 0, 'a failed one is not tried again');
});

test('a scheduled delivery that lost a stop while no router answered is estimated before its dispatch', async () => {
  const id = await schedule(malote.manager, {}, 3);
  const [first] = (await readScheduled(malote.manager, id)).paradas;
  routers.fail();
  assertOk(await malote.manager.delete(`/entregas/programadas/${id}/paradas/${first.id}`));
  const same = await schedule(malote.manager, { paradas: [stop(1), stop(2)] });
  malote.clock.set('2026-11-16T16:00:00Z');
  assert.equal(await dispatchAll(malote), 2);
  assert.equal((await deliveryOf(id)).valor_corrida, (await deliveryOf(same)).valor_corrida);
  assert.equal((await rowOf(id)).estimate_outdated, false);
});

test('a scheduled delivery that can no longer be estimated fails, with the reason', async () => {
  const id = await schedule(malote.manager, {}, 2);
  const [first] = (await readScheduled(malote.manager, id)).paradas;
  routers.fail();
  assertOk(await malote.manager.delete(`/entregas/programadas/${id}/paradas/${first.id}`));
  await malote.db`update scheduled_stops set lat = 10 where central_id = 1 and scheduled_id = ${id}`;
  malote.clock.set('2026-11-16T16:00:00Z');
  assert.equal(await dispatchAll(malote), 0);
  const row = await rowOf(id);
  assert.deepEqual([row.situation, row.failure], ['failed', 'outside-operating-areas']);
});

test('a grouper sets off with all the stops it carries', async () => {
  const grouper = await schedule(malote.manager);
  const other = await schedule(malote.manager, { paradas: [stop(1), stop(2)] });
  assertOk(
    await malote.manager.post(`/entregas/programadas/${grouper}/agrupar`, { programadas_agrupadas: [other] }),
  );
  malote.clock.set('2026-11-16T16:00:00Z');
  assert.equal(await dispatchAll(malote), 1, 'the grouped one makes no delivery of its own');
  assert.equal((await deliveryOf(grouper)).paradas.length, 3);
});
