import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Answer, Json } from '../support/client.ts';
import { groupDeliveries } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { order, pickup, places, stop } from '../support/orders.ts';
import { distributeOnce } from '../support/rounds.ts';
import { assertOk, assertRefused, deliveryIn, newDriver, openDelivery } from '../support/steps.ts';
import { testRouters } from '../support/testRouters.ts';

// An edit asks the router while nothing is locked. If the delivery changes in the meantime, either both changes take
// effect one after the other, or the edit is refused and changes nothing.
const routers = testRouters();
const malote = await startMalote({ routers: { ...routers, forEstimates: routers.forPlanning } });
const { manager, central, operator, db, clock } = malote;
await db`update drivers set available = false`;
beforeEach(() => routers.restore());

const edited = order({ paradas: [stop(3), stop(4)] });
const elsewhere = { ...pickup, lat: places[1].lat, lng: places[1].lng };

/** Sends the edit, makes another change while the edit waits for the router, and then releases it. */
async function editWhile(id: number, meanwhile: () => Promise<unknown>, body = edited): Promise<Answer> {
  const held = routers.hold();
  const edit = manager.put(`/entregas/${id}`, body);
  await held.asked;
  await meanwhile();
  held.release();
  return edit;
}
const read = async (id: number): Promise<Json> => assertOk(await central.get(`/entregas/${id}`)).body.data;
const addresses = async (id: number): Promise<string[]> =>
  (await read(id)).paradas.map((stop: Json) => stop.endereco);
const accept = async (id: number): Promise<number> => {
  const driverId = await newDriver(malote);
  assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: driverId }));
  return driverId;
};

test('PUT /entregas/{id}: accepted meanwhile -> the driver keeps it, with the new stops', async () => {
  const { id } = await openDelivery(malote);
  let driverId = 0;
  assertOk(await editWhile(id, async () => (driverId = await accept(id))));
  const after = await read(id);
  assert.equal(after.status_solicitacao, 'A');
  assert.equal(after.condutor_id, String(driverId));
  assert.deepEqual(await addresses(id), ['Avenida Ipiranga, 4', 'Avenida Ipiranga, 5']);
});

test('PUT /entregas/{id}: accepted meanwhile, and the pickup moves -> the driver is freed', async () => {
  const { id } = await openDelivery(malote);
  assertOk(await editWhile(id, () => accept(id), order({ partida: elsewhere })));
  assert.partialDeepStrictEqual(await read(id), { status_solicitacao: 'D', condutor_id: '' });
});

test('PUT /entregas/{id}: started meanwhile -> 406', async () => {
  const { id, stopIds } = await deliveryIn(malote, 'accepted');
  const answer = await editWhile(id, async () => assertOk(await operator.post(`/entregas/${id}/iniciar`)));
  assertRefused(answer, 406, /já está em andamento/);
  assert.deepEqual(
    (await read(id)).paradas.map((stop: Json) => Number(stop.id)),
    stopIds,
  );
});

test('PUT /entregas/{id}: cancelled meanwhile -> 406', async () => {
  const { id } = await openDelivery(malote);
  const cancel = async () => assertOk(await manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 }));
  assertRefused(await editWhile(id, cancel), 406, /cancelada/);
});

test('PUT /entregas/{id}: started and grouped into another meanwhile -> 406 that names it', async () => {
  const grouper = await deliveryIn(malote, 'in_progress');
  const { id } = await deliveryIn(malote, 'accepted');
  const answer = await editWhile(id, async () => {
    assertOk(await operator.post(`/entregas/${id}/iniciar`));
    assertOk(await groupDeliveries(malote, grouper.id, [id]));
  });
  assertRefused(answer, 406, new RegExp(`agrupada na entrega ${grouper.id}`));
});

test('PUT /entregas/{id}: edited meanwhile -> the later one stands, whole', async () => {
  const { id } = await openDelivery(malote);
  const other = order({ paradas: [stop(7), stop(8), stop(9)] });
  assertOk(await editWhile(id, async () => assertOk(await manager.put(`/entregas/${id}`, other))));
  assert.deepEqual(await addresses(id), ['Avenida Ipiranga, 4', 'Avenida Ipiranga, 5']);
});

test('PUT /entregas/{id}: no way on the roads -> 422, and nothing changes', async () => {
  const { id } = await openDelivery(malote);
  const before = await read(id);
  routers.fail();
  assertRefused(await manager.put(`/entregas/${id}`, edited), 422, /não foi possível calcular/);
  assert.deepEqual(await read(id), before);
});

test('drivers matched for what a delivery was are not asked to carry what it became', async (t) => {
  const { id } = await openDelivery(malote);
  const driverId = await newDriver(malote, { lat: Number(pickup.lat), lng: Number(pickup.lng) });
  t.after(() => db`update drivers set available = false where central_id = 1 and id = ${driverId}`);
  await db`insert into driver_categories (central_id, driver_id, category_id) values (1, ${driverId}, 1)`;
  const held = routers.hold();
  const round = distributeOnce(malote.app.deps);
  await held.asked;
  assertOk(await manager.put(`/entregas/${id}`, order({ categoria_id: 2 })));
  held.release();
  await round;
  assert.deepEqual(await db`select * from offers where central_id = 1 and delivery_id = ${id}`, []);
});

for (const [what, rival, losers] of [
  ['start', (id: number) => operator.post(`/entregas/${id}/iniciar`), [406]],
  ['cancellation', (id: number) => manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 }), [406]],
  ['giving up', (id: number) => operator.post(`/entregas/${id}/desistir`), []],
] as const)
  test(`edits and a ${what} at the same time: nothing is lost, and nothing is half done`, async () => {
    for (let round = 0; round < 4; round += 1) {
      const { id } = await deliveryIn(malote, 'accepted');
      const edits = Array.from({ length: 3 }, (_, index) =>
        manager.put(
          `/entregas/${id}`,
          order({
            paradas: Array.from({ length: index + 1 }, (_, at) => ({
              ...stop(at),
              numero_pedido: `E${index}`,
            })),
          }),
        ),
      );
      const answers = await Promise.all([...edits, rival(id)]);
      assertOk(answers.at(-1)!);
      for (const { status } of answers.slice(0, -1))
        assert.ok(status === 200 || losers.some((loser) => loser === status));
      const { paradas } = await read(id);
      const orders = new Set(paradas.map((stop: Json) => stop.numero_pedido));
      assert.equal(orders.size, 1, 'all stops come from one request');
      const [name] = orders as Set<string>;
      assert.equal(paradas.length, name === 'P-1' ? 1 : Number(name!.slice(1)) + 1);
      const rows = await db<{ sequence: number }>`
        select sequence from events where central_id = 1 and delivery_id = ${id} order by sequence`;
      assert.deepEqual(
        rows.map(({ sequence }) => sequence),
        rows.map((_, index) => index + 1),
      );
      clock.advance({ seconds: 1 });
    }
  });
