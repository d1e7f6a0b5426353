import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tidyUp } from '../../server/src/dispatch/rounds/tidyUp.ts';
import { basic, client, type Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { places } from '../support/orders.ts';
import { driverAt, givenBy, planned, readPlan } from '../support/plans.ts';
import { openEventSource } from '../support/rawHttp.ts';
import { assertOk, assertRefused, deliveryIn, openDelivery } from '../support/steps.ts';
import { waitUntil } from '../support/waitUntil.ts';

const malote = await startMalote();
const { operator, db } = malote;
const near = (index: number) => ({ lat: Number(places[index]!.lat), lng: Number(places[index]!.lng) });
const apply = async (id: string, body: Json = {}): Promise<Json> =>
  assertOk(await operator.post(`/planos/${id}/aplicar`, body)).body.data;
const ids = (rows: readonly Json[]): number[] =>
  rows.map(({ entrega }) => Number(entrega)).sort((a, b) => a - b);

test('a plan gives each open delivery to a driver, with times and loads, and says what it saves', async () => {
  const [one, other] = [await openDelivery(malote), await openDelivery(malote, {}, 2)];
  const driver = await driverAt(malote, near(0));
  const plan = await planned(operator, { entregas: [one.id, other.id], entregadores: [driver] });
  assert.equal(plan.progresso, 100);
  assert.deepEqual(plan.plano.fora, []);
  const [route] = plan.plano.rotas;
  assert.equal(route.condutor.id, String(driver));
  assert.deepEqual(ids(route.entregas.map((entrega: string) => ({ entrega }))), [one.id, other.id]);
  assert.deepEqual(route.paradas.map(({ tipo, a_bordo }: Json) => [tipo, a_bordo]).sort(), [
    ['coleta', 1],
    ['coleta', 1],
    ['parada', 0],
    ['parada', 0],
    ['parada', 1],
  ]);
  const times = route.paradas.map(({ comeca_em }: Json) => comeca_em);
  assert.deepEqual(times, times.toSorted());
  assert.ok(plan.plano.depois.segundos <= plan.plano.antes.segundos);
  assert.equal(plan.plano.depois.entregadores, 1);
  assert.ok(route.paradas.every(({ endereco }: Json) => endereco.length > 0));
});

test('the same seed gives the same plan', async () => {
  const deliveries = [
    await openDelivery(malote),
    await openDelivery(malote, {}, 3),
    await openDelivery(malote),
  ];
  const drivers = [await driverAt(malote, near(1)), await driverAt(malote, near(4))];
  const wish = { entregas: deliveries.map(({ id }) => id), entregadores: drivers, semente: 7 };
  const [one, other] = [await planned(operator, wish), await planned(operator, wish)];
  assert.notEqual(one.id, other.id);
  assert.deepEqual(one.plano, other.plano);
});

test('what cannot be planned is named with a reason in words', async () => {
  const open = await openDelivery(malote);
  const [started, over] = [await deliveryIn(malote, 'in_progress'), await deliveryIn(malote, 'finished')];
  const waiting = await deliveryIn(malote, 'awaiting_release');
  const bound = await driverAt(malote, near(2));
  await db`insert into driver_companies (central_id, driver_id, company_id) values (1, ${bound}, 2)`;
  const plan = await planned(operator, {
    entregas: [open.id, started.id, over.id, waiting.id],
    entregadores: [bound],
  });
  assert.deepEqual(
    plan.plano.fora.map(({ entrega, motivo }: Json) => [entrega, motivo]),
    [
      [String(open.id), 'sem_empresa'],
      [String(started.id), 'em_andamento'],
      [String(over.id), 'encerrada'],
      [String(waiting.id), 'aguarda_liberacao'],
    ],
  );
  assert.match(
    plan.plano.fora[0].texto,
    /^nenhum entregador da categoria atende a empresa dela até \d\d:\d\d$/,
  );
});

test('what an order demands decides who gets it, and is said in words', async () => {
  const [hot, plain] = [await openDelivery(malote), await openDelivery(malote)];
  await db`
    insert into stop_demands (central_id, stop_id, equipment, window_until, window_is_hard)
    values (1, ${hot.stopIds[0]!}, '{thermal_box}', '2026-11-16T23:10:00Z', true)`;
  const [without, equipped] = [await driverAt(malote, near(0)), await driverAt(malote, near(8))];
  await db`insert into driver_capacities (central_id, driver_id, equipment) values
    (1, ${without}, '{box}'), (1, ${equipped}, '{thermal_box}')`;
  const entregas = [hot.id, plain.id];
  const alone = await planned(operator, { entregas, entregadores: [without] });
  assert.deepEqual(givenBy(alone), [[String(without), [String(plain.id)]]]);
  assert.deepEqual(
    alone.plano.fora.map(({ motivo, texto }: Json) => [motivo, texto]),
    [['sem_equipamento', 'nenhum entregador com baú térmico até 20:10']],
  );
  const both = await planned(operator, { entregas, entregadores: [without, equipped] });
  assert.deepEqual(both.plano.fora, []);
  const [, given] = givenBy(both).find(([driver]) => driver === String(equipped))!;
  assert.ok(given.includes(String(hot.id)));
});

test('without any driver on duty everything is left out', async () => {
  const delivery = await openDelivery(malote);
  await db`update drivers set available = false where central_id = 1`;
  const { plano } = await planned(operator, { entregas: [delivery.id] });
  assert.deepEqual(plano.fora, [
    {
      entrega: String(delivery.id),
      motivo: 'sem_entregadores',
      texto: 'nenhum entregador em serviço com posição recente',
    },
  ]);
});

test('a locked delivery goes to its driver only', async () => {
  const delivery = await openDelivery(malote);
  const [close, far] = [await driverAt(malote, near(0)), await driverAt(malote, near(8))];
  const wish = { entregas: [delivery.id], entregadores: [close, far] };
  const locked = await planned(operator, { ...wish, travadas: [{ entrega: delivery.id, entregador: far }] });
  assert.deepEqual(givenBy(locked), [[String(far), [String(delivery.id)]]]);
});

test('what a driver has begun comes first and stays', async () => {
  const begun = await deliveryIn(malote, 'in_progress');
  const driver = begun.driverId!;
  assertOk(await operator.post(`/condutores/${driver}/posicao`, near(0)));
  await db`insert into driver_categories (central_id, driver_id, category_id)
    select 1, ${driver}, id from categories where central_id = 1`;
  const delivery = await openDelivery(malote);
  const plan = await planned(operator, { entregas: [delivery.id], entregadores: [driver] });
  assert.deepEqual(
    plan.plano.rotas[0].paradas.map(({ entrega, fixa }: Json) => [entrega, fixa]),
    [
      [String(begun.id), true],
      [String(delivery.id), false],
      [String(delivery.id), false],
    ],
  );
});

test('progress comes as a stream that ends with the plan', async (t) => {
  const delivery = await openDelivery(malote);
  const driver = await driverAt(malote, near(0));
  const { id } = assertOk(
    await operator.post('/planos', { entregas: [delivery.id], entregadores: [driver], segundos: 1 }),
  ).body.data;
  const headers = { 'api-key': 'demo-chave', authorization: basic('central', 'demo') };
  const source = await openEventSource(t, `${malote.url}/api/v2/operacao/planos/${id}/eventos`, headers);
  await waitUntil('the stream ends', () => source.isOver());
  const messages = source.named('plano');
  assert.equal(messages[0]!.data.estado, 'calculando');
  assert.equal(messages.at(-1)!.data.estado, 'pronto');
  assert.equal((await readPlan(operator, id)).estado, 'pronto');
});

test('what cannot be planned, applied or undone is refused', async () => {
  const delivery = await openDelivery(malote);
  const driver = await driverAt(malote, near(0));
  const wish = { entregas: [delivery.id], entregadores: [driver] };
  assertRefused(await operator.post('/planos', { entregas: [99_999_999] }), 404, /entrega não encontrada/);
  assertRefused(await operator.post('/planos', { entregadores: [88_888] }), 404, /entregador não encontrado/);
  assertRefused(await operator.get('/planos/99999'), 404, /plano não encontrado/);
  assertRefused(await operator.post('/planos/99999/aplicar'), 404, /plano não encontrado/);
  assertRefused(await operator.post('/planos/99999/desfazer'), 404, /plano não encontrado/);
  assertRefused(await operator.get('/planos/99999/eventos'), 404, /plano não encontrado/);

  const slow = await Promise.all(
    [1, 2, 3].map(async () => operator.post('/planos', { ...wish, segundos: 5 })),
  );
  const started = slow.map((answer) => assertOk(answer).body.data.id as string);
  assertRefused(await operator.post('/planos', wish), 409, /já está calculando 3 planos/);
  assertRefused(await operator.post(`/planos/${started[0]}/aplicar`), 409, /ainda não está pronto/);
  await db`update plans set state = 'failed' where central_id = 1 and id = any(${started.map(Number)}::bigint[])`;

  const plan = await planned(operator, wish);
  assertRefused(await operator.post(`/planos/${plan.id}/desfazer`), 409, /nada deste plano está aplicado/);
  await apply(plan.id);
  malote.clock.advance({ seconds: 61 });
  assertRefused(await operator.post(`/planos/${plan.id}/desfazer`), 409, /mais de 60 segundos/);
});

test('another central neither sees nor plans with these', async () => {
  const delivery = await openDelivery(malote);
  const driver = await driverAt(malote, near(0));
  const plan = await planned(operator, { entregas: [delivery.id], entregadores: [driver] });
  const neighbour = client(`${malote.url}/api/v2/operacao`, {
    key: 'demo-vizinha',
    user: 'vizinha',
    password: 'demo',
  });
  assert.equal((await neighbour.get(`/planos/${plan.id}`)).status, 404);
  assert.equal((await neighbour.post(`/planos/${plan.id}/aplicar`)).status, 404);
  assert.equal((await neighbour.post('/planos', { entregas: [delivery.id] })).status, 404);
  assert.equal((await neighbour.post('/planos', { entregadores: [driver] })).status, 404);
  const listed = assertOk(await neighbour.get('/planos')).body.data;
  assert.deepEqual(listed, []);
});

test('a plan whose process ended is shown as failed, and plans are forgotten after a day', async () => {
  const delivery = await openDelivery(malote);
  const driver = await driverAt(malote, near(0));
  const plan = await planned(operator, { entregas: [delivery.id], entregadores: [driver] });
  await db`update plans set state = 'running', plan = null, ready_at = null where central_id = 1 and id = ${Number(plan.id)}`;
  malote.clock.advance({ minutes: 10 });
  assert.equal((await readPlan(operator, plan.id)).estado, 'falhou');
  malote.clock.advance({ hours: 24 });
  await tidyUp(malote.app.deps);
  assertRefused(await operator.get(`/planos/${plan.id}`), 404, /plano não encontrado/);
});
