import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STATUSES } from '../../server/src/platform/kernel/states.ts';
import type { Client, Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { eventsOfDelivery } from '../support/scheduled.ts';
import { assertOk, assertRefused, deliveryIn, openDelivery } from '../support/steps.ts';

const malote = await startMalote();
const { central, manager, manager2, neighbour, db } = malote;

const create = async (
  count: number,
  changes: Record<string, unknown> = {},
  login: Client = manager,
): Promise<number[]> => {
  const entregas = Array.from({ length: count }, () => order(changes));
  const { body } = assertOk(await login.post('/entregas/lote', { entregas }));
  return body.data.map((item: Json) => Number(item.data.id_mch));
};
const read = (ids: unknown, login: Client = manager) => login.post('/entregas/status', { ids });
const cancel = (ids: unknown, login: Client = manager, more: Record<string, unknown> = {}, headers = {}) =>
  login.post('/entregas/cancelar', { ids, motivo_id: 2, ...more }, headers);
const kinds = (answer: { body: Json }): string[] =>
  answer.body.data.map((item: Json) => item.kind ?? item.data.status ?? item.data.mensagem);

test('status: every id is answered in its place, also twice', async () => {
  const states = STATUSES.filter((status) => status !== 'awaiting_release');
  const ids: number[] = [];
  for (const status of states) ids.push((await deliveryIn(malote, status)).id);
  const asked = [...ids, 999_999_999, ids[0]!, ids[0]!];
  const answer = assertOk(await read(asked, central));
  assert.equal(answer.body.recusados, 1);
  assert.deepEqual(
    answer.body.data.map(({ id, indice }: Json) => [indice, id]),
    asked.map((id, index) => [index, id]),
  );
  for (const [index, id] of asked.entries()) {
    const single = await central.get(`/entregas/${id}/status`);
    const { success, data, status, kind, errors } = answer.body.data[index];
    if (success) assert.deepEqual(data, single.body.data);
    else {
      assert.deepEqual([status, kind], [single.status, single.headers.get('x-error-kind')]);
      assert.deepEqual(errors, single.body.errors);
    }
  }
});

test('status: what a login may not see is answered like what is not there', async () => {
  const [own] = await create(1);
  const [other] = await create(1, {}, manager2);
  for (const [login, expected] of [
    [manager, ['D', 'delivery-not-found']],
    [manager2, ['delivery-not-found', 'D']],
    [central, ['D', 'D']],
    [neighbour, ['delivery-not-found', 'delivery-not-found']],
  ] as const) {
    const answer = await read([own, other], login);
    assert.deepEqual(kinds(answer), expected);
    const missing = await read([999_999_998, 999_999_999], login);
    for (const [index, item] of answer.body.data.entries())
      if (!item.success) {
        const { id: _id, ...rest } = item;
        const { id: _other, ...unknown } = missing.body.data[index];
        assert.deepEqual(rest, unknown);
      }
  }
});

test('status and cancellation: a wrong list is refused with each of its problems', async () => {
  for (const send of [read, cancel]) {
    const wrong = await send([1, 0, 'x', null, 1.5, 2 ** 53]);
    assert.equal(wrong.status, 400);
    assert.deepEqual(
      wrong.body.errors.map(({ message }: Json) => /'(.*?)'/.exec(message)![1]),
      ['ids[1]', 'ids[2]', 'ids[3]', 'ids[4]', 'ids[5]'],
    );
    const messageOf = async (ids: unknown) => (await send(ids)).body.errors[0].message;
    assert.equal(await messageOf([]), "'ids': deve ter ao menos 1 item");
    assert.equal(await messageOf(Array(501).fill(1)), "'ids': deve ter no máximo 500 itens");
    assert.equal(await messageOf(undefined), "'ids': é obrigatório");
    assertOk(await send(Array.from({ length: 500 }, (_, index) => 999_000_000 + index)));
  }
});

test('cancellation: each as alone, with its events, in the order of the request', async () => {
  const open = await create(60);
  const carried = (await deliveryIn(malote, 'accepted')).id;
  const started = (await deliveryIn(malote, 'in_progress')).id;
  const finished = (await deliveryIn(malote, 'finished')).id;
  const offered = (await deliveryIn(malote, 'offered')).id;
  const asked = [...open, finished, carried, 999_999_999, started, offered, open[0]!];
  const answer = assertOk(await cancel(asked, central));
  assert.deepEqual(kinds(answer), [
    ...open.map(() => 'entrega cancelada'),
    ...['delivery-over', 'entrega cancelada', 'delivery-not-found', 'entrega cancelada', 'entrega cancelada'],
    'delivery-over',
  ]);
  assert.equal(answer.body.recusados, 3);
  assert.deepEqual(answer.body.data.at(-1).errors, [
    { code: 0, message: 'a entrega já foi finalizada, cancelada ou não atendida' },
  ]);
  const alone = (await create(1))[0]!;
  assertOk(await manager.post(`/entregas/${alone}/cancelar`, { motivo_id: 2 }));
  const rowOf = async (id: number): Promise<Json> => {
    const [row] = await db<{ row: Json }>`
      select to_jsonb(d) - 'id' - 'changed_at' - 'changed_in' as row from deliveries d where central_id = 1 and id = ${id}`;
    const events = await eventsOfDelivery(malote, id);
    for (const { payload } of events) for (const stop of payload.stops) delete stop.id;
    return { row: row!.row, events };
  };
  const { row, events } = await rowOf(open[7]!);
  const single = await rowOf(alone);
  assert.deepEqual({ ...row, ...withoutNumbers }, { ...single.row, ...withoutNumbers });
  assert.deepEqual(events, single.events);
  const statuses = await read([carried, started, offered, ...open], central);
  assert.deepEqual(new Set(kinds(statuses)), new Set(['C']));
  const [offers] = await db<{ open: number }>`
    select count(*) as open from offers where central_id = 1 and delivery_id = ${offered} and state = 'open'`;
  assert.equal(offers!.open, 0);
  assert.deepEqual(new Set(kinds(await cancel(open))), new Set(['delivery-over']));
});
/** Depends on how many statements were needed. */
const withoutNumbers = { version: 0 };

test('cancellation: gives reserved credit back, exactly', async () => {
  const saldo = async () =>
    (
      await central.get(
        '/entregas/empresas/creditos/saldo?tipo_identificacao=I&identificacao=padaria-moinhos',
      )
    ).body.data.saldo;
  assertOk(
    await central.post('/entregas/empresas/creditos/recargas', {
      valor: 1_000,
      empresa: { tipo_identificacao: 'I', identificacao: 'padaria-moinhos' },
    }),
  );
  const before = await saldo();
  const ids = await create(20, { forma_pagamento: 'R' });
  assert.ok((await saldo()) < before);
  assert.equal(assertOk(await cancel(ids)).body.recusados, 0);
  assert.equal(await saldo(), before);
});

test('cancellation: of another company or central is not there, and unknown reasons refuse all', async () => {
  const [own, kept] = await create(2);
  const [other] = await create(1, {}, manager2);
  assert.deepEqual(kinds(await cancel([own, other])), ['entrega cancelada', 'delivery-not-found']);
  assert.deepEqual(kinds(await cancel([kept, other], neighbour)), [
    'delivery-not-found',
    'delivery-not-found',
  ]);
  assert.deepEqual(kinds(await read([kept, other], central)), ['D', 'D']);
  assertRefused(await cancel([kept], manager, { motivo_id: 999 }), 404, /motivo/);
  assert.deepEqual(kinds(await read([kept])), ['D']);
});

test('cancellation: parallel ones cancel each delivery once', async () => {
  const ids = await create(40);
  const answers = await Promise.all([
    cancel(ids),
    cancel(ids.toReversed()),
    ...ids.slice(0, 10).map((id) => manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 })),
  ]);
  const successes = answers.flatMap(({ status, body }) =>
    Array.isArray(body.data)
      ? body.data.filter(({ success }: Json) => success)
      : status === 200
        ? [body]
        : [],
  );
  assert.equal(successes.length, ids.length);
  const [row] = await db<{ count: number }>`
    select count(*) from events where central_id = 1 and delivery_id = any(${ids}::bigint[])
      and payload ->> 'status' = 'cancelled'`;
  assert.equal(row!.count, ids.length);
});

test('cancellation: an Idempotency-Key replays the whole answer', async () => {
  const ids = [...(await create(3)), (await deliveryIn(malote, 'accepted')).id];
  const key = { 'idempotency-key': 'cancelar-lote' };
  const first = assertOk(await cancel(ids, central, {}, key));
  assert.equal(first.body.recusados, 0);
  const again = await cancel(ids, central, {}, key);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.deepEqual(again.body, first.body);
  const { id } = await openDelivery(malote);
  assertRefused(await cancel([id], central, {}, key), 409, /Idempotency-Key/);
});
