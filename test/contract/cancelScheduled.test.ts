import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { Json } from '../support/client.ts';
import { groupDeliveries } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { stop } from '../support/orders.ts';
import { balanceCents, scheduledRow } from '../support/rows.ts';
import {
  dispatched,
  dispatchNow,
  eventsOfDelivery,
  eventsOfScheduled,
  failedDispatch,
  readScheduled,
  schedule,
} from '../support/scheduled.ts';
import { assertOk, assertRefused, deliveryIn, newDriver } from '../support/steps.ts';
import { testRouters } from '../support/testRouters.ts';

const routers = testRouters();
const malote = await startMalote({ routers });

beforeEach(() => routers.restore());
afterEach(() => malote.configure({ cancelAwaitingScheduled: false }));

const cancel = (id: number, login = malote.manager) => login.post(`/entregas/programadas/${id}/cancelar`);

const situationOf = async (id: number): Promise<string> => (await readScheduled(malote.central, id)).situacao;

const group = async (grouper: number, ...others: number[]) =>
  assertOk(
    await malote.manager.post(`/entregas/programadas/${grouper}/agrupar`, { programadas_agrupadas: others }),
  );

const statusOf = async (deliveryId: number): Promise<string> =>
  (await malote.manager.get(`/entregas/${deliveryId}/status`)).body.data.status;

const balance = () => balanceCents(malote);

test('a scheduled delivery that still awaits dispatch is refused with 406, as the contract has it', async () => {
  const id = await schedule(malote.manager);
  assertRefused(await cancel(id), 406, /ainda aguarda disparo/);
  assertRefused(await cancel(id, malote.central), 406, /ainda aguarda disparo/);
  assert.equal(await situationOf(id), 'A');
});

test('a central that allows it has awaiting ones cancelled, and they are never dispatched', async () => {
  await malote.configure({ cancelAwaitingScheduled: true });
  const id = await schedule(malote.manager);
  const answer = await cancel(id);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.body, {
    success: true,
    data: { id_mch_programada: id, mensagem: 'entrega programada cancelada' },
  });
  const shown = await readScheduled(malote.manager, id);
  assert.deepEqual([shown.situacao, shown.situacao_formatada, shown.id_mch], ['C', 'Cancelada', null]);
  assert.equal((await eventsOfScheduled(malote, id)).at(-1)?.type, 'scheduled.cancelled');
});

test('a scheduled delivery that is already cancelled is refused with 406', async () => {
  await malote.configure({ cancelAwaitingScheduled: true });
  const id = await schedule(malote.manager);
  assertOk(await cancel(id));
  assertRefused(await cancel(id), 406, /está cancelada/);
});

test('a dispatched one takes its delivery along, and what was reserved is given back', async () => {
  const before = await balance();
  const { id, deliveryId } = await dispatched(malote, { forma_pagamento: 'R' });
  assert.ok((await balance()) < before);
  assertOk(await cancel(id));
  assert.equal(await situationOf(id), 'C');
  assert.equal(await statusOf(deliveryId), 'C');
  assert.equal(await balance(), before);
  assert.equal((await eventsOfDelivery(malote, deliveryId)).at(-1)?.payload.status, 'cancelled');
  const recorded = (await eventsOfScheduled(malote, id)).at(-1);
  assert.deepEqual([recorded?.type, recorded?.payload.deliveryId], ['scheduled.cancelled', deliveryId]);
});

test('a dispatched one can be cancelled while a driver carries it', async () => {
  const { id, deliveryId } = await dispatched(malote);
  const driver = await newDriver(malote);
  assertOk(await malote.operator.post(`/entregas/${deliveryId}/aceitar`, { condutor_id: driver }));
  assertOk(await malote.operator.post(`/entregas/${deliveryId}/iniciar`));
  assertOk(await cancel(id));
  assert.equal(await statusOf(deliveryId), 'C');
});

test('a dispatched one whose delivery is over is refused with 406 and stays as it is', async () => {
  const { id, deliveryId } = await dispatched(malote);
  assertOk(await malote.manager.post(`/entregas/${deliveryId}/cancelar`, { motivo_id: 2 }));
  assertRefused(await cancel(id), 406, /finalizada, cancelada ou não atendida/);
  assert.equal(await situationOf(id), 'D');
});

test('a dispatched one whose delivery was grouped into another takes it out of there', async () => {
  const { id, deliveryId } = await dispatched(malote);
  const grouper = await deliveryIn(malote, 'in_progress');
  const driver = await newDriver(malote);
  assertOk(await malote.operator.post(`/entregas/${deliveryId}/aceitar`, { condutor_id: driver }));
  assertOk(await malote.operator.post(`/entregas/${deliveryId}/iniciar`));
  assertOk(await groupDeliveries(malote, grouper.id, [deliveryId]));
  assertOk(await cancel(id));
  assert.equal(await situationOf(id), 'C');
  const statusOf = async (deliveryId: number) =>
    assertOk(await malote.central.get(`/entregas/${deliveryId}/status`)).body.data.status;
  assert.deepEqual([await statusOf(deliveryId), await statusOf(grouper.id)], ['C', 'E']);
});

test('a scheduled delivery whose dispatch failed can be cancelled', async () => {
  const id = await failedDispatch(malote);
  assertOk(await cancel(id, malote.manager2));
  assert.equal(await situationOf(id), 'C');
});

test('a grouped one takes its stops back from its grouper, which is estimated anew', async () => {
  const grouper = await schedule(malote.manager, { paradas: [stop(0), stop(4)] });
  const alone = await readScheduled(malote.manager, grouper);
  const id = await schedule(malote.manager, { paradas: [stop(1), stop(2)] });
  const own = await readScheduled(malote.manager, id);
  await group(grouper, id);
  assert.deepEqual((await readScheduled(malote.manager, id)).paradas, []);

  assertOk(await cancel(id));
  const left = await readScheduled(malote.manager, grouper);
  assert.equal(left.situacao, 'A');
  assert.deepEqual(
    new Set(left.paradas.map((stop: Json) => stop.id)),
    new Set(alone.paradas.map((stop: Json) => stop.id)),
  );
  assert.deepEqual(
    left.paradas.map((stop: Json) => stop.ordem),
    [0, 1],
  );
  const cancelled = await readScheduled(malote.manager, id);
  assert.equal(cancelled.situacao, 'C');
  assert.deepEqual(
    new Set(cancelled.paradas.map((stop: Json) => stop.id)),
    new Set(own.paradas.map((stop: Json) => stop.id)),
  );
  const same = await schedule(malote.manager, {
    paradas: left.paradas.map(({ lat, lng }: Json) => ({ ...stop(0), lat_parada: lat, lng_parada: lng })),
  });
  assert.deepEqual((await readScheduled(malote.manager, same)).valor, left.valor);
  const recorded = (await eventsOfScheduled(malote, grouper)).at(-1);
  assert.deepEqual([recorded?.type, recorded?.payload.change], ['scheduled.changed', 'stops_left']);
});

test('a grouped one takes its stops back also while no router answers', async () => {
  const grouper = await schedule(malote.manager);
  const id = await schedule(malote.manager, { paradas: [stop(1)] });
  await group(grouper, id);
  routers.fail();
  assertOk(await cancel(id));
  assert.equal((await readScheduled(malote.manager, grouper)).paradas.length, 1);
  assert.equal((await scheduledRow(malote, grouper)).estimate_outdated, true);
});

test('a grouped one whose grouper would be left without stops is refused with 406', async () => {
  const grouper = await schedule(malote.manager);
  const [own] = (await readScheduled(malote.manager, grouper)).paradas;
  const id = await schedule(malote.manager, { paradas: [stop(1)] });
  await group(grouper, id);
  assertOk(await malote.manager.delete(`/entregas/programadas/${grouper}/paradas/${own.id}`));
  assertRefused(await cancel(id), 406, new RegExp(`programada ${grouper}, que ficaria sem paradas`));
  assert.equal(await situationOf(id), 'agrupado');
});

test('a grouped one whose grouper was dispatched is refused with 406, and shows that delivery', async () => {
  const grouper = await schedule(malote.manager);
  const id = await schedule(malote.manager, { paradas: [stop(1)] });
  await group(grouper, id);
  await dispatchNow(malote, grouper);
  const shown = await readScheduled(malote.manager, id);
  assert.equal(shown.situacao, 'agrupado');
  assert.equal(shown.id_mch, (await readScheduled(malote.manager, grouper)).id_mch);
  assert.notEqual(shown.id_mch, null);
  assertRefused(await cancel(id), 406, new RegExp(`programada ${grouper}$`));
});

test('a scheduled delivery grouped into a delivery in progress is refused with 406', async () => {
  const delivery = await deliveryIn(malote, 'in_progress');
  const id = await schedule(malote.manager, { paradas: [stop(1)] });
  assertOk(
    await malote.manager.post(`/entregas/${delivery.id}/agrupar/programadas`, {
      programadas_agrupadas: [id],
    }),
  );
  assertRefused(await cancel(id), 406, new RegExp(`entrega ${delivery.id}`));
});

test('a cancelled grouper takes along those that were grouped into it', async () => {
  await malote.configure({ cancelAwaitingScheduled: true });
  const grouper = await schedule(malote.manager);
  const id = await schedule(malote.manager, { paradas: [stop(1)] });
  await group(grouper, id);
  assertOk(await cancel(grouper));
  assert.deepEqual([await situationOf(grouper), await situationOf(id)], ['C', 'C']);
  assert.equal((await eventsOfScheduled(malote, id)).at(-1)?.type, 'scheduled.cancelled');
  assertRefused(await cancel(id), 406, /está cancelada/);
});

test('a grouper and the one grouped into it, cancelled at the same time, both end cancelled', async () => {
  await malote.configure({ cancelAwaitingScheduled: true });
  for (let round = 0; round < 5; round += 1) {
    const id = await schedule(malote.manager, { paradas: [stop(1)] });
    const grouper = await schedule(malote.manager);
    await group(grouper, id);
    const answers = await Promise.all([cancel(grouper), cancel(id)]);
    assert.ok(
      answers.every(({ status }) => status === 200 || status === 406),
      answers.map(({ text }) => text).join(),
    );
    assert.deepEqual([await situationOf(grouper), await situationOf(id)], ['C', 'C']);
    for (const scheduledId of [grouper, id]) {
      const recorded = await eventsOfScheduled(malote, scheduledId);
      assert.equal(recorded.filter(({ type }) => type === 'scheduled.cancelled').length, 1);
    }
  }
});

test('cancelled several times at once it is cancelled once', async () => {
  const { id, deliveryId } = await dispatched(malote);
  const answers = await Promise.all(Array.from({ length: 5 }, () => cancel(id)));
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 406, 406, 406, 406],
  );
  const recorded = await eventsOfDelivery(malote, deliveryId);
  assert.equal(recorded.filter(({ payload }) => payload.status === 'cancelled').length, 1);
});

test('a scheduled delivery that a login may not see gets the same 404 as a missing one', async () => {
  const { id } = await dispatched(malote);
  const none = await cancel(999_999);
  assert.equal(none.status, 404);
  for (const login of [malote.manager2, malote.neighbour])
    assert.deepEqual((await cancel(id, login)).body, none.body);
  assert.equal((await malote.manager.post('/entregas/programadas/x/cancelar')).status, 400);
});

test('the message is English for who prefers it', async () => {
  const { id } = await dispatched(malote);
  const answer = await malote.manager.post(`/entregas/programadas/${id}/cancelar`, undefined, {
    'accept-language': 'en',
  });
  assert.equal(answer.body.data.mensagem, 'scheduled delivery cancelled');
});
