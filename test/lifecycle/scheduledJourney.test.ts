import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMalote } from '../support/malote.ts';
import { order, pickup, scheduledOrder, stop } from '../support/orders.ts';
import { dispatchAll } from '../support/scheduled.ts';
import { assertOk, assertRefused } from '../support/steps.ts';

/*
 * The bakery plans its afternoon: what it schedules is edited, grouped, shortened, and leaves when its time has
 * come. On its way another delivery joins it, and both end together.
 */
const malote = await startMalote();
await malote.configure({ confirmationCode: true });
const { manager, operator } = malote;
const [ana, carlos] = [malote.driver(2), malote.driver(3)];

const balance = async (): Promise<number> =>
  assertOk(
    await manager.get('/entregas/empresas/creditos/saldo?tipo_identificacao=I&identificacao=padaria-moinhos'),
  ).body.data.saldo;
const cents = (amount: number | string): number => Math.round(Number(amount) * 100);
const planned = async (id: string) => assertOk(await manager.get(`/entregas/programadas/${id}`)).body.data;
const shown = async (id: string) => assertOk(await manager.get(`/entregas/${id}`)).body.data;
const offerTo = async (driverId: number, deliveryId: string) =>
  assertOk(await operator.post(`/entregas/${deliveryId}/atribuir`, { condutor_id: driverId }));
const statusOf = async (id: string): Promise<string> =>
  assertOk(await manager.get(`/entregas/${id}/status`)).body.data.status;
const linksOf = async (id: string) =>
  assertOk(await manager.get(`/entregas/${id}/links-rastreio`)).body.data as {
    parada_id: string;
    link_rastreio: string;
    codigo_confirmacao: number;
  }[];
const idsOf = (stops: readonly { id: string }[]): string[] => stops.map((stop) => stop.id);

const creditBefore = await balance();
let first: string;
let second: string;
let delivery: string;
let joined: string;

test('two orders are scheduled for one o’clock, each with an estimate', async () => {
  const plan = async (stops: number) =>
    assertOk(await manager.post('/entregas/programadas', scheduledOrder({ forma_pagamento: 'R' }, stops)))
      .body.data.id_mch;
  first = await plan(2);
  second = await plan(1);
  const { situacao, situacao_formatada, data_previsao_disparo, hora_previsao_disparo, id_mch, valor } =
    await planned(first);
  assert.deepEqual(
    { situacao, situacao_formatada, data_previsao_disparo, hora_previsao_disparo, id_mch },
    {
      situacao: 'A',
      situacao_formatada: 'Aguardando',
      data_previsao_disparo: '16/11/2026',
      hora_previsao_disparo: '13:00:00',
      id_mch: null,
    },
  );
  assert.ok(cents(valor.estimado) > 0);
});

test('nothing is reserved yet, and nothing is due', async () => {
  assert.equal(await balance(), creditBefore);
  assert.equal(await dispatchAll(malote), 0);
});

test('the first is edited: later, and with other stops', async () => {
  const answer = assertOk(
    await manager.put(`/entregas/programadas/${first}`, {
      data: '16/11/2026',
      hora: '13:30:00',
      forma_pagamento: 'R',
      partida: pickup,
      paradas: [stop(3), stop(4), stop(5)],
    }),
  );
  assert.deepEqual(answer.body, { success: true, id_mch: Number(first) });
  const edited = await planned(first);
  assert.equal(edited.hora_previsao_disparo, '13:30:00');
  assert.deepEqual(
    edited.paradas.map((stop: { numero_pedido: string }) => stop.numero_pedido),
    ['P-4', 'P-5', 'P-6'],
  );
});

test('the second is grouped into it and brings its stop along, for less than both apart', async () => {
  const before = await planned(first);
  const alone = await planned(second);
  const brought = alone.paradas[0].id;
  assertOk(
    await manager.post(`/entregas/programadas/${first}/agrupar`, { programadas_agrupadas: [Number(second)] }),
  );
  const grouped = await planned(first);
  assert.deepEqual(idsOf(grouped.paradas).toSorted(), [...idsOf(before.paradas), String(brought)].toSorted());
  const apart = cents(before.valor.estimado) + cents(alone.valor.estimado);
  assert.ok(cents(grouped.valor.estimado) < apart);
  assert.equal((await planned(second)).situacao, 'agrupado');
});

test('one of the customers gives up, and the estimate shrinks with the stops', async () => {
  const before = await planned(first);
  const [gone] = before.paradas;
  const answer = assertOk(await manager.delete(`/entregas/programadas/${first}/paradas/${gone.id}`));
  const after = await planned(first);
  assert.deepEqual(idsOf(after.paradas).toSorted(), idsOf(before.paradas.slice(1)).toSorted());
  assert.equal(answer.body.data.estimativa.estimativa_valor, after.valor.estimado);
});

test('at half past one it leaves, once, and its credit is reserved', async () => {
  const { paradas, valor } = await planned(first);
  malote.clock.set('2026-11-16T16:29:59Z');
  assert.equal(await dispatchAll(malote), 0);
  malote.clock.set('2026-11-16T16:30:00Z');
  assert.equal(await dispatchAll(malote), 1);
  assert.equal(await dispatchAll(malote), 0);
  const dispatched = await planned(first);
  assert.equal(dispatched.situacao, 'D');
  delivery = dispatched.id_mch;
  assert.equal(await statusOf(delivery), 'D');
  assert.deepEqual(idsOf((await shown(delivery)).paradas), idsOf(paradas));
  assert.equal((await shown(delivery)).valor_corrida, valor.estimado);
  assert.equal(cents(await balance()), cents(creditBefore) - cents(valor.estimado));
});

test('a dispatched delivery can no longer be changed', async () => {
  assertRefused(
    await manager.delete(
      `/entregas/programadas/${first}/paradas/${(await planned(first)).paradas[0]?.id ?? 1}`,
    ),
    406,
    /já foi disparada/,
  );
});

test('Ana takes it and sets off, and every customer has a link and a code', async () => {
  await offerTo(2, delivery);
  assertOk(await ana.post(`/entregas/${delivery}/aceitar`));
  assertOk(await ana.post(`/entregas/${delivery}/chegar`));
  assertOk(await ana.post(`/entregas/${delivery}/iniciar`));
  assertOk(await ana.post('/condutores/2/posicao', { lat: -30.031, lng: -51.229 }));
  const links = await linksOf(delivery);
  assert.deepEqual(
    links.map((link) => link.parada_id),
    idsOf((await shown(delivery)).paradas),
  );
  assert.equal(new Set(links.map((link) => link.link_rastreio)).size, 3);
  for (const { codigo_confirmacao: code } of links) assert.ok(code >= 1000 && code <= 9999);
});

test('after her first stop she meets Carlos, whose delivery joins hers and frees him for his next', async () => {
  const [done] = (await shown(delivery)).paradas;
  const code = (await linksOf(delivery)).find((link) => link.parada_id === done.id)!.codigo_confirmacao;
  assertOk(await ana.post(`/entregas/${delivery}/paradas/${done.id}/concluir`, { codigo_confirmacao: code }));

  joined = assertOk(await manager.post('/entregas', order({ forma_pagamento: 'R' }))).body.data.id_mch;
  await offerTo(3, joined);
  assertOk(await carlos.post(`/entregas/${joined}/aceitar`));
  assertOk(await carlos.post(`/entregas/${joined}/iniciar`));
  const next = assertOk(await manager.post('/entregas', order())).body.data.id_mch;
  await offerTo(3, next);
  assert.equal(assertOk(await carlos.post(`/entregas/${next}/aceitar`)).body.data.status, 'S');

  const before = await linksOf(joined);
  assertOk(await manager.post(`/entregas/${delivery}/agrupar`, { solicitacoes_agrupadas: [Number(joined)] }));
  const carried = (await shown(delivery)).paradas;
  assert.equal(carried.length, 4);
  assert.equal(carried[0].id, done.id);
  assert.deepEqual(await linksOf(joined), before);
  assert.equal(await statusOf(joined), 'E');
  assert.equal(await statusOf(next), 'A');
});

test('a delivery grouped into hers follows it: its own steps are refused, and it has her position', async () => {
  assertRefused(
    await operator.post(`/entregas/${joined}/finalizar`),
    406,
    new RegExp(`agrupada na entrega ${delivery}`),
  );
  assertOk(await ana.post('/condutores/2/posicao', { lat: -30.04, lng: -51.21 }));
  for (const id of [delivery, joined])
    assert.deepEqual(assertOk(await manager.get(`/entregas/${id}/condutor/posicao`)).body.data, {
      lat_condutor: '-30.04',
      lng_condutor: '-51.21',
    });
});

test('she concludes what is left, with the codes of whoever ordered it, and finishes both', async () => {
  const codes = new Map(
    [...(await linksOf(delivery)), ...(await linksOf(joined))].map((link) => [
      link.parada_id,
      link.codigo_confirmacao,
    ]),
  );
  malote.clock.advance({ minutes: 40 });
  for (const { id } of (await shown(delivery)).paradas.slice(1))
    assertOk(
      await ana.post(`/entregas/${delivery}/paradas/${id}/concluir`, { codigo_confirmacao: codes.get(id) }),
    );
  assertOk(await ana.post(`/entregas/${delivery}/finalizar`));
  assert.equal(await statusOf(delivery), 'F');
  assert.equal(await statusOf(joined), 'F');
});

test('there is one receipt for both, and exactly its value was charged', async () => {
  const receipt = assertOk(await manager.get(`/entregas/${delivery}/recibo`)).body.data;
  assert.equal(receipt.condutor.nome, 'Ana Souza');
  assert.equal(receipt.dados_solicitacao.duracao, '00:40:00');
  assertRefused(
    await manager.get(`/entregas/${joined}/recibo`),
    406,
    new RegExp(`recibo da entrega ${delivery}`),
  );
  assert.equal(cents(await balance()), cents(creditBefore) - cents(receipt.dados_solicitacao.valor));
});
