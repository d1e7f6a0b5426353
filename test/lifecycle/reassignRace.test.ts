import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Json } from '../support/client.ts';
import { at, groupDeliveries, start, stopIdsOf } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { places } from '../support/orders.ts';
import { assertOk, countStatuses, deliveryIn, newDriver, openDelivery } from '../support/steps.ts';
import { testRouters } from '../support/testRouters.ts';

// A handover asks the router while nothing is locked. If something changes in the meantime, both changes take effect
// one after the other, or one is refused: no stop is lost, and no driver has two current deliveries.
const routers = testRouters();
const malote = await startMalote({ routers });
const { operator, db } = malote;
await db`update drivers set available = false`;
beforeEach(() => routers.restore());

const near = (index: number) => ({ lat: Number(places[index]!.lat), lng: Number(places[index]!.lng) });
const reassign = (id: number, driverId: number) =>
  operator.post(`/entregas/${id}/reatribuir`, { condutor_id: driverId, motivo: 'Pneu furado' });
const detail = async (id: number): Promise<Json> => assertOk(await operator.get(`/entregas/${id}`)).body.data;
/** The driver's current deliveries as a reader sees them. The database itself refuses a second one. */
const currentOf = async (driverId: number): Promise<number> =>
  (
    await db`
      select 1 from deliveries
      where central_id = 1 and driver_id = ${driverId} and status in ('accepted', 'in_progress')
        and grouped_into is null`
  ).length;

test('a stop is concluded while the hand-over is planned -> it stays with the first driver', async () => {
  const id = await start(malote, at(0, 1, 2));
  const [stopId] = await stopIdsOf(malote, { noun: 'delivery', id });
  const first = (await detail(id)).condutor.id;
  const second = await newDriver(malote, near(2));
  const held = routers.hold();
  const handover = reassign(id, second);
  await held.asked;
  assertOk(await operator.post(`/entregas/${id}/paradas/${stopId}/concluir`, {}));
  held.release();
  assertOk(await handover);
  const { paradas, condutor } = await detail(id);
  assert.equal(condutor.id, String(second));
  assert.deepEqual([paradas[0].id, paradas[0].concluida_por.id], [String(stopId), first]);
});

test('a hand-over and the conclusion of each stop at once -> every stop is concluded once, by who had it', async () => {
  for (let round = 0; round < 4; round += 1) {
    const id = await start(malote, at(0, 1, 2));
    const first = (await detail(id)).condutor.id;
    const second = await newDriver(malote, near(1));
    const stopIds = await stopIdsOf(malote, { noun: 'delivery', id });
    const [handover, ...concluded] = await Promise.all([
      reassign(id, second),
      ...stopIds.map((stopId) => operator.post(`/entregas/${id}/paradas/${stopId}/concluir`, {})),
    ]);
    for (const answer of concluded) assertOk(answer);
    assert.ok([200, 406].includes(handover.status), handover.text);
    const { paradas, status } = await detail(id);
    assert.equal(status, 'F');
    const known = new Set([first, String(second)]);
    for (const { concluida_por } of paradas) assert.ok(known.has(concluida_por.id));
    assert.equal(await currentOf(second), 0);
  }
});

test('two hand-overs of one delivery at once -> both count in turn, and one driver has it at the end', async () => {
  const delivery = await deliveryIn(malote, 'in_progress', 2);
  const drivers = [await newDriver(malote, near(0)), await newDriver(malote, near(1))];
  const answers = await Promise.all(drivers.map((driverId) => reassign(delivery.id, driverId)));
  assert.deepEqual(countStatuses(answers), { 200: 2 });
  const { condutor } = await detail(delivery.id);
  assert.ok(drivers.includes(Number(condutor.id)));
  const loads = await Promise.all([delivery.driverId!, ...drivers].map(currentOf));
  assert.deepEqual(
    loads.toSorted((a, b) => a - b),
    [0, 0, 1],
  );
});

test('two started deliveries to one free driver at once -> one is refused in words', async () => {
  const deliveries = [await deliveryIn(malote, 'in_progress'), await deliveryIn(malote, 'in_progress')];
  const free = await newDriver(malote, near(0));
  const answers = await Promise.all(deliveries.map(({ id }) => reassign(id, free)));
  assert.deepEqual(countStatuses(answers), { 200: 1, 409: 1 });
  const refused = answers.find(({ status }) => status === 409)!;
  assert.match(refused.body.errors[0].message, /já iniciada só passa para quem está livre/);
  assert.equal(await currentOf(free), 1);
});

test('drivers swap what they have and finish at once -> nobody waits for ever, nobody has two', async () => {
  for (let round = 0; round < 3; round += 1) {
    const [mine, other] = [await deliveryIn(malote, 'accepted'), await deliveryIn(malote, 'accepted')];
    const waiting = await openDelivery(malote);
    assertOk(await operator.post(`/entregas/${waiting.id}/aceitar`, { condutor_id: mine.driverId }));
    const answers = await Promise.all([
      reassign(mine.id, other.driverId!),
      reassign(other.id, mine.driverId!),
      reassign(waiting.id, other.driverId!),
      operator.post(`/entregas/${mine.id}/desistir`, {}),
    ]);
    for (const { status, text } of answers) assert.ok([200, 406, 409].includes(status), text);
    for (const driverId of [mine.driverId!, other.driverId!]) assert.ok((await currentOf(driverId)) <= 1);
  }
});

test('a hand-over and a grouping at once -> the grouping is saved before it or refused; nothing is lost', async () => {
  for (let round = 0; round < 3; round += 1) {
    const [grouper, other] = [await start(malote, at(0, 1)), await start(malote, at(2))];
    const second = await newDriver(malote, near(2));
    const [handover, grouping] = await Promise.all([
      reassign(grouper, second),
      groupDeliveries(malote, grouper, [other]),
    ]);
    assertOk(handover);
    assert.ok([200, 400].includes(grouping.status), grouping.text);
    const carried = await stopIdsOf(malote, { noun: 'delivery', id: grouper });
    assert.equal(carried.length, grouping.status === 200 ? 3 : 2);
    assert.equal((await detail(grouper)).condutor.id, String(second));
    const follows = (await detail(other)).condutor.id === String(second);
    assert.equal(follows, grouping.status === 200);
  }
});

test('without roads the hand-over keeps the order of the stops', async () => {
  const id = await start(malote, at(0, 1, 2));
  const before = await stopIdsOf(malote, { noun: 'delivery', id });
  routers.fail();
  assertOk(await reassign(id, await newDriver(malote, near(2))));
  assert.deepEqual(await stopIdsOf(malote, { noun: 'delivery', id }), before);
});
