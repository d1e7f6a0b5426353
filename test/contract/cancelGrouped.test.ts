import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, groupDeliveries, start as startOn } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { dispatched } from '../support/scheduled.ts';
import { assertOk, assertRefused, newDriver } from '../support/steps.ts';

// Contract 3.1 and 4.8: everything but F, C and N can be cancelled, including a request that was grouped into another.
// Its stops that are not concluded leave the grouper, which is planned and priced again.
const malote = await startMalote();
const { manager, operator } = malote;

const start = (changes: Record<string, unknown> = {}) => startOn(malote, changes);
const group = async (id: number, others: number[]) => assertOk(await groupDeliveries(malote, id, others));
const read = async (id: number) => assertOk(await manager.get(`/entregas/${id}`)).body.data;
const statusOf = async (id: number) => assertOk(await manager.get(`/entregas/${id}/status`)).body.data.status;
const history = async (id: number) =>
  assertOk(await operator.get(`/entregas/${id}/historico`)).body.data.eventos;
const links = async (id: number) => assertOk(await manager.get(`/entregas/${id}/links-rastreio`)).body.data;
const cancel = (id: number, who = manager) => who.post(`/entregas/${id}/cancelar`, { motivo_id: 2 });
const conclude = async (id: number, stopId: string) =>
  assertOk(await operator.post(`/entregas/${id}/paradas/${stopId}/concluir`)).body.data;
const idsOf = (delivery: { paradas: { id: string }[] }) => delivery.paradas.map((stop) => stop.id);
const cents = (decimal: number | string) => Math.round(Number(decimal) * 100);
const balance = async () =>
  cents(
    assertOk(
      await manager.get(
        '/entregas/empresas/creditos/saldo?tipo_identificacao=I&identificacao=padaria-moinhos',
      ),
    ).body.data.saldo,
  );
const pageOf = async (link: string) => {
  const { pathname } = new URL(link);
  return (await fetch(`${malote.url}${pathname}`)).text();
};

test('a grouped delivery can be cancelled: C, its stops leave, and the grouper is priced without them', async () => {
  const [grouper, grouped] = [await start(at(1, 0)), await start(at(4))];
  const [alone, own] = [await read(grouper), await read(grouped)];
  await group(grouper, [grouped]);
  assert.equal((await read(grouper)).paradas.length, 3);
  assert.notEqual((await read(grouper)).valor_corrida, alone.valor_corrida);

  const answer = assertOk(await cancel(grouped));
  assert.deepEqual(answer.body, { success: true, message: 'entrega cancelada' });
  assert.equal(await statusOf(grouped), 'C');
  assert.equal(await statusOf(grouper), 'E');
  const after = await read(grouper);
  assert.deepEqual(idsOf(after), idsOf(alone));
  assert.deepEqual(
    after.paradas.map((stop: { ordem: number }) => stop.ordem),
    [0, 1],
  );
  assert.equal(after.valor_corrida, alone.valor_corrida);
  const cancelled = await read(grouped);
  assert.deepEqual(idsOf(cancelled), idsOf(own));
  assert.notEqual(cancelled.data_hora_cancelamento, null);
});

test('the grouper’s reserve follows its price; nothing is lost or charged', async () => {
  const before = await balance();
  const grouper = await start({ ...at(1, 0), forma_pagamento: 'R' });
  const held = before - (await balance());
  const grouped = await start({ ...at(4), forma_pagamento: 'R' });
  await group(grouper, [grouped]);
  assert.ok(before - (await balance()) > held);
  assertOk(await cancel(grouped));
  assert.equal(before - (await balance()), held);
  assertOk(await cancel(grouper));
  assert.equal(await balance(), before);
});

test('the events tell of both: entrega.status of the cancelled one, entrega.agrupada of the changed one', async () => {
  const [grouper, grouped] = [await start(at(0)), await start(at(1))];
  await group(grouper, [grouped]);
  assertOk(await cancel(grouped));
  const [ofGrouped, ofGrouper] = [(await history(grouped)).at(-1), (await history(grouper)).at(-1)];
  assert.equal(ofGrouped.type, 'entrega.status');
  assert.partialDeepStrictEqual(ofGrouped.data, {
    status: 'C',
    status_anterior: 'E',
    motivo_id: 2,
    agrupada_em: null,
  });
  assert.equal(ofGrouper.type, 'entrega.agrupada');
  assert.partialDeepStrictEqual(ofGrouper.data, {
    status: 'E',
    entregas_agrupadas: [],
    programadas_agrupadas: [],
    entregas_retiradas: [String(grouped)],
  });
  assert.deepEqual(
    ofGrouper.data.paradas.map((stop: { id: string }) => stop.id),
    idsOf(await read(grouper)),
  );
});

test('its recipients read that it was cancelled; those of the grouper read on', async () => {
  const [grouper, grouped] = [await start(at(0)), await start(at(1))];
  const [staying] = await links(grouper);
  await group(grouper, [grouped]);
  assertOk(await cancel(grouped));
  const [left] = await links(grouped);
  assert.match(await pageOf(left.link_rastreio), /cancelada/i);
  assert.doesNotMatch(await pageOf(staying.link_rastreio), /cancelada/i);
  assert.equal((await links(grouper)).length, 1);
});

test('stops that are concluded stay with the grouper and are paid for there', async () => {
  const before = await balance();
  const grouper = await start({ ...at(0), forma_pagamento: 'R' });
  const grouped = await start({ ...at(4, 5), forma_pagamento: 'R' });
  const stops = idsOf(await read(grouped));
  await group(grouper, [grouped]);
  await conclude(grouper, stops[0]!);
  assertOk(await cancel(grouped));
  const after = await read(grouper);
  assert.equal(idsOf(after)[0], stops[0], 'what is done stays in front');
  assert.equal(after.paradas.length, 2);
  assert.deepEqual(idsOf(await read(grouped)), [stops[1]]);
  assert.equal((await read(grouped)).taxas_cancelamento, null);
  assert.equal(before - (await balance()), cents(after.valor_corrida));

  const [done] = (await links(grouped)).filter((link: { parada_id: string }) => link.parada_id === stops[0]);
  assert.doesNotMatch(await pageOf(done.link_rastreio), /cancelada/i);
  await conclude(grouper, idsOf(after)[1]!);
  assert.equal(await statusOf(grouper), 'F');
  assert.equal(await statusOf(grouped), 'C');
  assert.equal(before - (await balance()), cents(after.valor_corrida));
});

test('all its stops concluded, it can still be cancelled, and the grouper stays as it is', async () => {
  const [grouper, grouped] = [await start(at(0, 1)), await start(at(4))];
  const [stop] = idsOf(await read(grouped));
  await group(grouper, [grouped]);
  await conclude(grouper, stop!);
  const before = await read(grouper);
  assertOk(await cancel(grouped));
  assert.equal(await statusOf(grouped), 'C');
  assert.deepEqual(await read(grouper), before);
});

test('a grouper whose own stops are all done is finished with it, unless it returns', async () => {
  for (const [returning, expected] of [
    [false, 'F'],
    [true, 'E'],
  ] as const) {
    const grouper = await start({ ...at(0), com_retorno: returning });
    const grouped = await start(at(1));
    const [own] = idsOf(await read(grouper));
    await group(grouper, [grouped]);
    await conclude(grouper, own!);
    assertOk(await cancel(grouped));
    assert.equal(await statusOf(grouped), 'C');
    assert.equal(await statusOf(grouper), expected);
  }
});

test('others that were grouped stay, also one that came along with it', async () => {
  const [grouper, middle, first] = [await start(at(0)), await start(at(1)), await start(at(4))];
  await group(middle, [first]);
  await group(grouper, [middle]);
  assertOk(await cancel(middle));
  assert.deepEqual(await Promise.all([grouper, middle, first].map(statusOf)), ['E', 'C', 'E']);
  assert.equal((await read(grouper)).paradas.length, 2);
  assertOk(await cancel(grouper));
  assert.deepEqual(await Promise.all([grouper, middle, first].map(statusOf)), ['C', 'C', 'C']);
  assert.equal(
    (await history(middle)).filter((event: { type: string }) => event.type === 'entrega.status').at(-1).data
      .motivo_id,
    2,
  );
});

test('once cancelled it is over: a second time is 406, and so is one that ended with its grouper', async () => {
  const [grouper, grouped, other] = [await start(at(0)), await start(at(1)), await start(at(4))];
  await group(grouper, [grouped, other]);
  assertOk(await cancel(grouped));
  assertRefused(await cancel(grouped), 406, /já foi finalizada, cancelada ou não atendida/);
  for (const stop of idsOf(await read(grouper))) await conclude(grouper, stop);
  assert.equal(await statusOf(other), 'F');
  assertRefused(await cancel(other), 406, /já foi finalizada, cancelada ou não atendida/);
  assert.equal(await statusOf(grouped), 'C');
});

test("another company's manager does not find it, and an unknown reason leaves it grouped", async () => {
  const [grouper, grouped] = [await start(at(0)), await start(at(1))];
  await group(grouper, [grouped]);
  assertRefused(await cancel(grouped, malote.manager2), 404, /não encontrada/);
  assertRefused(
    await manager.post(`/entregas/${grouped}/cancelar`, { motivo_id: 999 }),
    404,
    /motivo de cancelamento não encontrado/,
  );
  assert.equal(await statusOf(grouped), 'E');
  assert.equal((await read(grouper)).paradas.length, 2);
});

test("the central's cancellation fee is asked for it as for any other that a driver had accepted", async () => {
  const [grouper, grouped] = [await start(at(0)), await start({ ...at(1), forma_pagamento: 'R' })];
  await group(grouper, [grouped]);
  await malote.configure({ cancellationFeeCents: 250 });
  const before = await balance();
  assertOk(await cancel(grouped));
  await malote.configure({ cancellationFeeCents: 0 });
  assert.equal((await read(grouped)).taxas_cancelamento, '2.50');
  assert.equal(before - (await balance()), 250);
});

test('a scheduled delivery whose delivery was grouped can be cancelled with it (4.15)', async () => {
  const grouper = await start(at(0));
  const { id: scheduled, deliveryId } = await dispatched(malote, at(1));
  assertOk(await operator.post(`/entregas/${deliveryId}/aceitar`, { condutor_id: await newDriver(malote) }));
  assertOk(await operator.post(`/entregas/${deliveryId}/iniciar`));
  await group(grouper, [deliveryId]);
  assertOk(await manager.post(`/entregas/programadas/${scheduled}/cancelar`));
  assert.equal(await statusOf(deliveryId), 'C');
  assert.equal((await read(grouper)).paradas.length, 1);
});

test('a grouper whose own stops had all been removed has nothing to go on with, and is cancelled with it', async () => {
  const [grouper, grouped] = [await start(at(0)), await start(at(1))];
  const [own] = idsOf(await read(grouper));
  await group(grouper, [grouped]);
  assertOk(await manager.delete(`/entregas/${grouper}/paradas/${own}`));
  assertOk(await cancel(grouped));
  assert.deepEqual(await Promise.all([grouper, grouped].map(statusOf)), ['C', 'C']);
});

test('a grouped delivery whose stops were all concluded is still shown in full once it is cancelled', async () => {
  const [grouper, grouped] = [await start(at(0, 1)), await start(at(4))];
  const [stop] = idsOf(await read(grouped));
  await group(grouper, [grouped]);
  await conclude(grouper, stop!);
  assertOk(await cancel(grouped));
  const detail = assertOk(await operator.get(`/entregas/${grouped}`)).body.data;
  assert.deepEqual(
    detail.paradas.map((stop: { id: string }) => stop.id),
    [stop],
  );
  assertOk(await manager.get(`/entregas/${grouped}/detalhes`));
  const route = await operator.get(`/entregas/${grouped}/rota`);
  assert.ok(route.status < 500, route.text);
  const listed = assertOk(await manager.post('/entregas/consultar', { status_solicitacao: 'C' })).body.data;
  assert.ok(listed.some((delivery: { id: string }) => delivery.id === String(grouped)));
});

test('while it is grouped its price shows as 0.00, and the grouper shows the whole', async () => {
  const [grouper, grouped] = [await start(at(0)), await start(at(1))];
  await group(grouper, [grouped]);
  const listed = assertOk(await manager.post('/entregas/consultar', { status_solicitacao: 'E', limite: 100 }))
    .body.data as { id: string; valor_corrida: string }[];
  const priceOf = (id: number) => listed.find((delivery) => delivery.id === String(id))!.valor_corrida;
  assert.equal(priceOf(grouped), '0.00');
  assert.equal((await read(grouped)).valor_corrida, '0.00');
  assert.ok(Number(priceOf(grouper)) > 0);
  assert.equal(assertOk(await operator.get(`/entregas/${grouped}`)).body.data.valor, '0.00');
  const recorded = (await history(grouped)).at(-1);
  assert.deepEqual([recorded.type, recorded.data.valor_corrida], ['entrega.agrupada', '0.00']);
  const ofGrouper = (await history(grouper)).at(-1);
  assert.equal(ofGrouper.data.valor_corrida, priceOf(grouper));
});
