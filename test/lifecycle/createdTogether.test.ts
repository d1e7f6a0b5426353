import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Caller } from '../../server/src/centrals/caller.ts';
import { findCentral } from '../../server/src/centrals/centralStore.ts';
import { insertDeliveryTogether } from '../../server/src/deliveries/deliveries/insertDeliveryStore.ts';
import { prepareOrder } from '../../server/src/deliveries/orders/prepareOrder.ts';
import type { Order, PreparedOrder } from '../../server/src/deliveries/orders/request.ts';
import { countStatements } from '../support/countStatements.ts';
import { startMalote } from '../support/malote.ts';
import { places } from '../support/orders.ts';

// Creations of one turn of the event loop are one statement. Each must leave the same rows as on its own, and none may
// fail because another one is refused.

const malote = await startMalote();
const { db, clock } = malote;

const pickup: Order['pickup'] = {
  address: 'Rua dos Andradas, 1001',
  complement: 'Loja 2',
  reference: null,
  district: 'Centro Histórico',
  city: 'Porto Alegre',
  state: 'RS',
  position: { lat: -30.0305, lng: -51.2303 },
  located: { by: 'local', precision: 'number', toCheck: true },
};

const demands: Order['stops'][number]['demands'] = {
  readyAt: Temporal.Instant.from('2026-11-16T15:20:00Z'),
  pickupSeconds: 300,
  equipment: ['thermal_bag', 'box'],
  priority: 2,
  windowFrom: Temporal.Instant.from('2026-11-16T15:30:00Z'),
  windowUntil: Temporal.Instant.from('2026-11-16T19:00:00Z'),
  windowIsHard: true,
  serviceSeconds: 240,
  weightGrams: 1_500,
  volumeMl: 20_000,
  packages: 3,
};

const stop = (index: number): Order['stops'][number] => ({
  ...pickup,
  address: `Avenida Ipiranga, ${index}`,
  complement: index % 2 ? null : 'Apto 3 "fundos" \\ {x}',
  position: { lat: Number(places[index]!.lat), lng: Number(places[index]!.lng) },
  located: index % 2 ? null : pickup.located,
  orderNumber: `P-${index}`,
  externalId: index % 2 ? `E-${index}` : null,
  recipientName: 'João d’Ávila',
  recipientPhone: '51999990000',
  note: index % 2 ? 'Tocar a campainha\nduas vezes' : null,
  collectCents: index % 2 ? 1_050 : null,
  confirmationCode: index % 2 ? 1_234 : null,
  demands: index % 2 ? demands : null,
});

/** Moves a place to the area of the second central. */
const inManaus = <Place extends Order['pickup']>(place: Place): Place => ({
  ...place,
  position: { lat: place.position.lat + 27, lng: place.position.lng - 8.8 },
});

async function prepare(centralId: number, changes: Partial<Order> = {}): Promise<PreparedOrder> {
  const [company] = await db<{ id: number }>`
    select id from companies where central_id = ${centralId} order by id limit 1`;
  const caller: Caller = {
    central: (await findCentral(db, centralId))!,
    centralId,
    companyId: null,
    userId: null,
    role: 'operator',
    driverId: null,
  };
  const order: Order = {
    companyId: company!.id,
    person: null,
    category: {},
    payment: 'cash',
    returning: true,
    note: 'Frágil',
    couponCode: null,
    pickup,
    stops: [stop(0), stop(1), stop(2)],
    ...changes,
  };
  return prepareOrder(malote.app.deps, caller, order, clock.now());
}

const insert = (centralId: number, prepared: PreparedOrder): Promise<number> =>
  insertDeliveryTogether(db, { centralId, prepared, actor: { at: clock.now(), by: null } });

/** Everything that a creation writes, without values that are generated for each. */
async function written(centralId: number, id: number): Promise<unknown> {
  const [delivery] = await db<{ row: Record<string, unknown> }>`
    select to_jsonb(d) - 'id' - 'changed_in' - 'changed_at' as row from deliveries d where central_id = ${centralId} and id = ${id}`;
  const stops = await db<{ row: Record<string, unknown>; orderedWith: number; token: string }>`
    select to_jsonb(s) - 'id' - 'delivery_id' - 'ordered_with' - 'tracking_token' || jsonb_build_object('demands', (
        select to_jsonb(n) - 'stop_id' from stop_demands n where n.central_id = ${centralId} and n.stop_id = s.id)) as row,
      ordered_with as "orderedWith", tracking_token as token
    from stops s where central_id = ${centralId} and delivery_id = ${id} order by position`;
  const events = await db<{ row: { payload: { stops: Record<string, unknown>[] } } }>`
    select to_jsonb(e) - 'id' - 'uid' - 'delivery_id' as row from events e
    where central_id = ${centralId} and delivery_id = ${id}`;
  assert.ok(delivery);
  assert.ok(stops.every(({ orderedWith }) => orderedWith === id));
  assert.equal(new Set(stops.map(({ token }) => token)).size, stops.length);
  for (const { row } of events) for (const each of row.payload.stops) delete each.id;
  return { delivery: delivery.row, stops: stops.map(({ row }) => row), events: events.map(({ row }) => row) };
}

test('creations of one turn, in several centrals, are one statement and leave what each leaves alone', async () => {
  const orders: [centralId: number, prepared: PreparedOrder][] = [
    [1, await prepare(1)],
    [2, await prepare(2, { pickup: inManaus(pickup), stops: [inManaus(stop(4)), inManaus(stop(5))] })],
    [1, await prepare(1, { stops: [stop(3)], returning: false, note: null, payment: 'instant_transfer' })],
    [1, await prepare(1)],
  ];
  const alone: number[] = [];
  for (const [centralId, prepared] of orders) alone.push(await insert(centralId, prepared));
  const { result: together, texts } = await countStatements(() =>
    Promise.all(orders.map(([centralId, prepared]) => insert(centralId, prepared))),
  );
  assert.equal(
    texts.filter((text) => text.includes('insert into deliveries')).length,
    db.isDistributed ? 4 : 1,
  );
  assert.equal(new Set(together).size, 4);
  for (const [index, [centralId]] of orders.entries())
    assert.deepEqual(await written(centralId, together[index]!), await written(centralId, alone[index]!));
});

test('a refused creation does not affect the others', async () => {
  const good = await prepare(1);
  const tariff = { ...good.estimate.tariff, id: 999_999_999 };
  const bad: PreparedOrder = { ...good, estimate: { ...good.estimate, tariff } };
  const results = await Promise.allSettled([insert(1, good), insert(1, bad), insert(1, good)]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  const [first, refused, last] = results;
  assert.match(String(refused?.status === 'rejected' && refused.reason), /deliveries_tariff_fkey/);
  for (const result of [first, last])
    assert.deepEqual(
      await written(1, (result as PromiseFulfilledResult<number>).value),
      await written(1, await insert(1, good)),
    );
});

test('those of a transaction stay in it and are undone with it', async () => {
  const prepared = await prepare(1);
  const delivery = {
    centralId: 1,
    prepared,
    status: 'distributing',
    actor: { at: clock.now(), by: null },
  } as const;
  let inside: number | undefined;
  const undone = db.begin(async (tx) => {
    inside = await insertDeliveryTogether(tx, delivery);
    throw new Error('undone');
  });
  const [outside] = await Promise.all([insert(1, prepared), assert.rejects(undone, /undone/)]);
  const rows = await db<{ id: number }>`
    select id from deliveries where central_id = 1 and id = any(${[inside, outside]}::bigint[])`;
  assert.deepEqual(rows, [{ id: outside }]);
});

test('requests that come at once are each answered with their own delivery', async () => {
  const numbers = Array.from({ length: 40 }, (_, index) => `N-${index}`);
  const answers = await Promise.all(
    numbers.map((note) =>
      malote.manager.post('/entregas', {
        forma_pagamento: 'D',
        observacao: note,
        partida: {
          endereco: 'Rua dos Andradas, 1001',
          bairro: 'Centro Histórico',
          lat: '-30.0305',
          lng: '-51.2303',
        },
        paradas: [
          {
            endereco_parada: 'Avenida Ipiranga, 1',
            bairro_parada: 'Azenha',
            lat_parada: places[0].lat,
            lng_parada: places[0].lng,
            numero_pedido: note,
          },
        ],
      }),
    ),
  );
  const ids = answers.map(({ body }) => Number(body.data.id_mch));
  assert.equal(new Set(ids).size, ids.length);
  const rows = await db<{ id: number; order_number: string }>`
    select delivery_id as id, order_number from stops where central_id = 1 and delivery_id = any(${ids}::bigint[])`;
  assert.deepEqual(
    new Map(rows.map((row) => [row.id, row.order_number])),
    new Map(ids.map((id, index) => [id, numbers[index]!])),
  );
});
