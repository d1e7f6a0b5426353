import assert from 'node:assert/strict';
import { test } from 'node:test';
import { client } from '../support/client.ts';
import { at, groupScheduled } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { dispatched, readScheduled, schedule } from '../support/scheduled.ts';
import { assertOk, assertRefused } from '../support/steps.ts';

const malote = await startMalote();
const { manager, manager2, operator } = malote;
const managersSide = client(`${malote.url}/api/v2/operacao`, {
  key: 'demo-chave',
  user: 'gerente',
  password: 'demo',
});

const idsOf = (answer: { body: { data: { id_mch_programada: string }[] } }) =>
  answer.body.data.map((row) => Number(row.id_mch_programada));

test('lists those that await in the order of their dispatch, and others from the latest', async () => {
  const late = await schedule(manager, { hora: '15:00:00' });
  const early = await schedule(manager, { hora: '14:00:00' });
  const cancelled = await schedule(manager, { hora: '14:30:00' });
  assertOk(await operator.post(`/programadas/${cancelled}/cancelar`));
  assert.deepEqual(idsOf(assertOk(await operator.get('/programadas?situacao=A'))), [early, late]);
  assert.deepEqual(idsOf(assertOk(await operator.get('/programadas'))), [late, cancelled, early]);
  const window = 'de=2026-11-16T17:15:00Z&ate=2026-11-16T18:00:00Z';
  assert.deepEqual(idsOf(assertOk(await operator.get(`/programadas?${window}`))), [cancelled]);
});

test('shows what planning asks for, and what the edit replaces', async () => {
  const id = await schedule(manager, { ...at(0, 1), forma_pagamento: 'X', com_retorno: true });
  const contract = await readScheduled(manager, id);
  const { data } = assertOk(await operator.get(`/programadas/${id}`)).body;
  assert.equal(data.situacao, 'A');
  assert.equal(data.disparo_em, '2026-11-16T16:00:00Z');
  assert.equal(data.forma_pagamento, 'X');
  assert.equal(data.com_retorno, true);
  assert.equal(data.valor, contract.valor.estimado);
  assert.deepEqual(data.empresa, contract.empresa);
  assert.equal(data.paradas[1].nome_cliente, 'Cliente 2');
  assert.equal(data.historico[0].data.mudanca, 'criada');
});

test('tells where a grouped one has gone, and what its grouper carries', async () => {
  const [grouper, other] = [await schedule(manager), await schedule(manager)];
  assertOk(await groupScheduled(malote, grouper, [other]));
  const grouped = assertOk(await operator.get(`/programadas/${other}`)).body.data;
  assert.equal(grouped.agrupada_em, String(grouper));
  const carrying = assertOk(await operator.get(`/programadas/${grouper}`)).body.data;
  assert.deepEqual(carrying.agrupadas, [String(other)]);
  assert.deepEqual(
    carrying.paradas
      .map(({ pedida_com }: { pedida_com: string }) => Number(pedida_com))
      .toSorted((a: number, b: number) => a - b),
    [grouper, other].toSorted((a: number, b: number) => a - b),
  );
});

test('a company manager sees the own ones only', async () => {
  const mine = await schedule(manager);
  const theirs = await schedule(manager2);
  const seen = idsOf(assertOk(await managersSide.get('/programadas?limite=100')));
  assert.ok(seen.includes(mine) && !seen.includes(theirs));
  assert.deepEqual(idsOf(assertOk(await managersSide.get('/programadas?empresa_id=2'))), []);
  assertRefused(await managersSide.get(`/programadas/${theirs}`), 404, /não encontrada/);
  assertRefused(await malote.driver(1).get('/programadas'), 403, /permissão/);
});

const cancel = (id: number) => malote.operator.post(`/programadas/${id}/cancelar`);

test('an operator cancels one that still awaits dispatch', async () => {
  const id = await schedule(malote.manager);
  const answer = await cancel(id);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.body.data, {
    id_mch_programada: String(id),
    mensagem: 'entrega programada cancelada',
  });
  assert.equal((await readScheduled(malote.manager, id)).situacao, 'C');
  assertRefused(await cancel(id), 406, /está cancelada/);
});

test('and one that was dispatched, with its delivery', async () => {
  const { id, deliveryId } = await dispatched(malote);
  assertOk(await cancel(id));
  const status = await malote.manager.get(`/entregas/${deliveryId}/status`);
  assert.equal(status.body.data.status, 'C');
});

test('a scheduled delivery of another central is not found', async () => {
  assertRefused(await cancel(10_000_001), 404, /não encontrada/);
});

test('a driver may not', async () => {
  const id = await schedule(malote.manager);
  assertRefused(await malote.driver(1).post(`/programadas/${id}/cancelar`), 403, /permissão/);
});
