import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMalote } from '../support/malote.ts';
import { assertOk, assertRefused, deliveryIn, openDelivery } from '../support/steps.ts';

// Contract 4.11.
const malote = await startMalote();

interface Entry {
  parada_id: string;
  link_rastreio: string;
  codigo_confirmacao: number | null;
}
const linksOf = async (id: number): Promise<Entry[]> =>
  assertOk(await malote.manager.get(`/entregas/${id}/links-rastreio`)).body.data;

test('every stop has a link of its own that nobody can guess, and without the setting no code', async () => {
  const { id, stopIds } = await openDelivery(malote, {}, 3);
  const links = await linksOf(id);
  assert.deepEqual(
    links.map((one) => one.parada_id),
    stopIds.map(String),
  );
  for (const link of links) {
    assert.deepEqual(Object.keys(link), ['parada_id', 'link_rastreio', 'codigo_confirmacao']);
    assert.match(link.link_rastreio, new RegExp(`^${malote.url}/rastreio/[A-Za-z0-9_-]{22}$`));
    assert.equal(link.codigo_confirmacao, null);
  }
  assert.equal(new Set(links.map((one) => one.link_rastreio)).size, 3);
});

test('links do not change', async () => {
  const { id } = await openDelivery(malote, {}, 2);
  assert.deepEqual(await linksOf(id), await linksOf(id));
});

test('with the setting the first reading makes an integer code of four digits, which stays', async () => {
  const { id } = await openDelivery(malote, {}, 2);
  assert.equal((await linksOf(id))[0]!.codigo_confirmacao, null);
  await malote.configure({ confirmationCode: true });
  const first = await linksOf(id);
  for (const { codigo_confirmacao: code } of first) {
    assert.ok(Number.isInteger(code), String(code));
    assert.ok(code! >= 1000 && code! <= 9999);
  }
  assert.deepEqual(await linksOf(id), first);
  await malote.configure({ confirmationCode: false });
  assert.equal((await linksOf(id))[0]!.codigo_confirmacao, null);
  await malote.configure({ confirmationCode: true });
  assert.deepEqual(await linksOf(id), first);
  await malote.configure({ confirmationCode: false });
});

test('many first readings at once see the same codes', async () => {
  await malote.configure({ confirmationCode: true });
  const { id } = await openDelivery(malote, {}, 4);
  const readings = await Promise.all(Array.from({ length: 8 }, () => linksOf(id)));
  for (const reading of readings) assert.deepEqual(reading, readings[0]);
  await malote.configure({ confirmationCode: false });
});

test('the stops that were ordered with a grouped delivery stay listed under it, and only there', async () => {
  const [grouper, grouped] = [
    await deliveryIn(malote, 'in_progress'),
    await deliveryIn(malote, 'in_progress'),
  ];
  const [ofGrouper, ofGrouped] = [await linksOf(grouper.id), await linksOf(grouped.id)];
  await malote.db.begin(async (tx) => {
    await tx`
      update deliveries set grouped_into = ${grouper.id}, driver_id = ${grouper.driverId}
      where central_id = 1 and id = ${grouped.id}`;
    await tx`
      update stops set delivery_id = ${grouper.id}, position = 1
      where central_id = 1 and delivery_id = ${grouped.id}`;
  });
  assert.deepEqual(await linksOf(grouper.id), ofGrouper);
  assert.deepEqual(await linksOf(grouped.id), ofGrouped);
});

for (const status of ['finished', 'cancelled'] as const)
  test(`links can still be read when ${status}`, async () => {
    const { id } = await deliveryIn(malote, status);
    assert.equal((await linksOf(id)).length, 1);
  });

test("another company's links, and another central's, are the same as none", async () => {
  const { id } = await openDelivery(malote);
  for (const who of [malote.manager2, malote.neighbour])
    assertRefused(await who.get(`/entregas/${id}/links-rastreio`), 404, /entrega não encontrada/);
  assertRefused(await malote.central.get('/entregas/999999/links-rastreio'), 404, /não encontrada/);
  assert.equal((await malote.central.get('/entregas/0/links-rastreio')).status, 400);
  assertOk(await malote.central.get(`/entregas/${id}/links-rastreio`));
});
