import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMalote } from '../support/malote.ts';
import { order, stop } from '../support/orders.ts';
import { distributeOnce } from '../support/rounds.ts';

const malote = await startMalote();
const { manager, operator, clock, db } = malote;
const distribute = () => distributeOnce(malote.app.deps);

const open = async (changes: Record<string, unknown> = {}): Promise<string> => {
  const answer = await manager.post('/entregas', order(changes));
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.id_mch;
};
const status = async (id: string): Promise<string> =>
  (await manager.get(`/entregas/${id}/status`)).body.data.status;
const openOffers = (id: string) =>
  db<{
    driver_id: number;
  }>`select driver_id from offers where central_id = 1 and delivery_id = ${id} and state = 'open'`;
/** Changes with every write. */
const rowVersion = async (id: string): Promise<string> => {
  const [row] = await db<{ xmin: string }>`
    select xmin::text as xmin from deliveries where central_id = 1 and id = ${id}`;
  return row!.xmin;
};
const everybody = (available: boolean) =>
  db`update drivers set available = ${available} where central_id = 1`;
const only = async (...drivers: number[]) => {
  await everybody(false);
  await db`update drivers set available = true where central_id = 1 and id = any(${drivers}::bigint[])`;
};
const reset = async () => {
  await db`update offers set state = 'withdrawn', closed_at = offered_at where state = 'open'`;
  const { body } = await manager.post('/entregas/consultar', { limite: 100 });
  for (const { id, status_solicitacao } of body.data)
    if (!'FCN'.includes(status_solicitacao)) await manager.post(`/entregas/${id}/cancelar`, { motivo_id: 6 });
  await everybody(true);
  await db`update driver_positions set at = ${clock.now()}`;
};

test('the nearest free driver is asked, and may accept', async () => {
  await reset();
  const id = await open();
  await distribute();
  assert.equal(await status(id), 'G');
  const [offer] = await openOffers(id);
  // João waits 200 m from the pickup of the demonstration.
  assert.equal(offer!.driver_id, 1);
  assert.equal((await malote.driver(1).post(`/entregas/${id}/aceitar`)).status, 200);
  assert.equal(await status(id), 'A');
});

test('a refusal goes on to the next driver, and nobody is asked twice', async () => {
  await reset();
  await only(1, 2);
  const id = await open();
  await distribute();
  const [first] = await openOffers(id);
  assert.equal((await malote.driver(first!.driver_id).post(`/entregas/${id}/recusar`)).status, 200);
  assert.equal(await status(id), 'D');
  await distribute();
  const [second] = await openOffers(id);
  assert.deepEqual(new Set([first!.driver_id, second!.driver_id]), new Set([1, 2]));
  assert.equal((await malote.driver(second!.driver_id).post(`/entregas/${id}/recusar`)).status, 200);
  await distribute();
  assert.equal(await status(id), 'P');
});

test('a driver who was not asked may be quicker where drivers take from the list, unless an operator named the one it is for', async (t) => {
  await reset();
  await only(1, 2);
  const id = await open();
  await distribute();
  const [asked] = await openOffers(id);
  const other = asked!.driver_id === 1 ? 2 : 1;
  assert.equal((await malote.driver(other).post(`/entregas/${id}/aceitar`)).status, 404);
  await malote.configureFor(t, { takeFromList: true, takeMetresMax: 100_000 });
  assert.equal((await malote.driver(other).post(`/entregas/${id}/aceitar`)).status, 200);
  assert.equal((await openOffers(id)).length, 0, 'the open offer is withdrawn');

  const named = await open();
  await operator.post(`/entregas/${named}/atribuir`, { condutor_id: asked!.driver_id });
  assert.equal((await malote.driver(3).post(`/entregas/${named}/aceitar`)).status, 404);
});

test('an offer that nobody answers runs out', async () => {
  await reset();
  await only(1, 2);
  const id = await open();
  await distribute();
  const [first] = await openOffers(id);
  clock.advance({ seconds: 31 });
  await db`update driver_positions set at = ${clock.now()}`;
  await distribute();
  const [second] = await openOffers(id);
  assert.notEqual(second!.driver_id, first!.driver_id);
  const late = await malote.driver(first!.driver_id).post(`/entregas/${id}/aceitar`);
  assert.notEqual(late.status, 200);
});

test('without a driver it is pending, is tried again, and ends as not attended', async () => {
  await reset();
  await everybody(false);
  const id = await open({ forma_pagamento: 'R' });
  await distribute();
  assert.equal(await status(id), 'P');
  const { body: query } = await manager.post('/entregas/consultar', { status_solicitacao: 'P' });
  assert.equal(query.data[0].id, id);
  assert.notEqual(query.data[0].data_hora_pendencia, null);

  const before = await rowVersion(id);
  await distribute();
  assert.equal(await rowVersion(id), before, 'nothing is written as long as nobody is free');
  await only(3);
  await distribute();
  assert.equal(await status(id), 'G', 'whoever becomes free is asked at once');
  await malote.driver(3).post(`/entregas/${id}/recusar`);

  clock.advance({ minutes: 20 });
  await distribute();
  assert.equal(await status(id), 'N');
  const [held] = await db<{ reserved_cents: number }>`
    select reserved_cents from deliveries where central_id = 1 and id = ${id}`;
  assert.equal(held!.reserved_cents, 0, 'what was reserved is given back');
});

test('beside a free driver who is too far away it is looked at again in its time', async (t) => {
  await reset();
  await only(3);
  const put = (lat: number) =>
    db`update driver_positions set lat = ${lat} where central_id = 1 and driver_id = 3`;
  const [home] = await db<{ lat: number }>`
    select lat from driver_positions where central_id = 1 and driver_id = 3`;
  t.after(() => put(home!.lat));
  await put(home!.lat + 1);
  const id = await open();
  await distribute();
  assert.equal(await status(id), 'P');
  await put(home!.lat);
  await distribute();
  assert.equal(await status(id), 'P', 'not looked at before its time');
  clock.advance({ seconds: 16 });
  await distribute();
  assert.equal(await status(id), 'G');
});

test('drivers of another category, too far away, unseen or unavailable are not asked', async (t) => {
  await reset();
  await only(1, 2, 3, 4);
  t.after(async () => {
    await db`insert into driver_categories (central_id, driver_id, category_id)
      select 1, 1, id from categories where central_id = 1`;
    await db`update driver_positions set lat = -30.0377, lng = -51.2159 where central_id = 1 and driver_id = 2`;
  });
  await db`delete from driver_categories where central_id = 1 and driver_id = 1`;
  await db`update driver_positions set lat = -30.29, lng = -51.05 where central_id = 1 and driver_id = 2`;
  await db`update driver_positions set at = ${clock.now().subtract({ hours: 1 })} where central_id = 1 and driver_id = 3`;
  await db`update drivers set available = false where central_id = 1 and id = 4`;
  const id = await open();
  await distribute();
  assert.equal(await status(id), 'P');
});

test('several drivers are asked at once where the central says so; the first to accept has it', async (t) => {
  await reset();
  await malote.configureFor(t, { offersAtOnce: 3 });
  const id = await open();
  await distribute();
  const offers = await openOffers(id);
  assert.equal(offers.length, 3);
  const answers = await Promise.all(
    offers.map(({ driver_id }) => malote.driver(driver_id).post(`/entregas/${id}/aceitar`)),
  );
  assert.deepEqual(
    answers.map((answer) => answer.status).toSorted((a, b) => a - b),
    [200, 409, 409],
  );
  assert.equal((await openOffers(id)).length, 0);
});

test('two deliveries are matched together, not first come, first served', async () => {
  await reset();
  await only(1, 2);
  // Driver 1 is nearest to both pickups; driver 2 can reach the second one only a little later, the first one much later.
  await db`update driver_positions set lat = -30.0300, lng = -51.2300 where central_id = 1 and driver_id = 1`;
  await db`update driver_positions set lat = -30.0200, lng = -51.2000 where central_id = 1 and driver_id = 2`;
  const at = (lat: string, lng: string) => ({ endereco: 'Rua A, 1', bairro: 'B', lat, lng });
  const near = await open({ partida: at('-30.0280', '-51.2240') });
  const far = await open({ partida: at('-30.0380', '-51.2420') });
  await distribute();
  const [[nearOffer], [farOffer]] = await Promise.all([openOffers(near), openOffers(far)]);
  assert.deepEqual({ near: nearOffer!.driver_id, far: farOffer!.driver_id }, { near: 2, far: 1 });
});

test('a driver who carries one of the same company is given a next one that begins where it ends', async () => {
  await reset();
  await only(1);
  const first = await open();
  await operator.post(`/entregas/${first}/aceitar`, { condutor_id: 1 });
  await operator.post(`/entregas/${first}/iniciar`, {});
  const elsewhere = await open();
  await distribute();
  assert.equal(await status(elsewhere), 'P', 'its pickup is far from where the first one ends');

  const end = { endereco: 'Av. Ipiranga, 1', bairro: 'Azenha', lat: '-30.0487', lng: '-51.2155' };
  const onTheWay = await open({ partida: end });
  await distribute();
  assert.equal(await status(onTheWay), 'G');
  assert.equal((await malote.driver(1).post(`/entregas/${onTheWay}/aceitar`)).status, 200);
  assert.equal(await status(onTheWay), 'S');
});

test('the event of the first step names the stops as they are then', async () => {
  await reset();
  await only();
  const two = { paradas: [stop(0), { ...stop(1), id_externo: 'erp-2' }] };
  const [created, edited, forgotten] = [await open(two), await open(two), await open(two)];
  assert.equal((await manager.put(`/entregas/${edited}`, order({ paradas: [stop(4)] }))).status, 200);
  await db`delete from events where central_id = 1 and delivery_id = ${forgotten}`;
  await distribute();
  for (const [id, count] of [
    [created, 2],
    [edited, 1],
    [forgotten, 2],
  ] as const) {
    const [event] = await db<{ status: string; stops: Record<string, unknown>[] }>`
      select payload ->> 'status' as status, payload -> 'stops' as stops from events
      where central_id = 1 and delivery_id = ${id} order by sequence desc limit 1`;
    const stops = await db<Record<string, unknown>>`
      select id, position as order, order_number as "orderNumber", external_id as "externalId",
        false as concluded, false as "notDelivered"
      from stops where central_id = 1 and delivery_id = ${id} order by position`;
    assert.equal(stops.length, count);
    assert.deepEqual(event, { status: 'pending', stops });
  }
});

test('two processes that distribute side by side ask each driver once', async () => {
  await reset();
  const ids = await Promise.all(Array.from({ length: 6 }, () => open()));
  await Promise.all([distribute(), distribute(), distribute()]);
  // Where two dispatchers wanted one driver for different deliveries, one postponed its delivery to the next round.
  clock.advance({ seconds: 16 });
  await db`update driver_positions set at = ${clock.now()}`;
  await distribute();
  const offers = (await Promise.all(ids.map(openOffers))).flat();
  assert.equal(offers.length, 6);
  assert.equal(new Set(offers.map(({ driver_id }) => driver_id)).size, 6);
});
