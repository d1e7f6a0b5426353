import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STATUSES } from '../../server/src/deliveries/status.ts';
import { groupDeliveries } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { assertOk, assertRefused, deliveryIn } from '../support/steps.ts';

// Completions: GET /entregas/{id}/condutor/posicao.
const malote = await startMalote();

const positionOf = async (id: number) =>
  assertOk(await malote.manager.get(`/entregas/${id}/condutor/posicao`)).body;

const carried = ['accepted', 'on_hold', 'in_progress'];

for (const status of STATUSES)
  test(`${carried.includes(status) ? "the driver's last position" : 'nulls'} while ${status}`, async () => {
    const { id, driverId } = await deliveryIn(malote, status);
    if (driverId !== null)
      assertOk(await malote.operator.post(`/condutores/${driverId}/posicao`, { lat: -30.0312, lng: -51 }));
    assert.deepEqual(await positionOf(id), {
      success: true,
      data: carried.includes(status)
        ? { lat_condutor: '-30.0312', lng_condutor: '-51.0' }
        : { lat_condutor: null, lng_condutor: null },
    });
  });

test('a driver who was never seen has no position', async () => {
  const { id } = await deliveryIn(malote, 'accepted');
  assert.deepEqual((await positionOf(id)).data, { lat_condutor: null, lng_condutor: null });
});

test('very small degrees are plain decimals too', async () => {
  const { id, driverId } = await deliveryIn(malote, 'accepted');
  assertOk(await malote.operator.post(`/condutores/${driverId}/posicao`, { lat: 0.0000001, lng: 0 }));
  assert.deepEqual((await positionOf(id)).data, { lat_condutor: '0.0000001', lng_condutor: '0.0' });
});

test('a grouped delivery is carried by the driver of its grouper', async () => {
  const [grouper, grouped] = [
    await deliveryIn(malote, 'in_progress'),
    await deliveryIn(malote, 'in_progress'),
  ];
  assertOk(await groupDeliveries(malote, grouper.id, [grouped.id]));
  assertOk(await malote.operator.post(`/condutores/${grouper.driverId}/posicao`, { lat: -30.1, lng: -51.1 }));
  assert.deepEqual((await positionOf(grouped.id)).data, { lat_condutor: '-30.1', lng_condutor: '-51.1' });
});

test("another company's delivery, and another central's, is the same as none", async () => {
  const { id } = await deliveryIn(malote, 'accepted');
  for (const who of [malote.manager2, malote.neighbour])
    assertRefused(await who.get(`/entregas/${id}/condutor/posicao`), 404, /entrega não encontrada/);
});
