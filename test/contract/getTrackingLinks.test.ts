import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupIntoDelivery } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { schedule } from '../support/scheduled.ts';
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
    assert.match(link.link_rastreio, new RegExp(`^${malote.url}/rastreio/1\\.[A-Za-z0-9_-]{22}$`));
    assert.equal(link.codigo_confirmacao, null);
  }
  assert.equal(new Set(links.map((one) => one.link_rastreio)).size, 3);
});

test('links do not change', async () => {
  const { id } = await openDelivery(malote, {}, 2);
  assert.deepEqual(await linksOf(id), await linksOf(id));
});

test('with the setting the first reading makes an integer code of four digits, which stays', async (t) => {
  const { id } = await openDelivery(malote, {}, 2);
  assert.equal((await linksOf(id))[0]!.codigo_confirmacao, null);
  await malote.configureFor(t, { confirmationCode: true });
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
});

test('many first readings at once see the same codes', async (t) => {
  await malote.configureFor(t, { confirmationCode: true });
  const { id } = await openDelivery(malote, {}, 4);
  const readings = await Promise.all(Array.from({ length: 8 }, () => linksOf(id)));
  for (const reading of readings) assert.deepEqual(reading, readings[0]);
});

test('a grouper lists the link of every stop it carries, and a grouped one keeps its own listed', async () => {
  const [grouper, grouped] = [
    await deliveryIn(malote, 'in_progress', 2),
    await deliveryIn(malote, 'in_progress', 2),
  ];
  const before = [...(await linksOf(grouper.id)), ...(await linksOf(grouped.id))];
  const scheduledId = await schedule(malote.manager);
  assertOk(await groupIntoDelivery(malote, grouper.id, [scheduledId], [grouped.id]));

  const { paradas } = assertOk(await malote.manager.get(`/entregas/${grouper.id}`)).body.data;
  const ofGrouper = await linksOf(grouper.id);
  assert.equal(ofGrouper.length, 5);
  assert.deepEqual(
    ofGrouper.map((one) => one.parada_id),
    paradas.map((one: { id: string }) => one.id),
  );
  for (const link of before)
    assert.deepEqual(
      ofGrouper.find((one) => one.parada_id === link.parada_id),
      link,
    );
  const ofGrouped = await linksOf(grouped.id);
  assert.deepEqual(
    ofGrouped.map((one) => Number(one.parada_id)).sort((a, b) => a - b),
    grouped.stopIds,
  );
  for (const link of ofGrouped)
    assert.deepEqual(
      ofGrouper.find((one) => one.parada_id === link.parada_id),
      link,
    );
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
