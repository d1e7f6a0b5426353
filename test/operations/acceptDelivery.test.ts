import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMalote } from '../support/malote.ts';
import { pickup } from '../support/orders.ts';
import { changeRecord } from '../support/registers.ts';
import {
  allOf,
  assertOk,
  assertRefused,
  countStatuses,
  deliveryIn,
  newDriver,
  openDelivery,
} from '../support/steps.ts';

const malote = await startMalote();
const { operator } = malote;

const statusOf = async (id: number): Promise<string> =>
  assertOk(await malote.central.get(`/entregas/${id}/status`)).body.data.status;
const assign = async (id: number, driverId: number) =>
  assertOk(await operator.post(`/entregas/${id}/atribuir`, { condutor_id: driverId }));
/** Offers a delivery to several drivers, as the search does where the central allows it. */
async function offerAtOnce(id: number, drivers: number[]): Promise<void> {
  const [first, ...others] = drivers;
  await assign(id, first!);
  await malote.db`
    insert into offers (central_id, id, delivery_id, driver_id, state, offered_at)
    select 1, offer_id, ${id}, driver, 'open', ${malote.clock.now()}
    from unnest(${await malote.db.newIds(1, 'offer', others.length)}::bigint[], ${others}::bigint[])
      as offers (offer_id, driver)`;
}
const accept = (id: number, driverId: number) =>
  operator.post(`/entregas/${id}/aceitar`, { condutor_id: driverId });

/** Frees the demonstration's drivers, because the tests share their logins. */
test.afterEach(async () => {
  const carried = await malote.db<{ id: number }>`
    select id from deliveries where central_id = 1 and driver_id <= 6
      and status in ('accepted', 'on_hold', 'in_progress') and grouped_into is null`;
  for (const { id } of carried)
    assertOk(await malote.central.post(`/entregas/${id}/cancelar`, { motivo_id: 6 }));
});

test('a driver accepts what was offered to it', async () => {
  const { id } = await openDelivery(malote);
  await assign(id, 1);
  const answer = assertOk(await malote.driver(1).post(`/entregas/${id}/aceitar`));
  assert.deepEqual(answer.body, { success: true, data: { id_mch: String(id), status: 'A' } });
  const { data } = assertOk(await malote.manager.get(`/entregas/${id}`)).body;
  assert.equal(data.condutor_id, '1');
  assert.equal(data.taxista_id, '1');
  assert.equal(data.nome_condutor, 'João Silva');
  assert.equal(data.data_hora_aceite_utc, '2026-11-16T15:00:00Z');
});

test('the distance to the pickup is the straight line from where the driver was last seen', async () => {
  const near = { lat: Number(pickup.lat) + 0.01, lng: Number(pickup.lng) };
  const { id } = await openDelivery(malote);
  assertOk(await accept(id, await newDriver(malote, near)));
  // A hundredth of a degree of latitude is 1,111.95 m on a sphere of the earth's mean radius.
  assert.equal(assertOk(await malote.manager.get(`/entregas/${id}`)).body.data.distancia_coleta_km, '1.11');
});

test('the distance to the pickup is 0 for a driver who was never seen', async () => {
  const { id } = await openDelivery(malote);
  assertOk(await accept(id, await newDriver(malote)));
  assert.equal(assertOk(await malote.manager.get(`/entregas/${id}`)).body.data.distancia_coleta_km, '0.00');
});

test('of many drivers who accept at once exactly one has the delivery, and the others are refused', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id } = await openDelivery(malote);
    const drivers = await Promise.all(Array.from({ length: 6 }, () => newDriver(malote)));
    const answers = await Promise.all(drivers.map((driverId) => accept(id, driverId)));
    const winners = answers.filter((answer) => answer.status === 200);
    assert.equal(winners.length, 1);
    for (const loser of answers.filter((answer) => answer.status !== 200))
      assertRefused(loser, 409, /já foi aceita por outro entregador/);
    const winner = drivers[answers.indexOf(winners[0]!)];
    const { data } = assertOk(await malote.manager.get(`/entregas/${id}`)).body;
    assert.equal(data.condutor_id, String(winner));
    assert.equal(await statusOf(id), 'A');
  }
});

test('a driver who was asked and accepts too late gets 409, although it may not see the delivery any more', async () => {
  const { id } = await openDelivery(malote);
  await offerAtOnce(id, [1, 2, 3]);
  const answers = await Promise.all(
    [1, 2, 3].map((number) => malote.driver(number).post(`/entregas/${id}/aceitar`)),
  );
  assert.deepEqual(countStatuses(answers), { 200: 1, 409: 2 });
});

test('a delivery accepted by a driver who has another waits on hold, and cannot be started', async () => {
  const driverId = await newDriver(malote);
  const [first, second] = [await openDelivery(malote), await openDelivery(malote)];
  assert.equal(assertOk(await accept(first.id, driverId)).body.data.status, 'A');
  assert.equal(assertOk(await accept(second.id, driverId)).body.data.status, 'S');
  assert.equal(await statusOf(second.id), 'S');
  // The query never returns S (contract 2.5).
  assert.equal(
    assertOk(await malote.manager.get(`/entregas/${second.id}`)).body.data.status_solicitacao,
    'A',
  );
  const before = await allOf(malote, second.id);
  assertRefused(await operator.post(`/entregas/${second.id}/iniciar`), 406, /etapa não é possível/);
  assert.deepEqual(await allOf(malote, second.id), before);
});

test('if a driver accepts several at once, one is current and the others wait on hold', async () => {
  const driverId = await newDriver(malote);
  const opened = await Promise.all(Array.from({ length: 4 }, () => openDelivery(malote)));
  const answers = await Promise.all(opened.map(({ id }) => accept(id, driverId)));
  const statuses: string[] = answers.map((answer) => assertOk(answer).body.data.status);
  assert.deepEqual(statuses.sort(), ['A', 'S', 'S', 'S']);
});

const endings = {
  finished: async (id: number) => {
    const [stop] = await malote.db<{ id: number }>`
      select id from stops where central_id = 1 and delivery_id = ${id}`;
    assertOk(await operator.post(`/entregas/${id}/iniciar`));
    assertOk(await operator.post(`/entregas/${id}/paradas/${stop!.id}/concluir`));
    assertOk(await operator.post(`/entregas/${id}/finalizar`));
  },
  cancelled: async (id: number) =>
    assertOk(await malote.central.post(`/entregas/${id}/cancelar`, { motivo_id: 3 })),
  'given up': async (id: number) => assertOk(await operator.post(`/entregas/${id}/desistir`)),
};
for (const [ending, end] of Object.entries(endings))
  test(`once the current one is ${ending}, the one that waited longest becomes current`, async () => {
    const driverId = await newDriver(malote);
    const opened = [await openDelivery(malote), await openDelivery(malote), await openDelivery(malote)];
    for (const { id } of opened) {
      assertOk(await accept(id, driverId));
      malote.clock.advance({ minutes: 1 });
    }
    await end(opened[0]!.id);
    assert.equal(await statusOf(opened[1]!.id), 'A');
    assert.equal(await statusOf(opened[2]!.id), 'S');
    const events = await malote.db<{ payload: unknown }>`
      select payload from events where central_id = 1 and delivery_id = ${opened[1]!.id} order by sequence`;
    assert.partialDeepStrictEqual(events.at(-1)!.payload, {
      status: 'accepted',
      previousStatus: 'on_hold',
      driverId,
    });
  });

test('taking away one that waits on hold leaves the current one and the others as they are', async () => {
  const driverId = await newDriver(malote);
  const opened = [await openDelivery(malote), await openDelivery(malote), await openDelivery(malote)];
  for (const { id } of opened) assertOk(await accept(id, driverId));
  await endings.cancelled(opened[1]!.id);
  assert.equal(await statusOf(opened[0]!.id), 'A');
  assert.equal(await statusOf(opened[2]!.id), 'S');
});

test('an offered delivery is accepted only by a driver it is offered to; to others it is the same as none', async () => {
  const { id } = await openDelivery(malote);
  await assign(id, 1);
  assertRefused(await malote.driver(2).post(`/entregas/${id}/aceitar`), 404, /entrega não encontrada/);
  assert.equal(assertOk(await malote.driver(1).post(`/entregas/${id}/aceitar`)).body.data.status, 'A');
});

test('an operator may accept for a driver to whom it was not offered, which closes the offers of others', async () => {
  const { id } = await openDelivery(malote);
  await assign(id, 1);
  assertOk(await accept(id, 2));
  assertRefused(await malote.driver(1).post(`/entregas/${id}/aceitar`), 409, /outro entregador/);
  const offers = await malote.db<{ driver_id: number; state: string }>`
    select driver_id, state from offers where central_id = 1 and delivery_id = ${id}`;
  assert.deepEqual(offers, [{ driver_id: 1, state: 'withdrawn' }]);
});

test('an offer that has run out cannot be accepted any more', async () => {
  const { id } = await openDelivery(malote);
  await assign(id, 1);
  await malote.db`
    update offers set expires_at = ${malote.clock.now().add({ seconds: 30 })}
    where central_id = 1 and delivery_id = ${id}`;
  malote.clock.advance({ seconds: 30 });
  assertRefused(await malote.driver(1).post(`/entregas/${id}/aceitar`), 406, /não está mais oferecida/);
  assert.equal(await statusOf(id), 'G');
});

test('a driver who refused what is now offered to another learns that the offer is gone', async () => {
  const { id } = await openDelivery(malote);
  await assign(id, 1);
  assertOk(await malote.driver(1).post(`/entregas/${id}/recusar`));
  await assign(id, 2);
  assertRefused(await malote.driver(1).post(`/entregas/${id}/aceitar`), 406, /não está mais oferecida/);
});

test('a driver acts for no other driver, and only an operator needs to name one', async () => {
  const { id } = await openDelivery(malote);
  const forAnother = await malote.driver(1).post(`/entregas/${id}/aceitar`, { condutor_id: 2 });
  assertRefused(forAnother, 404, /entregador não encontrado/);
  const unnamed = await operator.post(`/entregas/${id}/aceitar`, {});
  assert.equal(unnamed.status, 400);
  assert.deepEqual(unnamed.body.errors, [
    { code: 2, message: "'condutor_id': é obrigatório", kind: 'invalid-input' },
  ]);
  const nobody = await operator.post(`/entregas/${id}/aceitar`, { condutor_id: 999_999 });
  assertRefused(nobody, 404, /entregador não encontrado/);
  const neighbours = await operator.post(`/entregas/${id}/aceitar`, { condutor_id: 10_000_001 });
  assertRefused(neighbours, 404, /entregador não encontrado/);
  await assign(id, 1);
  assertOk(await malote.driver(1).post(`/entregas/${id}/aceitar`, { condutor_id: 1 }));
});

test('a delivery for another vehicle does not exist for a driver, until it is offered to it', async (t) => {
  const { id } = await openDelivery(malote, { categoria_id: 2 });
  const { categorias } = assertOk(await operator.get('/condutores/3')).body.data;
  const others = categorias.filter((categoryId: number) => categoryId !== 2);
  await changeRecord(t, operator, '/condutores/3', { categorias: others });
  assertRefused(await malote.driver(3).post(`/entregas/${id}/aceitar`), 404, /entrega não encontrada/);
  await assign(id, 3);
  assertOk(await malote.driver(3).post(`/entregas/${id}/aceitar`));
});

test('an inactive driver is given nothing', async () => {
  const driverId = await newDriver(malote);
  await malote.db`update drivers set active = false where central_id = 1 and id = ${driverId}`;
  const { id } = await openDelivery(malote);
  assertRefused(await accept(id, driverId), 422, /entregador está inativo/);
  assertRefused(
    await operator.post(`/entregas/${id}/atribuir`, { condutor_id: driverId }),
    422,
    /entregador está inativo/,
  );
  assert.equal(await statusOf(id), 'D');
});

test("another driver's delivery is to a driver's login the same as none, whatever the step", async () => {
  const delivery = await deliveryIn(malote, 'in_progress');
  const before = await allOf(malote, delivery.id);
  for (const step of ['recusar', 'chegar', 'iniciar', 'finalizar', 'desistir'])
    assertRefused(await malote.driver(1).post(`/entregas/${delivery.id}/${step}`), 404, /não encontrada/);
  assertRefused(
    await malote.driver(1).post(`/entregas/${delivery.id}/paradas/${delivery.stopIds[0]}/concluir`),
    404,
    /entrega não encontrada/,
  );
  assert.deepEqual(await allOf(malote, delivery.id), before);
});

test('a delivery that awaits release does not exist for drivers', async () => {
  const { id } = await deliveryIn(malote, 'awaiting_release');
  assertRefused(await malote.driver(1).post(`/entregas/${id}/aceitar`), 404, /não encontrada/);
});

test('the same key accepts once and answers twice', async () => {
  const { id } = await openDelivery(malote);
  await assign(id, 1);
  const key = { 'idempotency-key': `accept-${id}` };
  const first = assertOk(await malote.driver(1).post(`/entregas/${id}/aceitar`, {}, key));
  const again = assertOk(await malote.driver(1).post(`/entregas/${id}/aceitar`, {}, key));
  assert.equal(again.text, first.text);
});
