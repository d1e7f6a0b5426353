import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STATUSES, type Status } from '../../server/src/deliveries/status.ts';
import { groupDeliveries } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { assertOk, deliveryIn } from '../support/steps.ts';

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

test('one that was grouped shows the status of its grouper from then on', async () => {
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
  const one = await malote.manager.get(`/entregas/${created.body.data.id_mch}`);
  const list = await malote.manager.post('/entregas/consultar');
  assert.equal(one.status, 200, one.text);
  assert.equal(list.status, 200, list.text);
  assert.deepEqual(list.body.data[0], one.body.data);
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
