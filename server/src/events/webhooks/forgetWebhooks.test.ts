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
import { forgetWebhooks } from './webhookRounds.ts';
import { markDeleted } from './webhookStore.ts';

const db = openDatabase({ connection: await testDatabase(), poolSize: 4, onError: () => undefined });
after(() => db.close());
const clock = testClock();
const newCentral = () =>
  createCentral({ db }, { name: `Central ${randomUUID()}`, timeZone: 'America/Sao_Paulo' });
const count = async (
  table: 'events' | 'webhook_messages' | 'webhooks',
  centralId: number,
): Promise<number> => {
  const row = await db.row<{ count: number }>`
    select count(*) from ${raw(table)} where central_id = ${centralId}`;
  return row!.count;
};

test('the messages of a removed webhook are deleted, and then the webhook', async () => {
  const centralId = await newCentral();
  const gone = await addWebhook(db, wholeCentral(centralId), 'https://a.example.com', clock.now());
  await addWebhook(db, wholeCentral(centralId), 'https://b.example.com', clock.now());
  await addEvents(
    db,
    centralId,
    Array.from({ length: 600 }, (_, index) => index),
    clock.now(),
  );
  await markDeleted(db, centralId, gone, clock.now());
  assert.equal((await forgetWebhooks({ db })).messages, 600);
  assert.equal(await count('webhook_messages', centralId), 600);
  assert.equal(await count('webhooks', centralId), 1);
  assert.equal(await count('events', centralId), 600);
});
