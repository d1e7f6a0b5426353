import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import type { Answer } from '../support/client.ts';
import { at, groupDeliveries, start } from '../support/grouping.ts';
import { countLockWaits } from '../support/lockWaits.ts';
import { startMalote } from '../support/malote.ts';
import { assertOk, deliveryIn, newDriver, openDelivery } from '../support/steps.ts';
import { waitUntil } from '../support/waitUntil.ts';

/*
 * Two commands that meet in every order in which they can get their locks. PostgreSQL looks for no deadlock here, so
 * that two commands that wait for each other end at the time limit for locks, with 503.
 */

const malote = await startMalote({
  connect: async (connection) => {
    const client = new pg.Client(connection);
    await client.connect();
    await client.query(`alter database ${connection.database} set deadlock_timeout = '1h'`);
    await client.end();
    return connection;
  },
});
const { operator, db } = malote;
await db`update drivers set available = false`;

/** Sends requests that all come to wait for the same row, so that they get it in this order. */
async function meetingAt(
  t: TestContext,
  row: string,
  requests: readonly (() => Promise<Answer>)[],
): Promise<Answer[]> {
  const holder = new pg.Client(malote.connection);
  await holder.connect();
  t.after(() => holder.end());
  await holder.query('begin');
  await holder.query(`select from ${row} for update`);
  const answers: Promise<Answer>[] = [];
  for (const [index, request] of requests.entries()) {
    answers.push(request());
    await waitUntil('it waits', async () => (await countLockWaits(db)) === index + 1);
  }
  await holder.query('commit');
  return Promise.all(answers);
}

const inBothOrders = <Each>(pair: readonly [Each, Each]): readonly (readonly Each[])[] => [
  pair,
  pair.toReversed(),
];

const post = (path: string, body: object) => () => operator.post(path, body);
const reassign = (id: number, driverId: number) =>
  post(`/entregas/${id}/reatribuir`, { condutor_id: driverId, motivo: 'Pneu furado' });
const delivery = (id: number) => `deliveries where central_id = 1 and id = ${id}`;
const driver = (id: number) => `drivers where central_id = 1 and id = ${id}`;

for (const step of ['aceitar', 'atribuir'])
  for (const turn of [0, 1])
    test(`${step} and reatribuir of a delivery on hold, to one driver (${turn})`, async (t) => {
      const { id } = await deliveryIn(malote, 'on_hold');
      const other = await newDriver(malote);
      const pair = [post(`/entregas/${id}/${step}`, { condutor_id: other }), reassign(id, other)] as const;
      const answers = await meetingAt(t, delivery(id), inBothOrders(pair)[turn]!);
      const refused = answers.filter(({ status }) => status !== 200);
      assert.equal(refused.length, 1);
      assert.ok([406, 409].includes(refused[0]!.status), refused[0]!.text);
    });

/** A driver with a started delivery that others can be grouped with, and another one on hold. */
async function carrier(stop: number): Promise<{ id: number; driverId: number; next: number }> {
  const id = await start(malote, at(stop));
  const driverId = Number(assertOk(await operator.get(`/entregas/${id}`)).body.data.condutor.id);
  const next = await openDelivery(malote);
  assertOk(await operator.post(`/entregas/${next.id}/aceitar`, { condutor_id: driverId }));
  return { id, driverId, next: next.id };
}

for (const turn of [0, 1])
  test(`a grouping that frees two drivers, and reatribuir of what one has on hold to the other (${turn})`, async (t) => {
    const grouper = await start(malote, at(0));
    const [first, second] = [await carrier(1), await carrier(2)];
    const pair = [
      reassign(first.next, second.driverId),
      () => groupDeliveries(malote, grouper, [first.id, second.id]),
    ] as const;
    const answers = await meetingAt(t, driver(second.driverId), inBothOrders(pair)[turn]!);
    for (const answer of answers) assertOk(answer);
  });
