import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STATUSES, type Status } from '../../server/src/deliveries/deliveries/status.ts';
import { groupDeliveries, groupIntoDelivery } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { schedule } from '../support/scheduled.ts';
import { assertOk, assertRefused, deliveryIn, openDelivery } from '../support/steps.ts';

// Contract 4.16.
const malote = await startMalote();

test('a new delivery is distributing', async () => {
  const created = await malote.manager.post('/entregas', order());
  assert.equal(created.status, 200, created.text);
  const answer = await malote.manager.get(`/entregas/${created.body.data.id_mch}/status`);
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, { success: true, data: { status: 'D' } });
});

const letters = {
  awaiting_release: 'P',
  distributing: 'D',
  offered: 'G',
  accepted: 'A',
  on_hold: 'S',
  in_progress: 'E',
  finished: 'F',
  not_attended: 'N',
  cancelled: 'C',
  pending: 'P',
} as const satisfies Record<Status, string>;

for (const status of STATUSES)
  test(`one that is ${status} shows ${letters[status]}`, async () => {
    const { id } = await deliveryIn(malote, status);
    const answer = await malote.manager.get(`/entregas/${id}/status`);
    assert.deepEqual(answer.body, { success: true, data: { status: letters[status] } });
  });

test('a grouped delivery shows the status of its grouper from then on', async () => {
  const [grouper, grouped] = [
    await deliveryIn(malote, 'in_progress'),
    await deliveryIn(malote, 'in_progress'),
  ];
  assertOk(await groupDeliveries(malote, grouper.id, [grouped.id]));
  const statusOf = async (id: number) =>
    (await malote.manager.get(`/entregas/${id}/status`)).body.data.status;
  assert.deepEqual([await statusOf(grouper.id), await statusOf(grouped.id)], ['E', 'E']);
  assertOk(await malote.manager.post(`/entregas/${grouper.id}/cancelar`, { motivo_id: 2 }));
  assert.deepEqual([await statusOf(grouper.id), await statusOf(grouped.id)], ['C', 'C']);
});

test('GET /entregas/{id} and the query give the same record', async () => {
  const created = await malote.manager.post('/entregas', order());
  const single = await malote.manager.get(`/entregas/${created.body.data.id_mch}`);
  const list = await malote.manager.post('/entregas/consultar');
  assert.equal(single.status, 200, single.text);
  assert.equal(list.status, 200, list.text);
  assert.deepEqual(list.body.data[0], single.body.data);
});

test('asked for by everybody at the same moment, each sees its own and nobody sees another’s', async () => {
  const created = await malote.manager.post('/entregas', order());
  const path = `/entregas/${created.body.data.id_mch}/status`;
  const askers = [
    { context: malote.manager, status: 200 },
    { context: malote.manager2, status: 404 },
    { context: malote.central, status: 200 },
    { context: malote.neighbour, status: 404 },
  ];
  const rounds = Array.from({ length: 25 }, () => askers).flat();
  const answers = await Promise.all(rounds.map(({ context }) => context.get(path)));
  assert.deepEqual(
    answers.map((answer) => answer.status),
    rounds.map(({ status }) => status),
  );
});

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
    links.map((link) => link.parada_id),
    stopIds.map(String),
  );
  for (const link of links) {
    assert.deepEqual(Object.keys(link), ['parada_id', 'link_rastreio', 'codigo_confirmacao']);
    assert.match(link.link_rastreio, new RegExp(`^${malote.url}/rastreio/1\\.[A-Za-z0-9_-]{22}$`));
    assert.equal(link.codigo_confirmacao, null);
  }
  assert.equal(new Set(links.map((link) => link.link_rastreio)).size, 3);
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
    ofGrouper.map((link) => link.parada_id),
    paradas.map((stop: { id: string }) => stop.id),
  );
  for (const link of before)
    assert.deepEqual(
      ofGrouper.find((candidate) => candidate.parada_id === link.parada_id),
      link,
    );
  const ofGrouped = await linksOf(grouped.id);
  assert.deepEqual(
    ofGrouped.map((link) => Number(link.parada_id)).sort((a, b) => a - b),
    grouped.stopIds,
  );
  for (const link of ofGrouped)
    assert.deepEqual(
      ofGrouper.find((candidate) => candidate.parada_id === link.parada_id),
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
