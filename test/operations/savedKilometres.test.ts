import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { at, groupDeliveries, groupScheduled, start, stopIdsOf } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { scheduledOrder } from '../support/orders.ts';
import { mergeDue } from '../support/rounds.ts';
import { runText } from '../support/runText.ts';
import { schedule } from '../support/scheduled.ts';
import { assertOk } from '../support/steps.ts';
import { testRouters } from '../support/testRouters.ts';

const routers = testRouters();
const malote = await startMalote({ routers });
const { manager, operator, clock, db } = malote;

beforeEach(() => routers.restore());

interface Ways {
  separate: number;
  planned: number;
}

const waysOf = async (table: 'deliveries' | 'scheduled', id: number): Promise<Ways> => {
  const [row] = await runText<Ways>(
    db,
    `select coalesce(separate_metres, planned_metres) as separate, planned_metres as planned from ${table}
     where central_id = 1 and id = $1`,
    [id],
  );
  return row!;
};
/** Whether reports count the request as a grouping. */
const isGrouping = async (table: 'deliveries' | 'scheduled', id: number): Promise<boolean> => {
  const rows = await runText(
    db,
    `select 1 from ${table} where central_id = 1 and id = $1 and separate_metres is not null`,
    [id],
  );
  return rows.length > 0;
};
const savedBy = ({ separate, planned }: Ways): number => separate - planned;
/** The saving that remains, in proportion to the routes that stay. */
const proportion = (group: Ways, leaving: Ways): number =>
  Math.round(savedBy(group) * (1 - leaving.separate / group.separate));

test('an order that leaves a run while the roads cannot be asked takes its part of what is saved along', async () => {
  const [carrier, second, third] = [
    await start(malote, at(4)),
    await start(malote, at(4)),
    await start(malote, at(1)),
  ];
  const leaving = await waysOf('deliveries', third);
  assertOk(await groupDeliveries(malote, carrier, [second, third]));
  const group = await waysOf('deliveries', carrier);
  assert.ok(savedBy(group) > 0);
  routers.fail();
  assertOk(await manager.post(`/entregas/${third}/cancelar`, { motivo_id: 2 }));
  assert.equal(savedBy(await waysOf('deliveries', carrier)), proportion(group, leaving));
});

test('a scheduled order that leaves its group while the roads cannot be asked does so too', async () => {
  await malote.configure({ cancelAwaitingScheduled: true });
  const [grouper, second, third] = [
    await schedule(manager, at(4)),
    await schedule(manager, at(4)),
    await schedule(manager, at(1)),
  ];
  const leaving = await waysOf('scheduled', third);
  assertOk(await groupScheduled(malote, grouper, [second, third]));
  const group = await waysOf('scheduled', grouper);
  routers.fail();
  assertOk(await manager.post(`/entregas/programadas/${third}/cancelar`));
  assert.equal(savedBy(await waysOf('scheduled', grouper)), proportion(group, leaving));
});

test('an order that leaves a chain of groups leaves those behind that it had brought along', async () => {
  const [carrier, second, third] = [
    await start(malote, at(4)),
    await start(malote, at(5)),
    await start(malote, at(1)),
  ];
  const [first, , last] = [
    await waysOf('deliveries', carrier),
    await waysOf('deliveries', second),
    await waysOf('deliveries', third),
  ];
  assertOk(await groupDeliveries(malote, second, [third]));
  assertOk(await groupDeliveries(malote, carrier, [second]));
  assertOk(await manager.post(`/entregas/${second}/cancelar`, { motivo_id: 2 }));
  const { separate } = await waysOf('deliveries', carrier);
  assert.equal(separate, first.planned + last.planned);
});

test('a scheduled order that leaves a chain of groups does so too', async () => {
  const [carrier, second, third] = [
    await schedule(manager, at(4)),
    await schedule(manager, at(5)),
    await schedule(manager, at(1)),
  ];
  const [first, last] = [await waysOf('scheduled', carrier), await waysOf('scheduled', third)];
  assertOk(await groupScheduled(malote, second, [third]));
  assertOk(await groupScheduled(malote, carrier, [second]));
  assertOk(await operator.post(`/programadas/${second}/cancelar`));
  const { separate } = await waysOf('scheduled', carrier);
  assert.equal(separate, first.planned + last.planned);
});

test('an edit of a scheduled group changes the joint route and the separate ones alike', async () => {
  const [grouper, other] = [await schedule(manager, at(4)), await schedule(manager, at(4, 5))];
  assertOk(await groupScheduled(malote, grouper, [other]));
  const saved = savedBy(await waysOf('scheduled', grouper));
  assertOk(await manager.put(`/entregas/programadas/${grouper}`, scheduledOrder(at(0))));
  assert.equal(savedBy(await waysOf('scheduled', grouper)), saved);
  assertOk(await operator.post(`/programadas/${other}/cancelar`));
  assert.equal(await isGrouping('scheduled', grouper), false, 'nobody is left in the group');
});

test('a run is no grouping once the others left it, also those whose stops were removed before', async () => {
  const [carrier, other] = [await start(malote, at(4)), await start(malote, at(1))];
  const [stopId] = await stopIdsOf(malote, { noun: 'delivery', id: other });
  assertOk(await groupDeliveries(malote, carrier, [other]));
  assertOk(await manager.delete(`/entregas/${carrier}/paradas/${stopId}`));
  assert.equal(await isGrouping('deliveries', carrier), true);
  assertOk(await manager.post(`/entregas/${other}/cancelar`, { motivo_id: 2 }));
  assert.equal(await isGrouping('deliveries', carrier), false);
});

test('an automatically merged delivery counts as no grouping once it is separate again', async () => {
  await malote.configure({ autoMerge: true, mergeSavingPercentMin: 0, mergeLeadSeconds: 300 });
  const [first, second, third] = [
    await schedule(manager, { ...at(4), hora: '15:00:00' }),
    await schedule(manager, { ...at(4), hora: '15:01:00' }),
    await schedule(manager, { ...at(4), hora: '15:02:00' }),
  ];
  assertOk(await groupScheduled(malote, second, [third]));
  clock.set('2026-11-16T17:56:00Z');
  assert.deepEqual(await mergeDue(malote.app.deps), { groups: 1, orders: 2 });
  assertOk(await operator.post(`/programadas/${first}/cancelar`));
  for (const id of [second, third]) assert.equal(await isGrouping('scheduled', id), false);
});
