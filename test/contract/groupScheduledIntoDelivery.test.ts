import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  along,
  assertNoClaims,
  assertWalletsBalanced,
  at,
  everything,
  fewestSeconds,
  figuresOf,
  groupIntoDelivery,
  groupScheduled,
  motorcycleCents,
  pickupAt,
  start,
  stopIdsOf,
  stopsOf,
} from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { scheduledOrder, stop } from '../support/orders.ts';
import { deliveryRow, stopRows } from '../support/rows.ts';
import { eventsOfDelivery, eventsOfScheduled, readScheduled, schedule } from '../support/scheduled.ts';
import { alignIds } from '../support/states.ts';
import { assertOk, assertRefused } from '../support/steps.ts';

const malote = await startMalote();
const { manager, operator } = malote;

const scheduled = (id: number) => ({ noun: 'scheduled' as const, id });
const delivery = (id: number) => ({ noun: 'delivery' as const, id });
const read = async (id: number) => assertOk(await manager.get(`/entregas/${id}`)).body.data;
const links = async (id: number) => assertOk(await manager.get(`/entregas/${id}/links-rastreio`)).body.data;

test('answers with success and a message, in the language that is asked for', async () => {
  const grouper = await start(malote);
  const answer = await groupIntoDelivery(malote, grouper, [await schedule(manager)]);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.body, { success: true, message: 'entregas agrupadas' });
  const english = await manager.post(
    `/entregas/${grouper}/agrupar/programadas`,
    { programadas_agrupadas: [await schedule(manager)] },
    { 'accept-language': 'en' },
  );
  assert.deepEqual(english.body, { success: true, message: 'deliveries grouped' });
});

test('stops of scheduled deliveries become the delivery’s, whole and under their own ids', async () => {
  const grouper = await start(malote, at(0));
  const full = {
    ...stop(4),
    complemento_parada: 'ap 12',
    referencia_parada: 'ao lado do mercado',
    observacao_parada: 'tocar duas vezes',
    id_externo: 'X-4',
    valor_cobrar: 12.5,
  };
  const other = await schedule(manager, { paradas: [full] });
  const [before] = await stopRows(malote, scheduled(other));
  assertOk(await groupIntoDelivery(malote, grouper, [other]));

  const stopId: number = before.id;
  const after = (await stopRows(malote, delivery(grouper))).find(({ id }) => id === stopId);
  assert.deepEqual(after, before);
  assert.deepEqual(await stopsOf(malote, scheduled(other)), []);
  const carried = await stopsOf(malote, delivery(grouper));
  assert.deepEqual(
    carried.map(({ position }) => position),
    [0, 1],
  );
  assert.ok(carried.some(({ id }) => id === stopId));
  const tracked = await links(grouper);
  assert.deepEqual(
    tracked.map(({ parada_id }: { parada_id: string }) => Number(parada_id)),
    carried.map(({ id }) => id),
  );
  assert.equal(new Set(tracked.map((link: { link_rastreio: string }) => link.link_rastreio)).size, 2);
  await assertNoClaims(malote);
});

test('a scheduled delivery that was grouped says so, and names the delivery', async () => {
  const grouper = await start(malote);
  const other = await schedule(manager);
  assertOk(await groupIntoDelivery(malote, grouper, [other]));
  const { situacao, id_mch, paradas } = await readScheduled(manager, other);
  assert.deepEqual([situacao, id_mch, paradas], ['agrupado', String(grouper), []]);
});

test('after grouping into a delivery neither an edit nor a removal is possible; the refusal names the delivery', async () => {
  const grouper = await start(malote);
  const id = await schedule(manager, {}, 2);
  const [stopId] = await stopIdsOf(malote, scheduled(id));
  assertOk(await groupIntoDelivery(malote, grouper, [id]));
  const words = new RegExp(`^a entrega foi agrupada na entrega ${grouper}; use a entrega ${grouper}$`);
  assertRefused(await manager.put(`/entregas/programadas/${id}`, scheduledOrder()), 406, words);
  // Its stops now belong to the delivery and are removed there.
  assert.equal((await manager.delete(`/entregas/programadas/${id}/paradas/${stopId}`)).status, 404);
});

test('requests grouped into a scheduled delivery come along', async () => {
  const [first, second] = [await schedule(manager, at(1)), await schedule(manager, at(2))];
  const stopIds = [
    ...(await stopIdsOf(malote, scheduled(first))),
    ...(await stopIdsOf(malote, scheduled(second))),
  ];
  assertOk(await groupScheduled(malote, first, [second]));
  const grouper = await start(malote, at(0));
  const own = await stopIdsOf(malote, delivery(grouper));
  assertOk(await groupIntoDelivery(malote, grouper, [first]));
  for (const id of [first, second]) {
    const { situacao, id_mch } = await readScheduled(manager, id);
    assert.deepEqual([situacao, id_mch], ['agrupado', String(grouper)]);
  }
  const carried = (await stopIdsOf(malote, delivery(grouper))).toSorted((a, b) => a - b);
  assert.deepEqual(
    carried,
    [...stopIds, ...own].toSorted((a, b) => a - b),
  );
});

describe('both kinds at once', () => {
  test('are carried in the fastest order, after what is done', async () => {
    const driverAt = { lat: -30.0444, lng: -51.2277 };
    const grouper = await start(malote, at(5, 4), { driverAt });
    const [done] = await stopIdsOf(malote, delivery(grouper));
    assertOk(await operator.post(`/entregas/${grouper}/paradas/${done}/concluir`));
    const others = [await schedule(manager, at(1, 7)), await schedule(manager, at(8))];
    const going = await start(malote, at(3));
    assertOk(await groupIntoDelivery(malote, grouper, others, [going]));

    const stops = await stopsOf(malote, delivery(grouper));
    assert.equal(stops[0]!.id, done);
    const left = stops.slice(1);
    assert.equal(left.length, 5);
    assert.equal((await along([driverAt, ...left])).seconds, await fewestSeconds(driverAt, left));
    const whole = await along([pickupAt, ...stops]);
    const cents = motorcycleCents(whole, 6);
    assert.deepEqual(await figuresOf(malote, delivery(grouper)), {
      planned_metres: whole.metres,
      planned_seconds: whole.seconds,
      gross_cents: cents,
      net_cents: cents,
    });
    assert.equal((await read(going)).status_solicitacao, 'E');
    assert.equal((await read(grouper)).valor_corrida, (cents / 100).toFixed(2));
  });

  test('get events, each in its own numbering', async () => {
    const grouper = await start(malote);
    const [waiting, going] = [await schedule(manager), await start(malote)];
    assertOk(await groupIntoDelivery(malote, grouper, [waiting], [going]));
    const stopIds = await stopIdsOf(malote, delivery(grouper));
    const last = (await eventsOfDelivery(malote, grouper)).at(-1)!;
    assert.equal(last.type, 'delivery.grouped');
    assert.partialDeepStrictEqual(last.payload, {
      groupedInto: null,
      deliveries: [going],
      scheduled: [waiting],
      stopIds,
    });
    assert.partialDeepStrictEqual((await eventsOfDelivery(malote, going)).at(-1)!.payload, {
      groupedInto: grouper,
    });
    assert.partialDeepStrictEqual((await eventsOfScheduled(malote, waiting)).at(-1), {
      type: 'scheduled.changed',
      sequence: 2,
      payload: { situation: 'grouped', change: 'grouped', deliveryId: grouper },
    });
  });

  test('may be listed more than once, also the grouper itself', async () => {
    const grouper = await start(malote);
    const [waiting, going] = [await schedule(manager), await start(malote)];
    assertOk(await groupIntoDelivery(malote, grouper, [waiting, waiting], [going, grouper, going]));
    assert.equal((await stopsOf(malote, delivery(grouper))).length, 3);
  });

  test('a scheduled delivery with the grouper’s number is not the grouper', async () => {
    const [grouper, waiting] = [await start(malote), await schedule(manager)];
    const far = Math.max(grouper, waiting) + 500;
    await alignIds(malote, far);
    const [twin, twinScheduled] = [await start(malote), await schedule(manager)];
    assert.equal(twin, twinScheduled);
    assertOk(await groupIntoDelivery(malote, twin, [twinScheduled], [twin]));
    assert.equal((await stopsOf(malote, delivery(twin))).length, 2);
  });
});

test('the company’s wallet pays the new price of the grouper, and nothing twice', async () => {
  const byWallet = { forma_pagamento: 'R' };
  const grouper = await start(malote, { ...at(0), ...byWallet });
  const going = await start(malote, { ...at(1), ...byWallet });
  const waiting = await schedule(manager, { ...at(2), ...byWallet });
  assertOk(await groupIntoDelivery(malote, grouper, [waiting], [going]));
  const { net_cents } = await figuresOf(malote, delivery(grouper));
  assert.equal((await deliveryRow(malote, grouper)).reserved_cents, net_cents);
  assert.equal((await deliveryRow(malote, going)).reserved_cents, 0);
  await assertWalletsBalanced(malote);
});

describe('refuses', () => {
  test('a scheduled delivery that is too near its dispatch, though the grouper is on its way', async () => {
    const grouper = await start(malote);
    const near = await schedule(manager, { hora: '12:01:00' });
    assertRefused(await groupIntoDelivery(malote, grouper, [near]), 422, new RegExp(` ${near}$`));
  });

  test('a delivery in the list that is not in progress, though the scheduled ones await', async () => {
    const grouper = await start(malote);
    const over = await start(malote);
    assertOk(await manager.post(`/entregas/${over}/cancelar`, { motivo_id: 1 }));
    assertRefused(
      await groupIntoDelivery(malote, grouper, [await schedule(manager)], [over]),
      406,
      new RegExp(`^a entrega ${over} não está em andamento$`),
    );
  });

  test('requests of either kind outside the caller’s scope', async () => {
    const grouper = await start(malote);
    const waiting = await schedule(manager);
    const theirs = await schedule(malote.manager2);
    const theirDelivery = await start(malote, { empresa_id: 2 }, { by: malote.central });
    const before = await everything(malote);
    assertRefused(
      await groupIntoDelivery(malote, grouper, [theirs]),
      404,
      /^entrega programada não encontrada$/,
    );
    assertRefused(
      await groupIntoDelivery(malote, grouper, [waiting], [theirDelivery]),
      404,
      /^entrega não encontrada$/,
    );
    assertRefused(await groupIntoDelivery(malote, theirDelivery, [waiting]), 404, /^entrega não encontrada$/);
    assert.deepEqual(await everything(malote), before);
  });

  test('an empty list of scheduled deliveries, whatever else is listed', async () => {
    const answer = await groupIntoDelivery(malote, await start(malote), [], [await start(malote)]);
    assert.equal(answer.status, 400);
    assert.deepEqual(answer.body.errors, [
      { code: 2, message: "'programadas_agrupadas': deve ter ao menos 1 item" },
    ]);
  });

  test('all that is wrong with a body at once', async () => {
    const answer = await manager.post('/entregas/1/agrupar/programadas', { solicitacoes_agrupadas: ['x'] });
    assert.equal(answer.status, 400);
    assert.deepEqual(answer.body.errors, [
      { code: 2, message: "'programadas_agrupadas': é obrigatório" },
      { code: 2, message: "'solicitacoes_agrupadas[0]': deve ser número inteiro" },
    ]);
  });
});
