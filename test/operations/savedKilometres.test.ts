import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { at, groupDeliveries, groupScheduled, start } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { schedule } from '../support/scheduled.ts';
import { assertOk } from '../support/steps.ts';
import { testRouters } from '../support/testRouters.ts';

const routers = testRouters();
const malote = await startMalote({ routers });
const { manager, db } = malote;

beforeEach(() => routers.restore());

interface Ways {
  separate: number;
  planned: number;
}

const waysOf = async (table: 'deliveries' | 'scheduled', id: number): Promise<Ways> => {
  const [row] = await db.run<Ways>(
    `select coalesce(separate_metres, planned_metres) as separate, planned_metres as planned from ${table}
     where central_id = 1 and id = $1`,
    [id],
  );
  return row!;
};
const savedBy = ({ separate, planned }: Ways): number => separate - planned;
/** As much of the saving as the routes that stay are of all. */
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
