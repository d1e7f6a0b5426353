import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMalote } from '../support/malote.ts';
import { order, stop } from '../support/orders.ts';
import { assertOk, assertRefused } from '../support/steps.ts';

/*
 * A day at the demonstration's central, told by what its people send and read.
 *
 * The bakery (company 1) has credit and orders through its manager. The central releases every delivery
 * before it is distributed, and its recipients confirm with a code. João (driver 1) carries it.
 */
const malote = await startMalote();
await malote.configure({ releaseRequired: true, confirmationCode: true });
const { manager, operator } = malote;
const joao = malote.driver(1);

const balance = async (): Promise<number> =>
  assertOk(
    await manager.get(
      '/entregas/empresas/creditos/saldo?tipo_identificacao=J&identificacao=11.222.333/0001-81',
    ),
  ).body.data.saldo;
const offerTo = async (driverId: number, deliveryId: string) =>
  assertOk(await operator.post(`/entregas/${deliveryId}/atribuir`, { condutor_id: driverId }));
const statusOf = async (id: string): Promise<string> =>
  assertOk(await manager.get(`/entregas/${id}/status`)).body.data.status;
const shown = async (id: string) => assertOk(await manager.get(`/entregas/${id}`)).body.data;
/** Amounts are compared as cents: in floating point, 500 - 17.3 is not 482.7. */
const cents = (amount: number | string): number => Math.round(Number(amount) * 100);

const creditBefore = await balance();
let id: string;
let fare: number;
let stops: { id: string }[];
let links: { parada_id: string; link_rastreio: string; codigo_confirmacao: number }[];
const codeOf = (stopId: string): number =>
  links.find((link) => link.parada_id === stopId)!.codigo_confirmacao;

test('the bakery orders two breads delivered, paid from its credit, which is reserved', async () => {
  const body = order({
    forma_pagamento: 'R',
    paradas: [
      { ...stop(0), cidade_parada: 'Porto Alegre', estado_parada: 'RS' },
      { ...stop(1), cidade_parada: 'Porto Alegre', estado_parada: 'RS' },
    ],
  });
  id = assertOk(await manager.post('/entregas', body)).body.data.id_mch;
  const delivery = await shown(id);
  stops = delivery.paradas;
  assert.equal(stops.length, 2);
  fare = cents(delivery.valor_corrida);
  assert.ok(fare > 0);
  assert.equal(cents(await balance()), cents(creditBefore) - fare);
});

test('it waits for the central, and no driver may have it yet', async () => {
  assert.equal(await statusOf(id), 'P');
  const waiting = assertOk(await manager.post('/entregas/consultar', { status_solicitacao: 'L' }));
  assert.deepEqual(
    waiting.body.data.map((row: { id: string }) => row.id),
    [id],
  );
  assertRefused(await joao.post(`/entregas/${id}/aceitar`), 404, /não encontrada/);
});

test('the central releases it and asks João', async () => {
  assertOk(await operator.post(`/entregas/${id}/liberar`));
  assert.equal(await statusOf(id), 'D');
  assertOk(await operator.post(`/entregas/${id}/atribuir`, { condutor_id: 1 }));
  assert.equal(await statusOf(id), 'G');
});

test('the bakery reads the links and codes for its customers', async () => {
  links = assertOk(await manager.get(`/entregas/${id}/links-rastreio`)).body.data;
  assert.deepEqual(
    links.map((link) => link.parada_id),
    stops.map((stop) => stop.id),
  );
  for (const { codigo_confirmacao: code } of links) assert.ok(Number.isInteger(code));
});

test('nobody knows where the bread is before somebody carries it', async () => {
  const answer = assertOk(await manager.get(`/entregas/${id}/condutor/posicao`));
  assert.deepEqual(answer.body.data, { lat_condutor: null, lng_condutor: null });
});

test('João accepts, and the bakery sees who and where he is', async () => {
  malote.clock.advance({ minutes: 1 });
  await offerTo(1, id);
  assertOk(await joao.post(`/entregas/${id}/aceitar`));
  assert.equal(await statusOf(id), 'A');
  assert.equal((await shown(id)).nome_condutor, 'João Silva');
  assertOk(await joao.post('/condutores/1/posicao', { lat: -30.0308, lng: -51.2295 }));
  const answer = assertOk(await manager.get(`/entregas/${id}/condutor/posicao`));
  assert.deepEqual(answer.body.data, { lat_condutor: '-30.0308', lng_condutor: '-51.2295' });
});

test('he arrives at the bakery and sets off', async () => {
  malote.clock.advance({ minutes: 4 });
  assertOk(await joao.post(`/entregas/${id}/chegar`));
  assert.equal(await statusOf(id), 'A');
  malote.clock.advance({ minutes: 2 });
  assertOk(await joao.post(`/entregas/${id}/iniciar`));
  assert.equal(await statusOf(id), 'E');
  assert.equal((await shown(id)).data_hora_inicio, '2026-11-16T15:07:00Z');
});

test('at the first door he mishears the code, and asks again', async () => {
  const [first] = stops;
  const code = codeOf(first!.id);
  const conclude = (codigo_confirmacao: number) =>
    joao.post(`/entregas/${id}/paradas/${first!.id}/concluir`, { codigo_confirmacao });
  malote.clock.advance({ minutes: 9 });
  assertRefused(await conclude(code === 9999 ? 1000 : code + 1), 422, /tentativas restantes: 4/);
  assert.equal(assertOk(await conclude(code)).body.data.paradas_restantes, 1);
});

test('he cannot finish with a bread left, and delivers it', async () => {
  const [, second] = stops;
  assertRefused(await joao.post(`/entregas/${id}/finalizar`), 406, /paradas a concluir: 1/);
  assertRefused(await manager.get(`/entregas/${id}/recibo`), 406, /a entrega não foi finalizada/);
  malote.clock.advance({ minutes: 6 });
  const answer = await joao.post(`/entregas/${id}/paradas/${second!.id}/concluir`, {
    codigo_confirmacao: codeOf(second!.id),
  });
  assert.deepEqual([answer.body.data.paradas_restantes, answer.body.data.status], [0, 'F']);
});

test('that was the last one: it is finished, whatever he presses, and the receipt says what it was', async () => {
  malote.clock.advance({ minutes: 1 });
  assertOk(await joao.post(`/entregas/${id}/finalizar`));
  assert.equal(await statusOf(id), 'F');
  const receipt = assertOk(await manager.get(`/entregas/${id}/recibo`)).body.data;
  assert.equal(cents(receipt.dados_solicitacao.valor), fare);
  assert.equal(receipt.dados_solicitacao.duracao, '00:15:00');
  assert.equal(receipt.dados_solicitacao.tipo_pagamento, 'R');
  assert.deepEqual(receipt.empresa, { empresa_id: '1', nome: 'Padaria Moinhos', cpf: '11222333000181' });
  assert.deepEqual(receipt.desejado, {
    endereco: 'Avenida Ipiranga, 2',
    bairro: 'Azenha',
    cidade: 'Porto Alegre',
    estado: 'RS',
    data_hora: '2026-11-16T15:22:00Z',
  });
});

test('exactly the fare was charged', async () => {
  assert.equal(cents(await balance()), cents(creditBefore) - fare);
});

test('an ended delivery stays as it is', async () => {
  assertRefused(await manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 }), 406, /já foi finalizada/);
  assertRefused(await joao.post(`/entregas/${id}/iniciar`), 406, /já foi finalizada/);
  assert.equal(await statusOf(id), 'F');
});

test('another order is cancelled on the way, and its reserve comes back', async () => {
  const before = await balance();
  const body = order({ forma_pagamento: 'R' });
  const second = assertOk(await manager.post('/entregas', body)).body.data.id_mch;
  assertOk(await operator.post(`/entregas/${second}/liberar`));
  await offerTo(1, second);
  assertOk(await joao.post(`/entregas/${second}/aceitar`));
  assertOk(await joao.post(`/entregas/${second}/iniciar`));
  assert.ok((await balance()) < before);
  assertOk(await manager.post(`/entregas/${second}/cancelar`, { motivo_id: 5 }));
  assert.equal(await statusOf(second), 'C');
  assert.equal(await balance(), before);
  assertRefused(await joao.post(`/entregas/${second}/finalizar`), 406, /cancelada/);
});

test('João is free again', async () => {
  const third = assertOk(await manager.post('/entregas', order())).body.data.id_mch;
  assertOk(await operator.post(`/entregas/${third}/liberar`));
  await offerTo(1, third);
  assert.equal(assertOk(await joao.post(`/entregas/${third}/aceitar`)).body.data.status, 'A');
});
