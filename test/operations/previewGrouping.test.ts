import assert from 'node:assert/strict';
import { test } from 'node:test';
import { client } from '../support/client.ts';
import { assertNoClaims, at, everything, groupScheduled } from '../support/grouping.ts';
import { assertFirstIsAnswered, conditionsOf, pairsOf } from '../support/groupingRefusals.ts';
import { startMalote } from '../support/malote.ts';
import { pickup } from '../support/orders.ts';
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

const preview = (id: number, others: number[], by = operator) =>
  by.post(`/programadas/${id}/simular-agrupamento`, { programadas_agrupadas: others });

test('tells what grouping would bring, and changes nothing', async () => {
  const grouper = await schedule(manager, at(0));
  const others = [await schedule(manager, at(1)), await schedule(manager, at(3, 5))];
  const apart = await Promise.all([grouper, ...others].map((id) => readScheduled(manager, id)));
  const before = await everything(malote);

  const { data } = assertOk(await preview(grouper, others)).body;
  assert.deepEqual(await everything(malote), before);
  await assertNoClaims(malote);

  assert.equal(data.id_mch_programada, String(grouper));
  assert.equal(data.antes.viagens, 3);
  assert.equal(data.depois.viagens, 1);
  assert.equal(data.antes.paradas, 4);
  const sum = apart.reduce(
    (total, scheduled) => total + Math.round(Number(scheduled.valor.estimado) * 100),
    0,
  );
  assert.equal(data.antes.valor, (sum / 100).toFixed(2));
  assert.ok(data.depois.km < data.antes.km);
  assert.ok(data.depois.minutos < data.antes.minutos);

  assertOk(await groupScheduled(malote, grouper, others));
  const grouped = await readScheduled(manager, grouper);
  assert.equal(data.depois.valor, grouped.valor.estimado);
  assert.deepEqual(
    data.paradas.map(({ id }: { id: string }) => id),
    grouped.paradas.map(({ id }: { id: string }) => id),
  );
});

test('names the request that each stop comes from, and draws the way from the pickup along all stops', async () => {
  const grouper = await schedule(manager, at(0));
  const other = await schedule(manager, at(1));
  const { data } = assertOk(await preview(grouper, [other])).body;
  assert.deepEqual(
    data.paradas
      .map((stop: { id_mch_programada: string }) => Number(stop.id_mch_programada))
      .toSorted((a: number, b: number) => a - b),
    [grouper, other].toSorted((a: number, b: number) => a - b),
  );
  assert.equal(data.trajeto.type, 'LineString');
  assert.deepEqual(data.trajeto.coordinates[0], [Number(pickup.lng), Number(pickup.lat)]);
  const last = data.paradas.at(-1);
  assert.deepEqual(data.trajeto.coordinates.at(-1), [last.lng, last.lat]);
});

test('a returning delivery is drawn back to its pickup', async () => {
  const grouper = await schedule(manager, { ...at(0), com_retorno: true });
  const { data } = assertOk(await preview(grouper, [await schedule(manager, at(1))])).body;
  assert.equal(data.com_retorno, true);
  assert.deepEqual(data.trajeto.coordinates.at(-1), [Number(pickup.lng), Number(pickup.lat)]);
});

test('a company manager previews with the own ones; those of others are not there', async () => {
  const mine = [await schedule(manager), await schedule(manager)] as const;
  const theirs = await schedule(manager2);
  assertOk(await preview(mine[0], [mine[1]], managersSide));
  assertRefused(await preview(mine[0], [theirs], managersSide), 404, /não encontrada/);
});

test('a driver may not', async () => {
  const id = await schedule(manager);
  assertRefused(await preview(id, [id], malote.driver(1)), 403, /permissão/);
});

const UNSAVED = 'one changes meanwhile';

for (const condition of conditionsOf('4.2').filter(({ name }) => name !== UNSAVED))
  test(`refuses as the grouping would, in both languages, when ${condition.name}`, () =>
    assertFirstIsAnswered(malote, routers, '4.2', [condition], { languages: ['pt', 'en'], preview: true }));

for (const [first, second] of pairsOf('4.2').filter((pair) => pair.every(({ name }) => name !== UNSAVED)))
  test(`answers first that ${first.name}, though ${second.name}`, () =>
    assertFirstIsAnswered(malote, routers, '4.2', [first, second], { preview: true }));
