import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { at, groupDeliveries, start } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { assertOk } from '../support/steps.ts';
import { testRouters } from '../support/testRouters.ts';

const routers = testRouters();
const malote = await startMalote({ routers });
const { manager, operator } = malote;
afterEach(() => routers.restore());

const read = async (id: number) => assertOk(await manager.get(`/entregas/${id}`)).body.data;
const idsOf = async (id: number): Promise<string[]> =>
  (await read(id)).paradas.map((stop: { id: string }) => stop.id);
const statusOf = async (id: number) => assertOk(await manager.get(`/entregas/${id}/status`)).body.data.status;
const cancel = (id: number) => manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 });

async function grouped(): Promise<{ carrier: number; inside: number; own: string[] }> {
  const [carrier, inside] = [await start(malote, at(1, 0)), await start(malote, at(4))];
  const own = await idsOf(carrier);
  assertOk(await groupDeliveries(malote, carrier, [inside]));
  return { carrier, inside, own };
}

test('no router answers: a grouped one is cancelled all the same, the order stays and the price is estimated', async () => {
  const { carrier, inside, own } = await grouped();
  const before = Number((await read(carrier)).valor_corrida);
  routers.fail();
  assertOk(await cancel(inside));
  assert.deepEqual([await statusOf(inside), await statusOf(carrier)], ['C', 'E']);
  assert.deepEqual(await idsOf(carrier), own);
  assert.ok(Number((await read(carrier)).valor_corrida) < before);
});

test('a stop concluded while the cancellation is being planned stays with the carrier', async () => {
  const { carrier, inside } = await grouped();
  const [stop] = await idsOf(carrier);
  const question = routers.hold();
  const cancelling = cancel(inside);
  await question.asked;
  assertOk(await operator.post(`/entregas/${carrier}/paradas/${stop}/concluir`));
  question.release();
  assertOk(await cancelling);
  assert.equal(await statusOf(inside), 'C');
  assert.equal((await idsOf(carrier))[0], stop);
});
