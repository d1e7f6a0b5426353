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
  groupDeliveries,
  motorcycleCents,
  pickupAt,
  start,
  stopIdsOf,
  stopsOf,
} from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { balanceCents, deliveryRow, setBalance } from '../support/rows.ts';
import { eventsOfDelivery } from '../support/scheduled.ts';
import { assertOk, assertRefused, newDriver } from '../support/steps.ts';

const malote = await startMalote();
const { manager, operator } = malote;

const delivery = (id: number) => ({ noun: 'delivery' as const, id });
const conclude = async (id: number, stopId: number) =>
  assertOk(await operator.post(`/entregas/${id}/paradas/${stopId}/concluir`));
const statusOf = async (id: number) => assertOk(await manager.get(`/entregas/${id}/status`)).body.data.status;
const read = async (id: number) => assertOk(await manager.get(`/entregas/${id}`)).body.data;
const links = async (id: number) => assertOk(await manager.get(`/entregas/${id}/links-rastreio`)).body.data;
const balance = (companyId: number) => balanceCents(malote, companyId);

test('answers with success and a message, in the language that is asked for', async () => {
  const [first, second] = [await start(malote), await start(malote)];
  const answer = await groupDeliveries(malote, first, [second]);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.body, { success: true, message: 'entregas agrupadas' });
  const english = await manager.post(
    `/entregas/${first}/agrupar`,
    { solicitacoes_agrupadas: [await start(malote)] },
    { 'accept-language': 'en' },
  );
  assert.deepEqual(english.body, { success: true, message: 'deliveries grouped' });
});

describe('the stops', () => {
  test('are all carried by the grouper, under their own ids and without a gap', async () => {
    const grouper = await start(malote, at(0, 1));
    const others = [await start(malote, at(2)), await start(malote, at(3, 4, 5))];
    const ids = await Promise.all([grouper, ...others].map((id) => stopIdsOf(malote, delivery(id))));
    assertOk(await groupDeliveries(malote, grouper, others));

    const carried = await stopsOf(malote, delivery(grouper));
    assert.deepEqual(
      carried.map(({ id }) => id).toSorted((a, b) => a - b),
      ids.flat(),
    );
    assert.deepEqual(
      carried.map(({ position }) => position),
      [0, 1, 2, 3, 4, 5],
    );
    for (const id of others) assert.deepEqual(await stopsOf(malote, delivery(id)), []);
    assert.deepEqual(
      (await read(grouper)).paradas.map(({ id, ordem }: { id: string; ordem: number }) => [
        Number(id),
        ordem,
      ]),
      carried.map(({ id, position }) => [id, position]),
    );
    await assertNoClaims(malote);
  });

  test('stand in the order that takes the fewest seconds from where the driver is', async () => {
    const driverAt = { lat: -30.0705, lng: -51.2125 };
    const grouper = await start(malote, at(4, 1, 6), { driverAt });
    assertOk(
      await groupDeliveries(malote, grouper, [await start(malote, at(5, 0)), await start(malote, at(8))]),
    );
    const stops = await stopsOf(malote, delivery(grouper));
    assert.equal((await along([driverAt, ...stops])).seconds, await fewestSeconds(driverAt, stops));
    assert.equal(stops[0]?.lat, -30.0711, 'the one next to the driver comes first');
  });

  test('are ordered with the way back in mind when the grouper returns', async () => {
    const grouper = await start(malote, { ...at(4, 7), com_retorno: true });
    assertOk(await groupDeliveries(malote, grouper, [await start(malote, at(5, 0, 3))]));
    const stops = await stopsOf(malote, delivery(grouper));
    const taken = (await along([pickupAt, ...stops, pickupAt])).seconds;
    assert.equal(taken, await fewestSeconds(pickupAt, stops, [pickupAt]));
    const { planned_seconds } = await figuresOf(malote, delivery(grouper));
    assert.equal(planned_seconds, taken);
  });

  test('that are done stay at the front in their order, and the rest goes on from the driver', async () => {
    const driverAt = { lat: -30.0158, lng: -51.2122 };
    const grouper = await start(malote, at(5, 4, 1), { driverAt });
    const other = await start(malote, at(3, 6, 0));
    const [done, doneToo] = await stopIdsOf(malote, delivery(grouper));
    const [otherDone] = await stopIdsOf(malote, delivery(other));
    await conclude(grouper, done!);
    await conclude(other, otherDone!);
    await conclude(grouper, doneToo!);
    assertOk(await groupDeliveries(malote, grouper, [other]));

    const stops = await stopsOf(malote, delivery(grouper));
    assert.deepEqual(
      stops.slice(0, 3).map(({ id }) => id),
      [done, doneToo, otherDone],
    );
    const left = stops.slice(3);
    assert.equal((await along([driverAt, ...left])).seconds, await fewestSeconds(driverAt, left));
  });

  test('go on from the last one done when nobody knows where the driver is', async () => {
    const grouper = await start(malote, at(5, 4, 1));
    const [done] = await stopIdsOf(malote, delivery(grouper));
    await conclude(grouper, done!);
    assertOk(await groupDeliveries(malote, grouper, [await start(malote, at(0, 8))]));
    const [first, ...left] = await stopsOf(malote, delivery(grouper));
    assert.equal(first!.id, done);
    assert.equal((await along([first!, ...left])).seconds, await fewestSeconds(first!, left));
  });

  test('may be 10 in all, those done included', async () => {
    const grouper = await start(malote, at(0, 1, 2, 3, 4));
    const [done] = await stopIdsOf(malote, delivery(grouper));
    await conclude(grouper, done!);
    const other = await start(malote, at(5, 6, 7, 8, 9));
    const oneMore = await start(malote, at(0));
    assertRefused(
      await groupDeliveries(malote, grouper, [other, oneMore]),
      400,
      /no máximo 10 paradas e teria 11$/,
    );
    assertOk(await groupDeliveries(malote, grouper, [other]));
    assert.equal((await stopsOf(malote, delivery(grouper))).length, 10);
  });

  test('keep their tracking links, listed under the grouper and under the delivery they were ordered with', async () => {
    const [grouper, other] = [await start(malote, at(0, 1)), await start(malote, at(2, 3))];
    const before = [await links(grouper), await links(other)];
    assertOk(await groupDeliveries(malote, grouper, [other]));
    const byId = (a: { parada_id: string }, b: { parada_id: string }) =>
      Number(a.parada_id) - Number(b.parada_id);
    assert.deepEqual((await links(grouper)).toSorted(byId), before.flat().toSorted(byId));
    assert.deepEqual((await links(other)).toSorted(byId), before[1].toSorted(byId));
  });
});

describe('the price', () => {
  test('is that of the whole way from the pickup, wherever the driver is', async () => {
    const grouper = await start(malote, at(5, 4), { driverAt: { lat: -30.25, lng: -51.05 } });
    const [done] = await stopIdsOf(malote, delivery(grouper));
    await conclude(grouper, done!);
    assertOk(await groupDeliveries(malote, grouper, [await start(malote, at(1, 0))]));

    const whole = await along([pickupAt, ...(await stopsOf(malote, delivery(grouper)))]);
    const cents = motorcycleCents(whole, 4);
    assert.deepEqual(await figuresOf(malote, delivery(grouper)), {
      planned_metres: whole.metres,
      planned_seconds: whole.seconds,
      gross_cents: cents,
      net_cents: cents,
    });
    assert.equal((await read(grouper)).valor_corrida, (cents / 100).toFixed(2));
  });

  test('follows the category, the coupon and the return of the grouper', async () => {
    const grouper = await start(malote, { ...at(0), categoria_nome: 'Carro', codigo_cupom: 'DEMO10' });
    const other = await start(malote, { ...at(1), categoria_nome: 'Bike', com_retorno: true });
    assertOk(await groupDeliveries(malote, grouper, [other]));
    const after = await read(grouper);
    assert.equal(after.categoria, 'Carro');
    assert.equal(after.com_retorno, false);
    assert.equal(after.desconto, '10.00');
    const { gross_cents, net_cents } = await figuresOf(malote, delivery(grouper));
    assert.equal(net_cents, Math.round(gross_cents * 0.9));
  });
});

describe('a grouped delivery', () => {
  test('shows its grouper’s status from then on, and its receipt is the grouper’s', async () => {
    const [grouper, other] = [await start(malote, at(0)), await start(malote, at(1))];
    assertOk(await groupDeliveries(malote, grouper, [other]));
    assert.equal(await statusOf(other), 'E');
    assertRefused(await operator.post(`/entregas/${other}/finalizar`), 406, new RegExp(`entrega ${grouper}`));
    for (const { id } of await stopsOf(malote, delivery(grouper))) await conclude(grouper, id);
    assertOk(await operator.post(`/entregas/${grouper}/finalizar`));
    assert.deepEqual([await statusOf(grouper), await statusOf(other)], ['F', 'F']);
    assertOk(await manager.get(`/entregas/${grouper}/recibo`));
    assertRefused(await manager.get(`/entregas/${other}/recibo`), 406, new RegExp(`entrega ${grouper}$`));
  });

  test('is cancelled with its grouper', async () => {
    const [grouper, other] = [await start(malote), await start(malote)];
    assertOk(await groupDeliveries(malote, grouper, [other]));
    assertOk(await manager.post(`/entregas/${grouper}/cancelar`, { motivo_id: 1 }));
    assert.deepEqual([await statusOf(grouper), await statusOf(other)], ['C', 'C']);
  });

  test('is in nobody’s hands but the grouper’s driver’s', async () => {
    const [grouper, other] = [await start(malote), await start(malote)];
    assertOk(await groupDeliveries(malote, grouper, [other]));
    assert.equal((await read(other)).condutor_id, (await read(grouper)).condutor_id);
  });

  test('neither groups nor is grouped again', async () => {
    const [grouper, other, third] = [await start(malote), await start(malote), await start(malote)];
    assertOk(await groupDeliveries(malote, grouper, [other]));
    const before = await everything(malote);
    const words = new RegExp(`^a entrega ${other} não está em andamento$`);
    assertRefused(await groupDeliveries(malote, grouper, [other]), 406, words);
    assertRefused(await groupDeliveries(malote, third, [other]), 406, words);
    assertRefused(await groupDeliveries(malote, other, [third]), 406, words);
    assert.deepEqual(await everything(malote), before);
  });

  test('comes along when its grouper is grouped into another', async () => {
    const [first, second, third] = [await start(malote), await start(malote), await start(malote, at(1, 2))];
    assertOk(await groupDeliveries(malote, second, [third]));
    assertOk(await groupDeliveries(malote, first, [second]));
    for (const id of [second, third]) assert.equal((await deliveryRow(malote, id)).grouped_into, first);
    for (const { id } of await stopsOf(malote, delivery(first))) await conclude(first, id);
    assertOk(await operator.post(`/entregas/${first}/finalizar`));
    assert.deepEqual([await statusOf(second), await statusOf(third)], ['F', 'F']);
    assert.equal((await links(third)).length, 2);
  });
});

test('the driver of a grouped delivery goes on to the next one that waited', async () => {
  const [grouper, other] = [await start(malote), await start(malote)];
  const driverId = Number((await read(other)).condutor_id);
  const next = Number(assertOk(await manager.post('/entregas', order())).body.data.id_mch);
  assertOk(await operator.post(`/entregas/${next}/aceitar`, { condutor_id: driverId }));
  assert.equal(await statusOf(next), 'S');
  assertOk(await groupDeliveries(malote, grouper, [other]));
  assert.equal(await statusOf(next), 'A');
});

describe('the wallet', () => {
  const byWallet = { forma_pagamento: 'R' };

  test('holds the price of the grouper, and nothing for the grouped', async () => {
    const free = await balance(1);
    const grouper = await start(malote, { ...at(0), ...byWallet });
    const other = await start(malote, { ...at(4), ...byWallet });
    assertOk(await groupDeliveries(malote, grouper, [other]));
    const { net_cents } = await figuresOf(malote, delivery(grouper));
    assert.equal((await deliveryRow(malote, grouper)).reserved_cents, net_cents);
    assert.equal((await deliveryRow(malote, other)).reserved_cents, 0);
    assert.equal(await balance(1), free - net_cents);
    await assertWalletsBalanced(malote);

    for (const { id } of await stopsOf(malote, delivery(grouper))) await conclude(grouper, id);
    assertOk(await operator.post(`/entregas/${grouper}/finalizar`));
    assert.equal(await balance(1), free - net_cents, 'paid once');
    await assertWalletsBalanced(malote);
  });

  test('is left alone when the grouper is paid otherwise', async () => {
    const free = await balance(1);
    const grouper = await start(malote, at(0));
    const other = await start(malote, { ...at(4), ...byWallet });
    assertOk(await groupDeliveries(malote, grouper, [other]));
    assert.equal(await balance(1), free);
    await assertWalletsBalanced(malote);
  });

  test('that does not cover the new price refuses the grouping, and nothing is written', async () => {
    const grouper = await start(malote, { ...at(0), empresa_id: 2, ...byWallet }, { by: malote.central });
    const far = await start(malote, { ...at(4, 5, 6), empresa_id: 2 }, { by: malote.central });
    await setBalance(malote, 0, 2);
    const before = await everything(malote);
    assertRefused(await groupDeliveries(malote, grouper, [far]), 404, /não encontrada/);
    const answer = await malote.manager2.post(`/entregas/${grouper}/agrupar`, {
      solicitacoes_agrupadas: [far],
    });
    assertRefused(answer, 422, /saldo insuficiente/);
    assert.deepEqual(await everything(malote), before);
  });
});

test('each delivery gets an event of the grouping, in its own numbering', async () => {
  const [grouper, other] = [await start(malote, at(0)), await start(malote, at(1))];
  assertOk(await groupDeliveries(malote, grouper, [other]));
  const [last, lastOfOther] = [
    (await eventsOfDelivery(malote, grouper)).at(-1)!,
    (await eventsOfDelivery(malote, other)).at(-1)!,
  ];
  assert.equal(last.type, 'delivery.grouped');
  assert.partialDeepStrictEqual(last.payload, {
    groupedInto: null,
    deliveries: [other],
    scheduled: [],
    stopIds: await stopIdsOf(malote, delivery(grouper)),
  });
  assert.equal(lastOfOther.type, 'delivery.grouped');
  assert.partialDeepStrictEqual(lastOfOther.payload, { groupedInto: grouper });
  for (const id of [grouper, other]) {
    const recorded = await eventsOfDelivery(malote, id);
    assert.deepEqual(
      recorded.map(({ sequence }) => sequence),
      recorded.map((_, index) => index + 1),
    );
  }
});

describe('what is listed', () => {
  test('counts once, and the grouper’s own id not at all', async () => {
    const [grouper, other] = [await start(malote, at(0)), await start(malote, at(1))];
    assertOk(await groupDeliveries(malote, grouper, [other, grouper, other]));
    assert.equal((await stopsOf(malote, delivery(grouper))).length, 2);
  });

  test('must be in progress: not opened, not accepted, not over', async () => {
    const grouper = await start(malote);
    const opened = Number(assertOk(await manager.post('/entregas', order())).body.data.id_mch);
    assertRefused(await groupDeliveries(malote, grouper, [opened]), 406, new RegExp(` ${opened} `));
    assertRefused(await groupDeliveries(malote, opened, [grouper]), 406, new RegExp(` ${opened} `));
    assertOk(await operator.post(`/entregas/${opened}/aceitar`, { condutor_id: await newDriver(malote) }));
    assertRefused(await groupDeliveries(malote, grouper, [opened]), 406, new RegExp(` ${opened} `));
    const over = await start(malote);
    assertOk(await manager.post(`/entregas/${over}/cancelar`, { motivo_id: 1 }));
    assertRefused(await groupDeliveries(malote, grouper, [over]), 406, new RegExp(` ${over} `));
  });

  test('must be in the caller’s scope: another company’s, another central’s and a missing one get the same answer', async () => {
    const mine = await start(malote);
    const theirs = await start(malote, { empresa_id: 2 }, { by: malote.central });
    const before = await everything(malote);
    const answers = [
      await groupDeliveries(malote, mine, [theirs]),
      await groupDeliveries(malote, theirs, [mine]),
      await groupDeliveries(malote, mine, [9_999_999]),
      await groupDeliveries(malote, mine, [Number.MAX_SAFE_INTEGER]),
      await malote.neighbour.post(`/entregas/${mine}/agrupar`, { solicitacoes_agrupadas: [theirs] }),
    ];
    for (const answer of answers) {
      assert.equal(answer.status, 404);
      assert.deepEqual(answer.body, {
        success: false,
        errors: [{ code: 0, message: 'entrega não encontrada' }],
      });
    }
    assert.deepEqual(await everything(malote), before);
  });

  const notIds: [string, unknown, RegExp][] = [
    ['text', 'abc', /^'solicitacoes_agrupadas': deve ser lista$/],
    ['null', null, /^'solicitacoes_agrupadas': deve ser lista$/],
    ['an id as text', ['1'], /^'solicitacoes_agrupadas\[0\]': deve ser número inteiro$/],
    ['a fraction', [1, 2.5], /^'solicitacoes_agrupadas\[1\]': deve ser número inteiro$/],
    ['zero', [0], /^'solicitacoes_agrupadas\[0\]': deve ser no mínimo 1$/],
    ['a number that no id can be', [2 ** 60], /^'solicitacoes_agrupadas\[0\]': deve ser no máximo/],
  ];
  for (const [name, list, words] of notIds)
    test(`must be ids: ${name} is refused`, async () => {
      const answer = await manager.post(`/entregas/1/agrupar`, { solicitacoes_agrupadas: list });
      assert.equal(answer.status, 400, answer.text);
      assert.equal(answer.body.errors.length, 1);
      assert.equal(answer.body.errors[0].code, 2);
      assert.match(answer.body.errors[0].message, words);
    });
});
