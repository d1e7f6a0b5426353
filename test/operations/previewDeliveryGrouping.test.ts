import assert from 'node:assert/strict';
import { test } from 'node:test';
import { client, type Json } from '../support/client.ts';
import {
  assertNoClaims,
  at,
  everything,
  groupDeliveries,
  groupIntoDelivery,
  start,
} from '../support/grouping.ts';
import { assertFirstIsAnswered, conditionsOf } from '../support/groupingRefusals.ts';
import { startMalote } from '../support/malote.ts';
import { readScheduled, schedule } from '../support/scheduled.ts';
import { assertOk, assertRefused } from '../support/steps.ts';
import { testRouters } from '../support/testRouters.ts';

const routers = testRouters();
const malote = await startMalote({ routers });
const { manager, manager2, operator } = malote;
const managersSide = client(`${malote.url}/api/v2/operacao`, {
  key: 'demo-chave',
  user: 'gerente',
  password: 'demo',
});

const preview = (id: number, programadas: number[], solicitacoes: number[], by = operator) =>
  by.post(`/entregas/${id}/simular-agrupamento`, {
    programadas_agrupadas: programadas,
    solicitacoes_agrupadas: solicitacoes,
  });
const readDelivery = async (id: number): Promise<Json> =>
  assertOk(await manager.get(`/entregas/${id}`)).body.data;

test('tells what grouping into a delivery on its way would bring, and changes nothing', async () => {
  const grouper = await start(malote, at(0, 1), { driverAt: { lat: -30.04, lng: -51.22 } });
  const [stop] = (await readDelivery(grouper)).paradas;
  assertOk(await operator.post(`/entregas/${grouper}/paradas/${stop.id}/concluir`, {}));
  const going = await start(malote, at(2));
  const waiting = await schedule(manager, at(3));
  const apart = [await readDelivery(grouper), await readDelivery(going)].map(
    (delivery) => delivery.valor_corrida,
  );
  apart.push((await readScheduled(manager, waiting)).valor.estimado);
  const before = await everything(malote);

  const { data } = assertOk(await preview(grouper, [waiting], [going])).body;
  assert.deepEqual(await everything(malote), before);
  await assertNoClaims(malote);
  assert.equal(data.id_mch, String(grouper));
  assert.deepEqual([data.antes.viagens, data.depois.viagens], [3, 1]);
  assert.deepEqual([data.antes.paradas, data.depois.paradas], [4, 4]);
  const cents = apart.reduce((sum, amount) => sum + Math.round(Number(amount) * 100), 0);
  assert.equal(data.antes.valor, (cents / 100).toFixed(2));
  assert.deepEqual([data.paradas[0].id, data.paradas[0].concluida], [stop.id, true]);
  const comesFrom = data.paradas.map((stop: Json) => `${stop.id_mch} ${stop.id_mch_programada}`).sort();
  assert.deepEqual(
    comesFrom,
    [`${grouper} null`, `${grouper} null`, `${going} null`, `null ${waiting}`].sort(),
  );

  assertOk(await groupIntoDelivery(malote, grouper, [waiting], [going]));
  const grouped = await readDelivery(grouper);
  assert.equal(data.depois.valor, grouped.valor_corrida);
  assert.deepEqual(
    data.paradas.map(({ id }: Json) => id),
    grouped.paradas.map(({ id }: Json) => id),
  );
});

test('says that the joint trip returns where the goods of another order go back', async () => {
  const [grouper, other] = [await start(malote, at(0)), await start(malote, at(1, 2))];
  const [failed] = (await readDelivery(other)).paradas;
  const { data: failure } = assertOk(
    await operator.post(`/entregas/${other}/paradas/${failed.id}/falhar`, { motivo: 'recusado' }),
  ).body;
  assert.equal(failure.decisao, 'retornar');
  const { data } = assertOk(await preview(grouper, [], [other])).body;
  assertOk(await groupDeliveries(malote, grouper, [other]));
  const grouped = await readDelivery(grouper);
  assert.deepEqual([data.com_retorno, data.depois.valor], [grouped.com_retorno, grouped.valor_corrida]);
  assert.equal(grouped.com_retorno, true);
  assert.deepEqual(
    data.trajeto.coordinates.at(-1),
    data.trajeto.coordinates[0],
    'the way is drawn as driven',
  );
});

test('without any other there are too few', async () => {
  const id = await start(malote);
  assertRefused(await preview(id, [], []), 409, /ao menos 2 pedidos/);
  assertRefused(await operator.post(`/entregas/${id}/simular-agrupamento`, {}), 409, /ao menos 2 pedidos/);
});

test('a grouping that the company’s credit does not cover is refused in the preview', async () => {
  const byCredit = { forma_pagamento: 'R', empresa_id: 1 };
  const [grouper, other] = [await start(malote, { ...byCredit, ...at(0) }), await start(malote, at(4))];
  assertOk(await preview(grouper, [], [other]));
  await malote.db`update wallets set balance_cents = 0 where central_id = 1 and company_id = 1`;
  assertRefused(await preview(grouper, [], [other]), 422, /saldo insuficiente/);
  assertRefused(
    await manager.post(`/entregas/${grouper}/agrupar`, { solicitacoes_agrupadas: [other] }),
    422,
    /saldo insuficiente/,
  );
  // The other one's reserve also pays.
  await malote.db`
    update deliveries set payment = 'credit_wallet', reserved_cents = net_cents
    where central_id = 1 and id = ${other}`;
  assertOk(await preview(grouper, [], [other]));
});

test('a company manager previews with the own ones; those of others are not there, and a driver may not', async () => {
  const [mine, alsoMine] = [await start(malote), await start(malote)];
  const theirs = await start(malote, {}, { by: manager2 });
  assertOk(await preview(mine, [], [alsoMine], managersSide));
  assertRefused(await preview(mine, [], [theirs], managersSide), 404, /não encontrada/);
  assertRefused(await preview(theirs, [], [mine], managersSide), 404, /não encontrada/);
  assertRefused(await preview(mine, [], [alsoMine], malote.driver(1)), 403, /permissão/);
});

/** The preview accepts either list and saves nothing, so these conditions do not apply. */
const ELSEWHERE = ['the list is missing', 'the list is empty', 'one changes meanwhile'];

for (const endpoint of ['4.6', '4.7'] as const)
  for (const condition of conditionsOf(endpoint).filter(({ name }) => !ELSEWHERE.includes(name)))
    test(`refuses as ${endpoint} would, in both languages, when ${condition.name}`, () =>
      assertFirstIsAnswered(malote, routers, endpoint, [condition], {
        languages: ['pt', 'en'],
        preview: true,
      }));
