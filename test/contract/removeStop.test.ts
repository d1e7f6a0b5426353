import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Answer, Json } from '../support/client.ts';
import { groupDeliveries, start } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { order, stop } from '../support/orders.ts';
import { balanceCents, deliveryRow, setBalance } from '../support/rows.ts';
import { eventsOfDelivery } from '../support/scheduled.ts';
import { allOf, assertOk, assertRefused, countStatuses, deliveryIn, openDelivery } from '../support/steps.ts';
import { testRouters } from '../support/testRouters.ts';

// Contract 4.23.
const routers = testRouters();
const malote = await startMalote({ routers });
const { manager, manager2, central, neighbour, operator } = malote;
beforeEach(() => routers.restore());

const remove = (id: number, stopId: number | undefined, login = manager): Promise<Answer> =>
  login.delete(`/entregas/${id}/paradas/${stopId}`);
const read = async (id: number): Promise<Json> => assertOk(await central.get(`/entregas/${id}`)).body.data;
const stopIdsOf = async (id: number): Promise<number[]> =>
  (await read(id)).paradas.map((stop: Json) => Number(stop.id));

function assertNot(answer: Answer, status: number, code: number, words: RegExp): void {
  assert.equal(answer.status, status, answer.text);
  assert.deepEqual(Object.keys(answer.body), ['success', 'errors']);
  assert.equal(answer.body.errors.length, 1);
  assert.equal(answer.body.errors[0].code, code);
  assert.match(answer.body.errors[0].message, words);
}

for (const status of [
  'awaiting_release',
  'distributing',
  'offered',
  'pending',
  'accepted',
  'on_hold',
  'in_progress',
] as const)
  test(`one that is ${status} -> the stop is gone, the others keep ids and order, and it costs what is answered`, async () => {
    const { id, stopIds } = await deliveryIn(malote, status, 4);
    const before = await read(id);
    const answer = assertOk(await remove(id, stopIds[1]));
    const { data, message } = answer.body;
    assert.deepEqual(Object.keys(answer.body).toSorted(), ['data', 'message', 'success']);
    assert.equal(data.status, 'OK');
    assert.equal(typeof message, 'string');
    assert.equal(typeof data.estimativa.estimativa_km, 'number');
    assert.ok(Number.isInteger(data.estimativa.estimativa_tempo_minutos));
    const after = await read(id);
    assert.deepEqual(
      after.paradas.map((stop: Json) => [stop.ordem, Number(stop.id)]),
      [
        [0, stopIds[0]],
        [1, stopIds[2]],
        [2, stopIds[3]],
      ],
    );
    assert.equal(after.valor_corrida, data.estimativa.estimativa_valor);
    assert.ok(Number(after.valor_corrida) < Number(before.valor_corrida));
    assert.equal(after.status_solicitacao, before.status_solicitacao);
    assert.equal(after.condutor_id, before.condutor_id);
    const { id: likeId } = await openDelivery(malote, { paradas: [stop(0), stop(2), stop(3)] });
    assert.equal((await read(likeId)).valor_corrida, after.valor_corrida);
  });

test('the system that made the stop gets an event with the new price', async () => {
  const { id, stopIds } = await openDelivery(malote, {
    paradas: [stop(0), { ...stop(1), id_externo: 'ext-9' }],
  });
  assertOk(await remove(id, stopIds[1]));
  const { valor_corrida } = await read(id);
  assert.partialDeepStrictEqual((await eventsOfDelivery(malote, id)).at(-1), {
    type: 'delivery.stop_removed',
    sequence: 2,
    payload: {
      stopId: stopIds[1],
      externalId: 'ext-9',
      orderNumber: 'P-2',
      orderedWith: id,
      netCents: Math.round(Number(valor_corrida) * 100),
    },
  });
});

test('its tracking link ends, the others go on', async () => {
  const { id } = await openDelivery(malote, {}, 2);
  const links = assertOk(await manager.get(`/entregas/${id}/links-rastreio`)).body.data;
  assertOk(await remove(id, Number(links[0].parada_id)));
  assert.equal((await fetch(links[0].link_rastreio)).status, 404);
  assert.equal((await fetch(links[1].link_rastreio)).status, 200);
});

test('payment R: the reserve follows the price', async () => {
  await setBalance(malote, 100_000);
  const { id, stopIds } = await openDelivery(malote, { forma_pagamento: 'R' }, 3);
  assertOk(await remove(id, stopIds[2]));
  const cents = Math.round(Number((await read(id)).valor_corrida) * 100);
  assert.equal((await deliveryRow(malote, id)).reserved_cents, cents);
  assert.equal(await balanceCents(malote), 100_000 - cents);
});

test('the last stop -> 409 with code 33', async () => {
  const { id, stopIds } = await openDelivery(malote);
  assertNot(await remove(id, stopIds[0]), 409, 33, /ao menos uma parada/);
  assert.deepEqual(await stopIdsOf(id), stopIds);
});

test('in progress, the last that is still to be visited -> 409 with code 33; a concluded one -> 406 with code 135', async () => {
  const { id, stopIds } = await deliveryIn(malote, 'in_progress', 2);
  assertOk(await operator.post(`/entregas/${id}/paradas/${stopIds[0]}/concluir`));
  const before = await allOf(malote, id);
  assertNot(await remove(id, stopIds[1]), 409, 33, /ao menos uma parada a visitar/);
  assertNot(await remove(id, stopIds[0]), 406, 135, /já foi concluída/);
  assert.deepEqual(await allOf(malote, id), before);
});

for (const status of ['finished', 'cancelled', 'not_attended'] as const)
  test(`one that is ${status} -> 406 with code 135`, async () => {
    const { id, stopIds } = await deliveryIn(malote, status, 2);
    assertNot(await remove(id, stopIds[0]), 406, 135, /finalizada, cancelada ou não atendida/);
    assert.deepEqual(await stopIdsOf(id), stopIds);
  });

test('a stop that is not there, or another delivery’s -> 404 with code 136', async () => {
  const { id } = await openDelivery(malote, {}, 2);
  const other = await openDelivery(malote, {}, 2);
  assertNot(await remove(id, 999_999), 404, 136, /parada não encontrada/);
  assertNot(await remove(id, other.stopIds[0]), 404, 136, /parada não encontrada/);
});

test('a delivery that is not in the scope of the login -> 404, whatever the stop', async () => {
  const { id, stopIds } = await openDelivery(malote, {}, 2);
  for (const login of [manager2, neighbour])
    assertRefused(await remove(id, stopIds[0], login), 404, /entrega não encontrada/);
  assertRefused(await remove(999_999, stopIds[0]), 404, /entrega não encontrada/);
  assertOk(await remove(id, stopIds[0], central));
});

test('the first of several reasons is answered: 136 before 135, 135 before 33', async () => {
  const { id, stopIds } = await deliveryIn(malote, 'cancelled');
  assertNot(await remove(id, 999_999), 404, 136, /parada não encontrada/);
  assertNot(await remove(id, stopIds[0]), 406, 135, /cancelada/);
});

test('a grouped delivery -> 406 with code 135 that names its grouper, where the stop can be removed', async () => {
  const grouper = await start(malote, { paradas: [stop(0)] });
  const grouped = await start(malote, { paradas: [{ ...stop(1), id_externo: 'joined' }] });
  const [stopId] = await stopIdsOf(grouped);
  assertOk(await groupDeliveries(malote, grouper, [grouped]));
  assertNot(await remove(grouped, stopId), 406, 135, new RegExp(`agrupada na entrega ${grouper}`));
  assertOk(await remove(grouper, stopId));
  assert.equal((await stopIdsOf(grouper)).length, 1);
  for (const id of [grouper, grouped])
    assert.partialDeepStrictEqual((await eventsOfDelivery(malote, id)).at(-1), {
      type: 'delivery.stop_removed',
      payload: { stopId, externalId: 'joined', orderedWith: grouped },
    });
  // The grouped delivery still exists, without stops.
  assert.deepEqual(assertOk(await manager.get(`/entregas/${grouped}/links-rastreio`)).body.data, []);
  assert.deepEqual(assertOk(await manager.get(`/entregas/${grouped}/detalhes`)).body.data.paradas, []);
  assertRefused(await manager2.get(`/entregas/${grouped}/links-rastreio`), 404, /entrega não encontrada/);
});

test('while no router plans, the stop is removed all the same', async () => {
  const { id, stopIds } = await openDelivery(malote, {}, 3);
  routers.fail();
  assertOk(await remove(id, stopIds[0]));
  assert.deepEqual(await stopIdsOf(id), stopIds.slice(1));
});

test('a stop concluded meanwhile -> 406 with code 135; a delivery cancelled meanwhile too', async () => {
  for (const [meanwhile, words] of [
    [(id: number, stopId: number) => `/entregas/${id}/paradas/${stopId}/concluir`, /já foi concluída/],
    [(id: number) => `/entregas/${id}/cancelar`, /cancelada/],
  ] as const) {
    const { id, stopIds } = await deliveryIn(malote, 'in_progress', 3);
    const held = routers.hold();
    const removal = remove(id, stopIds[0]);
    await held.asked;
    const path = meanwhile(id, stopIds[0]!);
    assertOk(await (path.endsWith('cancelar') ? manager.post(path, { motivo_id: 2 }) : operator.post(path)));
    held.release();
    assertNot(await removal, 406, 135, words);
    assert.equal((await stopIdsOf(id)).length, 3);
  }
});

test('all stops at once: all but one are removed, each once', async () => {
  const { id, stopIds } = await openDelivery(malote, {}, 5);
  const answers = await Promise.all(stopIds.map((stopId) => remove(id, stopId)));
  assert.deepEqual(countStatuses(answers), { 200: 4, 409: 1 });
  assert.equal((await stopIdsOf(id)).length, 1);
});

test('a removal and edits at once leave one of the two, whole', async () => {
  const { id, stopIds } = await openDelivery(malote, {}, 3);
  const [edited, removed] = await Promise.all([
    manager.put(`/entregas/${id}`, order({ paradas: [stop(5), stop(6)] })),
    remove(id, stopIds[0]),
  ]);
  assertOk(edited);
  assert.ok([200, 404].includes(removed.status), removed.text);
  const { paradas, valor_corrida } = await read(id);
  assert.deepEqual(
    paradas.map((stop: Json) => stop.endereco),
    ['Avenida Ipiranga, 6', 'Avenida Ipiranga, 7'],
  );
  const { id: likeId } = await openDelivery(malote, { paradas: [stop(5), stop(6)] });
  assert.equal(valor_corrida, (await read(likeId)).valor_corrida);
});

test('messages are English for who prefers it', async () => {
  const { id, stopIds } = await openDelivery(malote, {}, 2);
  const english = { 'accept-language': 'en' };
  const removed = await manager.delete(`/entregas/${id}/paradas/${stopIds[0]}`, english);
  assert.equal(removed.body.message, 'stop removed');
  const last = await manager.delete(`/entregas/${id}/paradas/${stopIds[1]}`, english);
  assert.match(last.body.errors[0].message, /at least one stop to visit/);
});

test('an Idempotency-Key replays the removal', async () => {
  const { id, stopIds } = await openDelivery(malote, {}, 3);
  const key = { 'idempotency-key': 'remove-stop' };
  const path = `/entregas/${id}/paradas/${stopIds[0]}`;
  const first = assertOk(await manager.delete(path, key));
  assert.equal(assertOk(await manager.delete(path, key)).text, first.text);
});
