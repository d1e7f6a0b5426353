import assert from 'node:assert/strict';
import { test } from 'node:test';
import { client, type Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { places } from '../support/orders.ts';
import { driverAt, givenBy, planned, readPlan } from '../support/plans.ts';
import { assertOk, deliveryIn, openDelivery } from '../support/steps.ts';

const malote = await startMalote();
const { operator, db } = malote;
const near = (index: number) => ({ lat: Number(places[index]!.lat), lng: Number(places[index]!.lng) });
const statusOf = async (id: number): Promise<string> =>
  assertOk(await operator.get(`/entregas/${id}`)).body.data.status;
const driverOf = async (id: number): Promise<string | undefined> =>
  assertOk(await operator.get(`/entregas/${id}`)).body.data.condutor?.id;
const apply = async (id: string, body: Json = {}): Promise<Json> =>
  assertOk(await operator.post(`/planos/${id}/aplicar`, body)).body.data;
const undo = async (id: string): Promise<Json> =>
  assertOk(await operator.post(`/planos/${id}/desfazer`)).body.data;
const ids = (rows: readonly Json[]): number[] =>
  rows.map(({ entrega }) => Number(entrega)).sort((a, b) => a - b);

test('an applied route is offered as one run, and accepting one of it accepts all in the order of the plan', async () => {
  const deliveries = [await openDelivery(malote), await openDelivery(malote), await openDelivery(malote)];
  const driver = await driverAt(malote, near(3));
  const plan = await planned(operator, { entregas: deliveries.map(({ id }) => id), entregadores: [driver] });
  const [[, order]] = givenBy(plan) as [[string, string[]]];
  const applied = await apply(plan.id);
  assert.deepEqual(applied.recusadas, []);
  assert.deepEqual(
    applied.aplicadas.map(({ entrega, condutor, status }: Json) => [entrega, condutor.id, status]),
    order.map((id) => [id, String(driver), 'G']),
  );
  assert.equal((await readPlan(operator, plan.id)).plano.rotas[0].aplicada, true);
  // Named by the last of the run.
  const phone = await phoneOf(driver);
  assertOk(await phone.post(`/entregas/${order.at(-1)}/aceitar`));
  assert.deepEqual(await Promise.all(order.map((id) => statusOf(Number(id)))), ['A', 'S', 'S']);
  const { corridas } = assertOk(await operator.get(`/condutores/${driver}/trabalho`)).body.data;
  assert.deepEqual(
    corridas.map(({ id_mch }: Json) => id_mch),
    order,
  );
});

/** A client with a login of the driver. */
async function phoneOf(driverId: number) {
  const nome = `plano${driverId}`;
  assertOk(
    await operator.post('/usuarios', {
      usuario: nome,
      senha: 'senha-do-condutor',
      perfil: 'condutor',
      condutor_id: driverId,
    }),
  );
  return client(`${malote.url}/api/v2/operacao`, {
    key: 'demo-chave',
    user: nome,
    password: 'senha-do-condutor',
  });
}

test('assigned deliveries are the driver’s at once, in the order of the plan', async () => {
  const deliveries = [await openDelivery(malote), await openDelivery(malote), await openDelivery(malote)];
  const driver = await driverAt(malote, near(5));
  const plan = await planned(operator, { entregas: deliveries.map(({ id }) => id), entregadores: [driver] });
  const [[, order]] = givenBy(plan) as [[string, string[]]];
  const applied = await apply(plan.id, { modo: 'atribuicao' });
  assert.deepEqual(
    applied.aplicadas.map(({ entrega, status }: Json) => [entrega, status]),
    order.map((id, index) => [id, index === 0 ? 'A' : 'S']),
  );
  const { corridas } = assertOk(await operator.get(`/condutores/${driver}/trabalho`)).body.data;
  assert.deepEqual(
    corridas.map(({ id_mch }: Json) => id_mch),
    order,
  );
});

test('the setting of the central says how a plan reaches drivers', async (t) => {
  await malote.configureFor(t, { planBy: 'assign' });
  const delivery = await openDelivery(malote);
  const driver = await driverAt(malote, near(5));
  const plan = await planned(operator, { entregas: [delivery.id], entregadores: [driver] });
  assert.equal((await apply(plan.id)).aplicadas[0].status, 'A');
});

test('deliveries of a driver who had an accident move to others, and undoing gives them back', async () => {
  const current = await deliveryIn(malote, 'accepted');
  const hurt = current.driverId!;
  const next = await openDelivery(malote);
  assertOk(await operator.post(`/entregas/${next.id}/aceitar`, { condutor_id: hurt }));
  const others = [await driverAt(malote, near(0)), await driverAt(malote, near(1))];
  const plan = await planned(operator, { entregas: [current.id, next.id], entregadores: others });
  const applied = await apply(plan.id);
  assert.deepEqual(ids(applied.aplicadas), [current.id, next.id]);
  for (const { entrega, condutor } of applied.aplicadas) {
    assert.equal(await driverOf(Number(entrega)), condutor.id);
    assert.ok(others.includes(Number(condutor.id)));
  }
  const undone = await undo(plan.id);
  assert.deepEqual(undone.mantidas, []);
  for (const id of [current.id, next.id]) assert.equal(await driverOf(id), String(hurt));
});

test('two drivers swap their current deliveries', async () => {
  const [one, other] = [await deliveryIn(malote, 'accepted'), await deliveryIn(malote, 'accepted')];
  for (const driver of [one.driverId!, other.driverId!]) {
    assertOk(await operator.post(`/condutores/${driver}/posicao`, near(2)));
    await db`insert into driver_categories (central_id, driver_id, category_id)
      select 1, ${driver}, id from categories where central_id = 1`;
  }
  const plan = await planned(operator, {
    entregas: [one.id, other.id],
    entregadores: [one.driverId, other.driverId],
    travadas: [
      { entrega: one.id, entregador: other.driverId },
      { entrega: other.id, entregador: one.driverId },
    ],
  });
  assert.deepEqual((await apply(plan.id)).recusadas, []);
  assert.deepEqual(
    [await driverOf(one.id), await driverOf(other.id), await statusOf(one.id), await statusOf(other.id)],
    [String(other.driverId), String(one.driverId), 'A', 'A'],
  );
});

test('what changed since the plan is left as it is and named', async () => {
  const [gone, taken, edited, kept] = [
    await openDelivery(malote),
    await openDelivery(malote),
    await openDelivery(malote),
    await openDelivery(malote),
  ];
  const [driver, other] = [await driverAt(malote, near(4)), await driverAt(malote, near(6))];
  const plan = await planned(operator, {
    entregas: [gone, taken, edited, kept].map(({ id }) => id),
    entregadores: [driver],
  });
  assertOk(await malote.manager.post(`/entregas/${gone.id}/cancelar`, { motivo_id: 2 }));
  assertOk(await operator.post(`/entregas/${taken.id}/aceitar`, { condutor_id: other }));
  await db`update deliveries set pickup_lat = pickup_lat + 0.01 where central_id = 1 and id = ${edited.id}`;
  const applied = await apply(plan.id);
  assert.deepEqual(ids(applied.aplicadas), [kept.id]);
  assert.deepEqual(
    applied.recusadas
      .map(({ entrega, motivo }: Json) => [Number(entrega), motivo])
      .sort(([a]: number[], [b]: number[]) => a! - b!),
    [
      [gone.id, 'encerrada'],
      [taken.id, 'com_outro'],
      [edited.id, 'alterada'],
    ],
  );
  assert.equal(await driverOf(taken.id), String(other));
});

test('a driver who changed since the plan gets nothing of it', async () => {
  for (const [change, motivo] of [
    [
      async (id: number) => operator.post(`/condutores/${id}/disponibilidade`, { disponivel: false }),
      'entregador_fora_de_servico',
    ],
    [
      async (id: number) => db`update drivers set active = false where central_id = 1 and id = ${id}`,
      'entregador_inativo',
    ],
    [
      async (id: number) => db`delete from driver_categories where central_id = 1 and driver_id = ${id}`,
      'entregador_nao_atende',
    ],
    [
      async (id: number) =>
        operator.post(`/entregas/${(await openDelivery(malote)).id}/aceitar`, { condutor_id: id }),
      'entregador_com_outra',
    ],
  ] as const) {
    const delivery = await openDelivery(malote);
    const driver = await driverAt(malote, near(7));
    const plan = await planned(operator, { entregas: [delivery.id], entregadores: [driver] });
    await change(driver);
    const applied = await apply(plan.id);
    assert.deepEqual(
      applied.recusadas.map((each: Json) => each.motivo),
      [motivo],
    );
    assert.deepEqual(applied.aplicadas, []);
    assert.equal(await statusOf(delivery.id), 'D');
  }
});

test('repeating an application does nothing twice, and parts can be applied one after the other', async () => {
  const deliveries = [await openDelivery(malote), await openDelivery(malote)];
  const drivers = [await driverAt(malote, near(0)), await driverAt(malote, near(9))];
  const plan = await planned(operator, {
    entregas: deliveries.map(({ id }) => id),
    entregadores: drivers,
    travadas: deliveries.map(({ id }, index) => ({ entrega: id, entregador: drivers[index] })),
  });
  const first = await apply(plan.id, { entregadores: [drivers[0]] });
  assert.deepEqual(ids(first.aplicadas), [deliveries[0]!.id]);
  const both = await apply(plan.id);
  assert.deepEqual(
    ids(both.aplicadas),
    deliveries.map(({ id }) => id),
  );
  assert.deepEqual(
    ids((await apply(plan.id)).aplicadas),
    deliveries.map(({ id }) => id),
  );
  const [count] = await db<{ offers: number }>`
    select count(*) as offers from offers
    where central_id = 1 and delivery_id = any(${deliveries.map(({ id }) => id)}::bigint[])`;
  assert.equal(count!.offers, 2);
});

test('undoing takes back open offers and assigned deliveries, and keeps what was accepted or begun', async () => {
  const [offered, accepted] = [await openDelivery(malote), await openDelivery(malote)];
  const drivers = [await driverAt(malote, near(2)), await driverAt(malote, near(3))];
  const plan = await planned(operator, {
    entregas: [offered.id, accepted.id],
    entregadores: drivers,
    travadas: [
      { entrega: offered.id, entregador: drivers[0] },
      { entrega: accepted.id, entregador: drivers[1] },
    ],
  });
  await apply(plan.id);
  const phone = await phoneOf(drivers[1]!);
  assertOk(await phone.post(`/entregas/${accepted.id}/aceitar`));
  const undone = await undo(plan.id);
  assert.deepEqual(undone.desfeitas, [String(offered.id)]);
  assert.deepEqual(
    undone.mantidas.map(({ entrega, motivo }: Json) => [entrega, motivo]),
    [[String(accepted.id), 'aceita']],
  );
  assert.equal(await statusOf(offered.id), 'D');

  const assigned = [await openDelivery(malote), await openDelivery(malote)];
  const driver = await driverAt(malote, near(2));
  const second = await planned(operator, { entregas: assigned.map(({ id }) => id), entregadores: [driver] });
  const [[, order]] = givenBy(second) as [[string, string[]]];
  await apply(second.id, { modo: 'atribuicao' });
  assertOk(await operator.post(`/entregas/${order[0]}/chegar`));
  assert.deepEqual(await undo(second.id), {
    id: second.id,
    desfeitas: [order[1]],
    mantidas: [
      {
        entrega: order[0],
        motivo: 'iniciada',
        texto: 'um entregador já está na coleta ou a caminho das paradas',
      },
    ],
  });
  assert.equal(await driverOf(Number(order[1])), undefined);
});

test('when a hard window would be missed by now, the delivery is named', async () => {
  const [strict, loose] = [await openDelivery(malote), await openDelivery(malote)];
  await db`
    insert into stop_demands (central_id, stop_id, window_until, window_is_hard)
    values (1, ${strict.stopIds[0]!}, ${malote.clock.now().add({ minutes: 60 })}, true)`;
  const driver = await driverAt(malote, near(0));
  const plan = await planned(operator, { entregas: [strict.id, loose.id], entregadores: [driver] });
  assert.deepEqual(plan.plano.fora, []);
  malote.clock.advance({ minutes: 55 });
  const applied = await apply(plan.id);
  assert.deepEqual(
    applied.recusadas.map(({ entrega, motivo }: Json) => [entrega, motivo]),
    [[String(strict.id), 'janela_perdida']],
  );
  assert.deepEqual(ids(applied.aplicadas), [loose.id]);
});

test('a demand that was added after the plan counts as a change', async () => {
  const delivery = await openDelivery(malote);
  const driver = await driverAt(malote, near(0));
  const plan = await planned(operator, { entregas: [delivery.id], entregadores: [driver] });
  await db`insert into stop_demands (central_id, stop_id, packages) values (1, ${delivery.stopIds[0]!}, 3)`;
  assert.equal((await apply(plan.id)).recusadas[0].motivo, 'alterada');
});
