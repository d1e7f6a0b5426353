import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rebuildTotals } from '../../server/src/insight/reports/keepTotals.ts';
import { client, type Json } from '../support/client.ts';
import { failing } from '../support/failures.ts';
import { at, groupDeliveries, start, stopIdsOf } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { readTotals } from '../support/reportTotals.ts';
import { keepTotals } from '../support/rounds.ts';
import { assertOk, assertRefused, countStatuses, deliveryIn } from '../support/steps.ts';

const malote = await startMalote();
const { operator, manager } = malote;
const { fail, conclude, reopen, redeliver, resolve, detail, failures, history } = failing(malote);
const ofCompany = (user: string) =>
  client(`${malote.url}/api/v2/operacao`, { key: 'demo-chave', user, password: 'demo' });
const listed = async (id: number): Promise<Json> =>
  (await failures()).find(({ id_mch }) => id_mch === String(id));
const counted = async (): Promise<number> =>
  assertOk(await operator.get('/resumo')).body.data.paradas_nao_entregues;
const failed = async (stops = 2) => {
  const delivery = await deliveryIn(malote, 'in_progress', stops);
  assertOk(await fail(delivery, 0, { motivo: 'recusado', observacao: 'Não pediu' }));
  return delivery;
};

test('a failed stop waits for a person, in the list and in the day’s numbers, for its company too', async () => {
  const before = await counted();
  const delivery = await failed();
  assert.equal(await counted(), before + 1);
  const found = await listed(delivery.id);
  assert.deepEqual(
    [found.parada_id, found.motivo, found.observacao, found.tentativa, found.decisao, found.status],
    [String(delivery.stopIds[0]), 'recusado', 'Não pediu', 1, 'retornar', 'E'],
  );
  assert.equal(found.destinatario, 'Cliente 1');
  const own = await failures(ofCompany('gerente'));
  assert.ok(own.some(({ id_mch }) => id_mch === String(delivery.id)));
  assert.deepEqual(await failures(ofCompany('gerente2')), []);
});

test('put back into the run it is visited last, and a return that only it needed is taken off', async () => {
  const delivery = await deliveryIn(malote, 'in_progress', 2);
  const price = (await detail(delivery)).valor;
  assertOk(await fail(delivery, 0, { motivo: 'recusado' }));
  assert.notEqual((await detail(delivery)).valor, price);
  const { body } = assertOk(await reopen(delivery));
  assert.deepEqual([body.data.paradas_restantes, body.data.status], [2, 'E']);
  const read = await detail(delivery);
  assert.deepEqual([read.com_retorno, read.retorno_por_falha], [false, false]);
  assert.deepEqual(
    read.paradas.map(({ id, nao_entregue_em }: Json) => [Number(id), nao_entregue_em]),
    [
      [delivery.stopIds[1], null],
      [delivery.stopIds[0], null],
    ],
  );
  assert.notEqual(read.paradas[1].tentativas[0].desfeita_em, null);
  assert.equal((await history(delivery)).at(-1)!.type, 'entrega.parada_retomada');
  assert.equal(await listed(delivery.id), undefined);
  assertOk(await conclude(delivery, 1));
  assert.equal(assertOk(await conclude(delivery, 0)).body.data.status, 'F');
});

test('put back, it costs what it cost before: the second attempt is free', async () => {
  const delivery = await deliveryIn(malote, 'in_progress', 3);
  const price = (await detail(delivery)).valor;
  assertOk(await fail(delivery, 0, { motivo: 'recusado' }));
  assert.notEqual((await detail(delivery)).valor, price);
  assertOk(await reopen(delivery));
  assert.equal((await detail(delivery)).valor, price);
});

test('a return that another failed stop still needs stays', async () => {
  const delivery = await failed(3);
  assertOk(await fail(delivery, 1, { motivo: 'recusado' }));
  const price = (await detail(delivery)).valor;
  assertOk(await reopen(delivery));
  const read = await detail(delivery);
  assert.deepEqual([read.com_retorno, read.valor], [true, price]);
});

test('a new delivery carries the stop again, and the failure names it', async () => {
  const delivery = await failed(2);
  const { body } = assertOk(await redeliver(delivery));
  const created = await detail({ id: Number(body.data.nova_entrega) });
  const old = await detail(delivery);
  const of = ({ endereco, nome_cliente, telefone_cliente, numero_pedido, lat, lng }: Json) => [
    ...[endereco, nome_cliente, telefone_cliente, numero_pedido, lat, lng],
  ];
  assert.deepEqual(created.paradas.map(of), [of(old.paradas[0])]);
  assert.deepEqual(
    [created.status, created.empresa_id, created.partida, created.com_retorno],
    ['D', old.empresa_id, old.partida, false],
  );
  const [attempt] = old.paradas[0].tentativas;
  assert.equal(attempt.nova_entrega, body.data.nova_entrega);
  assert.notEqual(attempt.resolvida_em, null);
  assert.equal(await listed(delivery.id), undefined);
  assertRefused(await reopen(delivery), 406, /falha à espera/);
});

test('it is marked as resolved with what was done, also after the delivery is over', async () => {
  const delivery = await failed(1);
  assertOk(await operator.post(`/entregas/${delivery.id}/finalizar`, {}));
  assertRefused(await reopen(delivery), 406, /já foi finalizada/);
  assertOk(await resolve(delivery, 0, ' Entregue no balcão '));
  const [attempt] = (await detail(delivery)).paradas[0].tentativas;
  assert.equal(attempt.resolucao, 'Entregue no balcão');
  assert.equal(await listed(delivery.id), undefined);
  assertRefused(await resolve(delivery), 406, /falha à espera/);
});

test('of several concurrent actions on one failure, one succeeds', async () => {
  for (let round = 0; round < 4; round += 1) {
    const delivery = await failed();
    const answers = await Promise.all([
      redeliver(delivery),
      redeliver(delivery),
      reopen(delivery),
      resolve(delivery),
      resolve(delivery),
    ]);
    assert.deepEqual(countStatuses(answers), { 200: 1, 406: 4 }, answers.map(({ text }) => text).join());
  }
});

test('only operators act on failures, on stops that have one, with words that say what was done', async () => {
  const delivery = await failed();
  for (const by of [malote.driver(1), ofCompany('gerente')])
    for (const answer of [
      await reopen(delivery, 0, by),
      await redeliver(delivery, 0, by),
      await resolve(delivery, 0, 'x', by),
    ])
      assert.equal(answer.status, 403, answer.text);
  for (const answer of [await reopen(delivery, 1), await redeliver(delivery, 1), await resolve(delivery, 1)])
    assertRefused(answer, 406, /falha à espera de solução/);
  const none = { ...delivery, stopIds: [999_999] };
  for (const answer of [await reopen(none), await redeliver(none), await resolve(none)])
    assertRefused(answer, 404, /parada/);
  assert.equal((await resolve(delivery, 0, '  ')).status, 400);
  assertRefused(await redeliver({ ...delivery, id: 999_999 }), 404, /entrega/);
  assert.equal((await manager.get('/falhas')).status, 404, 'not on the integration interface');
});

test('a failed stop is not put back after its order was cancelled alone, so that what was counted stays true', async () => {
  const [carrier, other] = [
    await deliveryIn(malote, 'in_progress'),
    await deliveryIn(malote, 'in_progress', 2),
  ];
  assertOk(await groupDeliveries(malote, carrier.id, [other.id]));
  const carried = { ...carrier, stopIds: other.stopIds };
  assertOk(await fail(carried, 0, { motivo: 'recusado' }));
  assertOk(await manager.post(`/entregas/${other.id}/cancelar`, { motivo_id: 2 }));
  await keepTotals(malote.app.deps);
  assertRefused(await reopen(carried), 406, /finalizada/);
  assertOk(await conclude(carrier, 0));
  assertOk(await operator.post(`/entregas/${carrier.id}/finalizar`));
  await keepTotals(malote.app.deps);
  const kept = await readTotals(malote.db);
  await rebuildTotals(malote.app.deps, 1);
  assert.deepEqual(await readTotals(malote.db), kept);
  assertOk(await redeliver(carried));
});

test('a new delivery for a stop of a group is ordered as the order that the stop came with', async () => {
  const carrier = await start(malote, { ...at(0), forma_pagamento: 'D', observacao: 'Da loja' });
  const other = await start(malote, { ...at(1), forma_pagamento: 'F', observacao: 'Da cozinha' });
  const stopIds = await stopIdsOf(malote, { noun: 'delivery', id: other });
  assertOk(await groupDeliveries(malote, carrier, [other]));
  const carried = { id: carrier, stopIds };
  assertOk(await fail(carried, 0, { motivo: 'recusado' }));
  const id = Number(assertOk(await redeliver(carried)).body.data.nova_entrega);
  const rows = await malote.db`select payment, note from deliveries where central_id = 1 and id = ${id}`;
  assert.deepEqual(rows, [{ payment: 'invoiced', note: 'Da cozinha' }]);
});
