import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { stop } from '../support/orders.ts';
import { scheduledRow } from '../support/rows.ts';
import { eventsOfScheduled, readScheduled, schedule } from '../support/scheduled.ts';
import { markMergedAutomatically, situate } from '../support/states.ts';
import { assertRefused, openDelivery } from '../support/steps.ts';
import { testRouters } from '../support/testRouters.ts';

const routers = testRouters();
const malote = await startMalote({ routers });

beforeEach(() => routers.restore());

const stopIds = async (id: number): Promise<number[]> =>
  (await readScheduled(malote.central, id)).paradas.map((stop: Json) => Number(stop.id));

const remove = (id: number, stopId: number | undefined, login = malote.manager) =>
  login.delete(`/entregas/programadas/${id}/paradas/${stopId}`);

test('answers with the estimate of the remaining stops, in the types of 4.12', async () => {
  const id = await schedule(malote.manager, {}, 3);
  const [, second] = await stopIds(id);
  const answer = await remove(id, second);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(Object.keys(answer.body).toSorted(), ['data', 'message', 'success']);
  assert.equal(answer.body.success, true);
  assert.equal(typeof answer.body.message, 'string');
  const { status, estimativa } = answer.body.data;
  assert.equal(status, 'OK');
  assert.deepEqual(Object.keys(estimativa).toSorted(), [
    'estimativa_km',
    'estimativa_tempo_minutos',
    'estimativa_valor',
  ]);
  assert.equal(typeof estimativa.estimativa_km, 'number');
  assert.ok(Number.isInteger(estimativa.estimativa_tempo_minutos));
  assert.match(estimativa.estimativa_valor, /^\d+\.\d{2}$/);
});

test('the remaining stops keep their ids and order, are numbered anew, and cost what was answered', async () => {
  const id = await schedule(malote.manager, {}, 4);
  const before = await readScheduled(malote.manager, id);
  const [first, second, third, fourth] = await stopIds(id);
  const answer = await remove(id, second);
  const after = await readScheduled(malote.manager, id);
  assert.deepEqual(
    after.paradas.map((stop: Json) => [stop.ordem, Number(stop.id)]),
    [
      [0, first],
      [1, third],
      [2, fourth],
    ],
  );
  assert.equal(after.valor.estimado, answer.body.data.estimativa.estimativa_valor);
  assert.ok(Number(after.valor.estimado) < Number(before.valor.estimado));
  const same = await schedule(malote.manager, { paradas: [stop(0), stop(2), stop(3)] });
  assert.deepEqual((await readScheduled(malote.manager, same)).valor, after.valor);
});

test('the provider of the stop gets an event', async () => {
  const id = await schedule(malote.manager, { paradas: [stop(0), { ...stop(1), id_externo: 'ext-9' }] });
  const [, second] = await stopIds(id);
  await remove(id, second);
  const recorded = await eventsOfScheduled(malote, id);
  assert.partialDeepStrictEqual(recorded.at(-1), {
    type: 'scheduled.stop_removed',
    sequence: 2,
    payload: { stopId: second, externalId: 'ext-9', orderNumber: 'P-2', orderedWith: id },
  });
});

test('while no router answers the stop is removed all the same, and the estimate is null', async () => {
  const id = await schedule(malote.manager, {}, 3);
  const before = await readScheduled(malote.manager, id);
  const [first, second, third] = await stopIds(id);
  routers.fail();
  const answer = await remove(id, first);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.body.data, { status: 'OK', estimativa: null });
  assert.deepEqual(await stopIds(id), [second, third]);
  assert.deepEqual((await readScheduled(malote.manager, id)).valor, before.valor);
  const isOutdated = async () => (await scheduledRow(malote, id)).estimate_outdated;
  assert.equal(await isOutdated(), true);

  routers.restore();
  const next = await remove(id, second);
  assert.notEqual(next.body.data.estimativa, null);
  assert.equal(await isOutdated(), false);
});

test('the last stop stays: 409', async () => {
  const id = await schedule(malote.manager);
  const [only] = await stopIds(id);
  const answer = await remove(id, only);
  assert.equal(answer.status, 409, answer.text);
  assert.equal(answer.body.errors[0].code, 0);
  assert.deepEqual(await stopIds(id), [only]);
});

test('a stop that is not there, or of another scheduled delivery, is 404', async () => {
  const id = await schedule(malote.manager, {}, 2);
  const [other] = await stopIds(await schedule(malote.manager, {}, 2));
  for (const stopId of [999_999, other]) {
    const answer = await remove(id, stopId);
    assert.equal(answer.status, 404);
    assert.equal(answer.body.errors[0].message, 'parada não encontrada');
  }
});

test('a scheduled delivery that may not be seen is the same 404 as none', async () => {
  const id = await schedule(malote.manager, {}, 2);
  const [first] = await stopIds(id);
  const none = await remove(999_999, first);
  assert.equal(none.status, 404);
  for (const login of [malote.manager2, malote.neighbour])
    assert.deepEqual((await remove(id, first, login)).body, none.body);
});

test('a central user may remove a stop of any company', async () => {
  const id = await schedule(malote.manager2, {}, 2);
  const [first] = await stopIds(id);
  const answer = await remove(id, first, malote.central);
  assert.equal(answer.status, 200, answer.text);
});

for (const [situation, words] of [
  ['cancelled', /está cancelada/],
  ['dispatched', /já foi disparada/],
  ['failed', /falhou/],
] as const)
  test(`of one that is ${situation} no stop can be removed: 406`, async () => {
    const id = await schedule(malote.manager, {}, 2);
    const [first] = await stopIds(id);
    await openDelivery(malote);
    await situate(malote, id, situation);
    assertRefused(await remove(id, first), 406, words);
  });

test('a grouped one says so of its own stops, which its grouper carries and can lose', async () => {
  const grouper = await schedule(malote.manager, {}, 1);
  const id = await schedule(malote.manager, { paradas: [stop(1), stop(2)] });
  const [first] = await stopIds(id);
  const grouping = await malote.manager.post(`/entregas/programadas/${grouper}/agrupar`, {
    programadas_agrupadas: [id],
  });
  assert.equal(grouping.status, 200, grouping.text);
  assert.equal((await remove(id, first)).status, 406);
  const answer = await remove(grouper, first);
  assert.equal(answer.status, 200, answer.text);
  assert.equal((await stopIds(grouper)).length, 2);
  const removed = (await eventsOfScheduled(malote, grouper)).at(-1);
  assert.equal(removed?.payload.orderedWith, id);
});

test('a scheduled delivery that was merged automatically cannot be changed: 400', async () => {
  const id = await schedule(malote.manager, {}, 2);
  const [first] = await stopIds(id);
  await markMergedAutomatically(malote, id);
  assertRefused(await remove(id, first), 400, /já foi agrupada automaticamente e não pode ser alterada$/);
});

test('ids that are no positive integers are 400 and code 2, each named', async () => {
  const answer = await malote.manager.delete('/entregas/programadas/x/paradas/0');
  assert.equal(answer.status, 400);
  assert.deepEqual(
    answer.body.errors.map((problem: Json) => [problem.code, /^'(\w+)'/.exec(problem.message)?.[1]]),
    [
      [2, 'id'],
      [2, 'parada_id'],
    ],
  );
});

test('however many stops are removed at once, one stays, and the price is that of the remaining stop', async () => {
  const id = await schedule(malote.manager, {}, 6);
  const all = await stopIds(id);
  const answers = await Promise.all(all.map((stopId) => remove(id, stopId)));
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 409]);
  const { paradas, valor } = await readScheduled(malote.manager, id);
  assert.equal(paradas.length, 1);
  const kept = all.indexOf(Number(paradas[0].id));
  const same = await schedule(malote.manager, { paradas: [stop(kept)] });
  assert.deepEqual((await readScheduled(malote.manager, same)).valor, valor);
});

test('a stop that is removed while a removal is being planned is not forgotten in the estimate', async () => {
  const id = await schedule(malote.manager, {}, 3);
  const [first, second] = await stopIds(id);
  const { asked, release } = routers.hold();
  const slow = remove(id, first);
  await asked;
  routers.restore();
  const quick = await remove(id, second);
  assert.equal(quick.status, 200);
  release();
  const answer = await slow;
  assert.equal(answer.status, 200, answer.text);
  const { valor } = await readScheduled(malote.manager, id);
  const same = await schedule(malote.manager, { paradas: [stop(2)] });
  assert.deepEqual((await readScheduled(malote.manager, same)).valor, valor);
  assert.equal(answer.body.data.estimativa.estimativa_valor, valor.estimado);
});

test('repeated with the same Idempotency-Key it gives the same answer and removes once', async () => {
  const id = await schedule(malote.manager, {}, 3);
  const [first] = await stopIds(id);
  const path = `/entregas/programadas/${id}/paradas/${first}`;
  const headers = { 'idempotency-key': `remove-${first}` };
  const answer = await malote.manager.delete(path, headers);
  const again = await malote.manager.delete(path, headers);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(again.body, answer.body);
});
