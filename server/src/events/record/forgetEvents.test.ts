import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { testClock } from '../../../../test/support/clock.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { addEvents, addWebhook } from '../../../../test/support/webhookReceiver.ts';
import { wholeCentral } from '../../centrals/caller.ts';
import { createCentral } from '../../centrals/createCentral.ts';
import { openDatabase } from '../../platform/postgres/database.ts';
import { raw } from '../../platform/postgres/sql.ts';
import { forgetEvents } from './forgetEvents.ts';

const db = openDatabase({ connection: await testDatabase(), poolSize: 4, onError: () => undefined });
after(() => db.close());
const clock = testClock();
const newCentral = () =>
  createCentral({ db }, { name: `Central ${randomUUID()}`, timeZone: 'America/Sao_Paulo' });
const count = async (table: 'events' | 'webhook_messages', centralId: number): Promise<number> => {
  const row = await db.row<{ count: number }>`
    select count(*) from ${raw(table)} where central_id = ${centralId}`;
  return row!.count;
};

test('events and their messages are deleted after the retention time of their central', async () => {
  const [usual, brief] = [await newCentral(), await newCentral()];
  await db`update centrals set settings = ${{ eventsKeptDays: 7 }} where id = ${brief}`;
  for (const centralId of [usual, brief]) {
    await addWebhook(db, wholeCentral(centralId), 'https://erp.example.com', clock.now());
    await addEvents(db, centralId, [1, 2, 3], clock.now());
  }
  clock.advance({ hours: 24 * 8 });
  for (const centralId of [usual, brief]) await addEvents(db, centralId, [1], clock.now());
  assert.equal((await forgetEvents({ db, clock })).events, 3);
  assert.deepEqual([await count('events', usual), await count('events', brief)], [4, 1]);
  assert.deepEqual([await count('webhook_messages', usual), await count('webhook_messages', brief)], [4, 1]);
  clock.advance({ hours: 24 * 83 });
  await forgetEvents({ db, clock });
  assert.deepEqual([await count('events', usual), await count('events', brief)], [1, 0]);
});

test('one run deletes in several steps, each in its own transaction', async () => {
  const centralId = await newCentral();
  await db`
    insert into events (central_id, id, type, sequence, payload, occurred_at)
    select ${centralId}, id, 'wallet.entry', n, '{}', ${clock.now()}
    from unnest(${await db.newIds(centralId, 'event', 1750)}::bigint[]) with ordinality as ids (id, n)`;
  clock.advance({ hours: 24 * 91 });
  const leftBefore: number[] = [];
  const counting = db.with({
    beginIndependent: async (work) => {
      leftBefore.push(await count('events', centralId));
      return db.beginIndependent(work);
    },
  });
  await forgetEvents({ db: counting, clock });
  assert.equal(await count('events', centralId), 0);
  assert.deepEqual([...new Set(leftBefore)], [1750, 1250, 750, 250]);
});
