import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Settings } from '../../server/src/centrals/central.ts';
import { NoRoadBetween, type Router } from '../../server/src/geo/routing/router.ts';
import { estimatorFor, estimatorRouters } from '../../server/src/geo/routing/routers.ts';
import { haversineMetres, type Position } from '../../server/src/platform/kernel/position.ts';
import { startMalote } from '../support/malote.ts';
import { pickup, places } from '../support/orders.ts';
import { longestJump, simulation } from '../support/simulation.ts';
import { allOf, assertOk, newDriver, openDelivery } from '../support/steps.ts';

const SPEED = 30;
const malote = await startMalote();
await malote.configure({ simulatedCouriers: true, simulationSpeed: SPEED });
const simulated = simulation(malote);

const PICKUP: Position = { lat: Number(pickup.lat), lng: Number(pickup.lng) };
const place = (index: number): Position => ({
  lat: Number(places[index]!.lat),
  lng: Number(places[index]!.lng),
});

const offersOf = (id: number) =>
  malote.db<{ driver_id: number; state: string }>`
    select driver_id, state from offers where central_id = 1 and delivery_id = ${id} order by id`;

const read = async (id: number) => assertOk(await malote.central.get(`/entregas/${id}`)).body.data;

const balance = async (): Promise<number> => {
  const query = new URLSearchParams({ tipo_identificacao: 'J', identificacao: '11222333000181' });
  return assertOk(await malote.central.get(`/entregas/empresas/creditos/saldo?${query}`)).body.data.saldo;
};

beforeEach(async () => {
  const [open] = await malote.db<{ count: number }>`
    select count(*) from deliveries where status not in ('finished', 'cancelled', 'not_attended')`;
  assert.equal(open!.count, 0, 'an earlier test left a delivery open');
});

test('a delivery is accepted, fetched, carried stop by stop and finished', async () => {
  const { id } = await openDelivery(malote, {}, 3);
  const { letters, positions, seconds } = await simulated.follow(id);
  assert.equal(letters, 'DGAEF');
  const recorded = await read(id);
  const moments = [
    recorded.data_hora_solicitacao_utc,
    recorded.data_hora_aceite_utc,
    recorded.data_hora_chegada_local_utc,
    recorded.data_hora_inicio,
    recorded.data_hora_finalizacao_utc,
  ];
  assert.deepEqual(
    moments,
    moments.toSorted((a: string, b: string) => a.localeCompare(b)),
  );
  assert.ok(new Set(moments).size === moments.length, `each step takes its time: ${moments.join(', ')}`);
  const [{ planned_seconds: planned }] = (await malote.db<{ planned_seconds: number }>`
    select planned_seconds from deliveries where central_id = 1 and id = ${id}`) as [
    { planned_seconds: number },
  ];
  assert.ok(seconds * SPEED > planned, 'no faster than the roads allow');
  assert.ok(seconds * SPEED < planned * 3 + 1800, `and no slower than people are: ${seconds} s`);
  for (const goal of [PICKUP, place(0), place(1), place(2)])
    assert.ok(
      positions.some((position) => haversineMetres(position, goal) < 20),
      `passes by ${goal.lat}, ${goal.lng}`,
    );
  assert.ok(new Set(positions.map(({ lat, lng }) => `${lat} ${lng}`)).size > 15, 'is seen on the way');
  assert.ok(longestJump(positions) < (SPEED * 60) / 3.6, `jumps ${longestJump(positions)} m at most`);
});

test('stops are concluded in their order, by the code that only the recipient knows', async () => {
  await malote.configure({ confirmationCode: true });
  const { id, stopIds } = await openDelivery(malote, {}, 3);
  assert.equal((await simulated.follow(id)).letters, 'DGAEF');
  await malote.configure({ confirmationCode: false });
  const stops = await malote.db<{ id: number; code: number | null; wrong_codes: number }>`
    select id, confirmation_code as code, wrong_codes from stops
    where central_id = 1 and delivery_id = ${id} order by concluded_at`;
  assert.deepEqual(
    stops.map((stop) => stop.id),
    stopIds,
  );
  for (const stop of stops) {
    assert.ok(stop.code !== null);
    assert.equal(stop.wrong_codes, 0);
  }
});

test('a stop that wrong codes have locked is concluded by the central', async (t) => {
  await malote.configureFor(t, { confirmationCode: true });
  const { id, stopIds } = await openDelivery(malote);
  await simulated.follow(id, { until: 'E' });
  await malote.db`update stops set wrong_codes = 5 where central_id = 1 and id = ${stopIds[0]}`;
  assert.equal((await simulated.follow(id)).letters, 'EF');
});

test('a delivery that returns ends at its pickup', async () => {
  const { id } = await openDelivery(malote, { com_retorno: true }, 2);
  const { letters, positions } = await simulated.follow(id);
  assert.equal(letters, 'DGAEF');
  assert.ok(haversineMetres(positions.at(-1)!, PICKUP) < 20);
});

test('the reserve of the wallet is settled at the end', async () => {
  const before = await balance();
  const { id } = await openDelivery(malote, { forma_pagamento: 'R' });
  assert.ok((await balance()) < before, 'reserved');
  assert.equal((await simulated.follow(id)).letters, 'DGAEF');
  const { valor_corrida: fare } = await read(id);
  assert.equal(((await balance()) * 100).toFixed(0), (before * 100 - Number(fare) * 100).toFixed(0));
});

test('refusal: the first courier says no, and the next one carries it to the end', async () => {
  const { id } = await openDelivery(malote, { observacao: 'portão azul [simular: recusa]' });
  assert.equal((await simulated.follow(id)).letters, 'DGDGAEF');
  const [first, second] = await offersOf(id);
  assert.deepEqual([first!.state, second!.state], ['refused', 'accepted']);
  assert.notEqual(first!.driver_id, second!.driver_id);
  assert.equal((await read(id)).condutor_id, String(second!.driver_id));
});

test('refusal, where several are asked at once: one says no and another accepts', async () => {
  await malote.configure({ offersAtOnce: 3 });
  const { id } = await openDelivery(malote, { observacao: '[simular: recusa]' });
  assert.equal((await simulated.follow(id)).letters, 'DGAEF');
  await malote.configure({ offersAtOnce: 1 });
  assert.deepEqual((await offersOf(id)).map((offer) => offer.state).sort(), [
    'accepted',
    'refused',
    'withdrawn',
  ]);
});

test('no driver: nobody answers, and the search ends unattended with the wallet as before', async () => {
  await malote.configure({ searchLimitMinutes: 2, offerSeconds: 10 });
  const before = await balance();
  const { id } = await openDelivery(malote, { forma_pagamento: 'R', observacao: '[Simular: Sem Condutor]' });
  const { letters } = await simulated.follow(id);
  await malote.configure({ searchLimitMinutes: 20, offerSeconds: 30 });
  assert.match(letters, /^(DG)+D?P?N$/);
  const states = new Set((await offersOf(id)).map((offer) => offer.state));
  assert.deepEqual(states, new Set(['expired']));
  assert.equal(await balance(), before);
});

test('giving up: the first courier gives it back before the start, and another carries it', async () => {
  const { id } = await openDelivery(malote, { observacao: '[simular: desistência]' });
  const { letters } = await simulated.follow(id);
  assert.equal(letters, 'DGADGAEF');
  const [first, second] = await offersOf(id);
  assert.deepEqual([first!.state, second!.state], ['refused', 'accepted']);
  assert.notEqual(first!.driver_id, second!.driver_id);
});

test('breakdown: the central cancels before the start, and gives back what was reserved', async () => {
  const before = await balance();
  const { id } = await openDelivery(malote, { forma_pagamento: 'R', observacao: '[simular: pane]' });
  assert.equal((await simulated.follow(id)).letters, 'DGAC');
  assert.equal((await read(id)).data_hora_inicio, null);
  assert.equal(await reasonOf(id), 3);
  assert.equal(await balance(), before);
});

test('absent: the courier waits at the last stop, then the central cancels', async () => {
  const before = await balance();
  const { id } = await openDelivery(malote, { forma_pagamento: 'R', observacao: '[simular: ausente]' }, 2);
  const { letters, positions } = await simulated.follow(id);
  assert.equal(letters, 'DGAEC');
  assert.equal(await reasonOf(id), 5);
  const stops = await malote.db<{ done: boolean }>`
    select concluded_at is not null as done from stops
    where central_id = 1 and delivery_id = ${id} order by position`;
  assert.deepEqual(
    stops.map((stop) => stop.done),
    [true, false],
  );
  const waited = positions.filter((position) => haversineMetres(position, positions.at(-1)!) < 1).length;
  assert.ok(waited * SPEED >= 300, `waits five minutes, of which ${waited * SPEED} s were seen`);
  // The way to the first stop was driven and is paid.
  const [paid] = await malote.db<{ fee: number; net: number }>`
    select cancellation_fee_cents as fee, net_cents as net from deliveries where central_id = 1 and id = ${id}`;
  assert.ok(paid!.fee > 0 && paid!.fee < paid!.net);
  assert.equal(Math.round((before - (await balance())) * 100), paid!.fee);
});

const reasonOf = async (id: number): Promise<number | null> => {
  const [row] = await malote.db<{ reason: number | null }>`
    select cancellation_reason_id as reason from deliveries where central_id = 1 and id = ${id}`;
  return row!.reason;
};

test('a process that dies after every second loses nothing: the next one goes on', async () => {
  const { id } = await openDelivery(malote, {}, 2);
  await simulated.follow(id, { until: 'G' });
  let letters = '';
  for (let second = 0; second < 300 && !letters.endsWith('F'); second += 1) {
    malote.clock.advance({ seconds: 1 });
    await malote.db`delete from courier_leases`;
    await simulated.courierProcess()();
    const { status } = assertOk(await malote.central.get(`/entregas/${id}/status`)).body.data;
    if (!letters.endsWith(status)) letters += status;
  }
  assert.equal(letters, 'AEF');
});

test('only one of two processes moves the couriers; the other takes over when the first is gone', async () => {
  const { id } = await openDelivery(malote);
  await simulated.follow(id, { until: 'A' });
  const other = simulated.courierProcess();
  const before = await allOf(malote, id);
  const positionBefore = await positions();
  malote.clock.advance({ seconds: 14 });
  await other();
  assert.deepEqual(await allOf(malote, id), before);
  assert.deepEqual(await positions(), positionBefore);
  malote.clock.advance({ seconds: 2 });
  await other();
  assert.notDeepEqual(await positions(), positionBefore);
  for (let second = 0; second < 200; second += 1) {
    malote.clock.advance({ seconds: 1 });
    await other();
  }
  assert.equal((await read(id)).status_solicitacao, 'F');
});

const positions = () =>
  malote.db`select driver_id, lat, lng from driver_positions where central_id = 1 order by driver_id`;

/** Roads that first follow a parallel and then a meridian. */
const aroundCorners = (settings: Settings): Router => ({
  ...estimatorFor(settings),
  async route(points, profile) {
    const [from, to] = points as [Position, Position];
    const straight = await estimatorFor(settings).route(points, profile);
    return {
      ...straight,
      geometry: [
        [from.lng, from.lat],
        [to.lng, from.lat],
        [to.lng, to.lat],
      ],
    };
  },
});

/** A router that finds no road between any two places. */
const nowhere = (settings: Settings): Router => ({
  ...estimatorFor(settings),
  route: async () => {
    throw new NoRoadBetween('no way');
  },
});

const carriedOn = async (router: (settings: Settings) => Router) => {
  const { id } = await openDelivery(malote);
  await simulated.follow(id, { until: 'E' });
  const tick = simulated.courierProcess({
    routers: { ...estimatorRouters, forEstimates: router, forPlanning: router },
  });
  const positions: Position[] = [];
  await malote.db`delete from courier_leases`;
  for (let second = 0; second < 100; second += 1) {
    const { body } = assertOk(await malote.central.get(`/entregas/${id}/condutor/posicao`));
    if (body.data.lat_condutor === null) break;
    positions.push({ lat: Number(body.data.lat_condutor), lng: Number(body.data.lng_condutor) });
    malote.clock.advance({ seconds: 1 });
    await tick();
  }
  assert.equal((await read(id)).status_solicitacao, 'F');
  await malote.db`delete from courier_leases`;
  return positions;
};

test('couriers drive along the roads, around every corner', async () => {
  const seen = await carriedOn(aroundCorners);
  const [from, to] = [seen[0]!, place(0)];
  assert.ok(seen.length > 5);
  for (const { lat, lng } of seen)
    assert.ok(Math.abs(lat - from.lat) < 1e-5 || Math.abs(lng - to.lng) < 1e-5, `${lat}, ${lng}`);
});

test('where the roads join no way a courier goes straight', async () => {
  assert.ok((await carriedOn(nowhere)).some((position) => haversineMetres(position, place(0)) < 20));
});

test('a real driver is never moved and never answered for', async () => {
  const real = await newDriver(malote, PICKUP);
  const { id } = await openDelivery(malote, {});
  assertOk(await malote.operator.post(`/entregas/${id}/atribuir`, { condutor_id: real }));
  const { letters } = await simulated.follow(id, { seconds: 60 });
  assert.equal(letters, 'G');
  assertOk(await malote.operator.post(`/entregas/${id}/aceitar`, { condutor_id: real }));
  const { letters: after, positions: seen } = await simulated.follow(id, { seconds: 60 });
  assert.equal(after, 'A');
  assert.equal(longestJump(seen), 0);
  assertOk(await malote.central.post(`/entregas/${id}/cancelar`, { motivo_id: 6 }));
});

test('a person at a courier’s login may act in between, and the courier goes on from there', async () => {
  const { id } = await openDelivery(malote);
  await simulated.follow(id, { until: 'A' });
  assertOk(await malote.operator.post(`/entregas/${id}/iniciar`));
  assert.equal((await simulated.follow(id)).letters, 'EF');
});

test('where the central has switched it off nothing moves by itself', async () => {
  await malote.configure({ simulatedCouriers: false });
  const { id } = await openDelivery(malote);
  const before = await positions();
  assert.equal((await simulated.follow(id, { seconds: 20 })).letters, 'DG');
  assert.deepEqual(await positions(), before);
  await malote.configure({ simulatedCouriers: true });
  assert.equal((await simulated.follow(id)).letters.at(-1), 'F');
});
