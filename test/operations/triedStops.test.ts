import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../support/client.ts';
import { failing } from '../support/failures.ts';
import { at, groupDeliveries, start } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { places } from '../support/orders.ts';
import { assertOk, newDriver, type TestDelivery } from '../support/steps.ts';

/* A stop with a failed attempt comes last in every order that the service computes, as the tracking page states. */

const malote = await startMalote();
const { operator, manager } = malote;
const { fail, detail } = failing(malote);

const near = (place: number) => ({ lat: Number(places[place]!.lat), lng: Number(places[place]!.lng) });
const idsOf = (stops: readonly Json[]): number[] => stops.map(({ id }) => Number(id));

/** A delivery with three stops; the driver is at the first one, where nobody opened. */
async function triedOnce(): Promise<{ delivery: TestDelivery; tried: number }> {
  const id = await start(malote, at(0, 1, 3), { driverAt: near(0) });
  const delivery = { id, stopIds: idsOf((await detail({ id })).paradas), driverId: null };
  assertOk(await fail(delivery));
  return { delivery, tried: delivery.stopIds[0]! };
}
const lastOf = async (delivery: TestDelivery) => idsOf((await detail(delivery)).paradas).at(-1);

test('a grouping leaves a stop with a failed attempt at the end, and so does a second one', async () => {
  const { delivery, tried } = await triedOnce();
  for (const place of [2, 4]) {
    assertOk(await groupDeliveries(malote, delivery.id, [await start(malote, at(place))]));
    assert.equal(await lastOf(delivery), tried);
  }
});

test('an order that leaves its group does too', async () => {
  const { delivery, tried } = await triedOnce();
  const other = await start(malote, at(2));
  assertOk(await groupDeliveries(malote, delivery.id, [other]));
  assertOk(await manager.post(`/entregas/${other}/cancelar`, { motivo_id: 2 }));
  assert.equal(await lastOf(delivery), tried);
});

test('an operator who asks for the best order gets it last, and who names an order gets that', async () => {
  const { delivery, tried } = await triedOnce();
  const edit = async (otimizar: boolean) => {
    const { versao } = await detail(delivery);
    const paradas = delivery.stopIds.map((id) => ({ id }));
    assertOk(await operator.put(`/entregas/${delivery.id}/paradas`, { versao, paradas, otimizar }));
  };
  await edit(true);
  assert.equal(await lastOf(delivery), tried);
  await edit(false);
  assert.deepEqual(idsOf((await detail(delivery)).paradas), delivery.stopIds);
});

test('a driver who takes the delivery over at that very door visits it last', async () => {
  const { delivery, tried } = await triedOnce();
  const driverId = await newDriver(malote, near(0));
  assertOk(
    await operator.post(`/entregas/${delivery.id}/reatribuir`, { condutor_id: driverId, motivo: 'Pneu' }),
  );
  assert.equal(await lastOf(delivery), tried);
});
