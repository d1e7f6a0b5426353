import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { Client, Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { scheduledOrder } from '../support/orders.ts';
import { dispatched, eventsOfScheduled, failedDispatch, readScheduled } from '../support/scheduled.ts';
import { assertOk, assertRefused } from '../support/steps.ts';

const malote = await startMalote();
const { central, manager, manager2, neighbour, db } = malote;

beforeEach(() => malote.configure({ cancelAwaitingScheduled: true }));
afterEach(() => malote.configure({ cancelAwaitingScheduled: false }));

const create = async (count: number, login: Client = manager): Promise<number[]> => {
  const entregas = Array.from({ length: count }, () => scheduledOrder());
  const { body } = assertOk(await login.post('/entregas/programadas/lote', { entregas }));
  return body.data.map((item: Json) => Number(item.data.id_mch));
};
const cancel = (ids: unknown, login: Client = manager, headers = {}) =>
  login.post('/entregas/programadas/cancelar', { ids }, headers);
const kinds = (answer: { body: Json }): string[] =>
  answer.body.data.map((item: Json) => item.kind ?? item.data.mensagem);
const situationOf = async (id: number): Promise<string> => (await readScheduled(central, id)).situacao;
const DONE = 'entrega programada cancelada';

test('each is cancelled as alone, with its events, in the order of the request', async () => {
  const awaiting = await create(40);
  const failed = await failedDispatch(malote);
  const gone = await dispatched(malote);
  const asked = [...awaiting, failed, 999_999_999, gone.id, awaiting[0]!];
  const answer = assertOk(await cancel(asked, central));
  assert.deepEqual(kinds(answer), [
    ...awaiting.map(() => DONE),
    DONE,
    'scheduled-not-found',
    DONE,
    'scheduled-cancelled',
  ]);
  assert.deepEqual(
    answer.body.data.map(({ id, indice }: Json) => [id, indice]),
    asked.map((id, index) => [id, index]),
  );
  assert.equal(answer.body.recusados, 2);
  const [alone] = await create(1);
  assertOk(await manager.post(`/entregas/programadas/${alone}/cancelar`));
  const shown = async (id: number) =>
    (await eventsOfScheduled(malote, id)).map(({ type, payload }: Json) => [type, payload.situation]);
  assert.deepEqual(await shown(awaiting[7]!), await shown(alone!));
  for (const id of [awaiting[7]!, failed, gone.id]) assert.equal(await situationOf(id), 'C');
});

test('one that awaits dispatch is refused unless the central allows it', async () => {
  await malote.configure({ cancelAwaitingScheduled: false });
  const ids = await create(2);
  const failed = await failedDispatch(malote);
  assert.deepEqual(kinds(await cancel([...ids, failed], central)), [
    'still-awaiting-dispatch',
    'still-awaiting-dispatch',
    DONE,
  ]);
});

test('a grouped one leaves its group, and a grouper is cancelled with those that it carries', async () => {
  const [grouper, first, second] = (await create(3)) as [number, number, number];
  const group = { programadas_agrupadas: [first, second] };
  assertOk(await manager.post(`/entregas/programadas/${grouper}/agrupar`, group));
  assert.deepEqual(kinds(await cancel([first])), [DONE]);
  assert.deepEqual(await Promise.all([grouper, first, second].map(situationOf)), ['A', 'C', 'agrupado']);
  assert.deepEqual(kinds(await cancel([grouper])), [DONE]);
  assert.equal(await situationOf(second), 'C');
});

test('of another company or central is not there', async () => {
  const [own] = await create(1);
  const [other] = await create(1, manager2);
  assert.deepEqual(kinds(await cancel([own, other], neighbour)), [
    'scheduled-not-found',
    'scheduled-not-found',
  ]);
  assert.deepEqual(kinds(await cancel([own, other])), [DONE, 'scheduled-not-found']);
  assert.equal(await situationOf(other!), 'A');
});

test('parallel cancellations and groupings cancel each once, and lose nothing', async () => {
  const ids = await create(30);
  const answers = await Promise.all([
    cancel(ids),
    cancel(ids.toReversed()),
    manager.post(`/entregas/programadas/${ids[0]}/agrupar`, { programadas_agrupadas: [ids[1]] }),
    ...ids.slice(5, 15).map((id) => manager.post(`/entregas/programadas/${id}/cancelar`)),
  ]);
  for (const { status } of answers) assert.ok(status < 500, `${status}`);
  assertOk(await cancel(ids));
  const rows = await db<{ count: number; distinct: number }>`
    select count(*) as count, count(distinct scheduled_id) as distinct from events
    where central_id = 1 and scheduled_id = any(${ids}::bigint[]) and type = 'scheduled.cancelled'`;
  assert.deepEqual(rows, [{ count: ids.length, distinct: ids.length }]);
  assert.deepEqual(new Set(kinds(await cancel(ids))), new Set(['scheduled-cancelled']));
});

test('an Idempotency-Key replays the whole answer', async () => {
  const ids = [...(await create(3)), await failedDispatch(malote)];
  const key = { 'idempotency-key': 'cancelar-programadas' };
  const first = assertOk(await cancel(ids, central, key));
  assert.equal(first.body.recusados, 0);
  const again = await cancel(ids, central, key);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.deepEqual(again.body, first.body);
  const [id] = await create(1);
  assertRefused(await cancel([id], central, key), 409, /Idempotency-Key/);
});

test('a wrong list is refused with each of its problems', async () => {
  const wrong = await cancel([1, 0, 'x']);
  assert.equal(wrong.status, 400);
  assert.equal(wrong.body.errors.length, 2);
  assert.match((await cancel([])).body.errors[0].message, /'ids': deve ter ao menos 1 item/);
});
