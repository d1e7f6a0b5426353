import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { testClock } from '../../../../test/support/clock.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { addEvents, addWebhook } from '../../../../test/support/webhookReceiver.ts';
import { wholeCentral } from '../../centrals/caller.ts';
import { createCentral } from '../../centrals/createCentral.ts';
import { openDatabase, type Tx } from '../../platform/postgres/database.ts';
import { claimMessages, markNotReceived, markReceived } from './messageStore.ts';
import { RETRY_POLICY } from './retryPolicy.ts';
import type { WebhookMessage } from './webhook.ts';
import { lockStoredSecrets, lockWebhook } from './webhookStore.ts';

const db = openDatabase({ connection: await testDatabase(), poolSize: 4, onError: () => undefined });
after(() => db.close());
const clock = testClock();

interface Subject {
  centralId: number;
  webhookId: number;
  message: WebhookMessage;
}

/** A webhook of its own central that has failed once, and a message to it that is being sent. */
async function sending(): Promise<Subject> {
  const name = `Central ${randomUUID()}`;
  const centralId = await createCentral({ db }, { name, timeZone: 'America/Sao_Paulo' });
  const scope = wholeCentral(centralId);
  const webhookId = await addWebhook(db, scope, 'https://erp.example.com', clock.now());
  await addEvents(db, centralId, [1], clock.now());
  const [message] = await claimMessages(db, centralId, {
    holder: randomUUID(),
    now: clock.now(),
    heldUntil: clock.now().add({ minutes: 1 }),
    messagesMax: 1,
    perEndpointMax: 1,
  });
  await db`
    update webhooks set failures = 1, failing_since = ${clock.now()} where central_id = ${centralId} and id = ${webhookId}`;
  return { centralId, webhookId, message: message! };
}

/** Actions that lock the row of a webhook until their transaction ends. */
const holders: Record<string, (tx: Tx, subject: Subject) => Promise<unknown>> = {
  'is changed': (tx, { centralId, webhookId }) => lockWebhook(tx, wholeCentral(centralId), webhookId),
  'gets its secret encrypted': (tx, { centralId }) => lockStoredSecrets(tx, centralId, 'v2:', 0, 10),
  'took a message again': (tx, { message }) =>
    markReceived(tx, message, { status: 204, durationMs: 1, answer: '', error: null }, clock.now()),
  'refused a message': (tx, { message }) =>
    markNotReceived(
      tx,
      message,
      { status: 500, durationMs: 1, answer: '', error: null },
      RETRY_POLICY,
      clock.now(),
      () => 0,
    ),
};

/** In a transaction that waits for no lock. */
const withoutWaiting = (work: (tx: Tx) => Promise<unknown>): Promise<unknown> =>
  db.begin(async (tx) => {
    await tx.rows`set local lock_timeout = '150ms'`;
    return work(tx);
  });

for (const [name, hold] of Object.entries(holders))
  test(`while a webhook ${name}, events are recorded for it, and no other transaction changes it`, async () => {
    const subject = await sending();
    const { centralId } = subject;
    await db.begin(async (tx) => {
      await hold(tx, subject);
      await withoutWaiting((other) => addEvents(other, centralId, [2], clock.now()));
      for (const holdToo of [holders['is changed']!, holders['gets its secret encrypted']!])
        await assert.rejects(
          withoutWaiting((other) => holdToo(other, subject)),
          { code: '55P03' },
        );
    });
    const [row] = await db<{ count: number }>`
      select count(*) from webhook_messages where central_id = ${centralId} and subject = 'delivery 2'`;
    assert.equal(row!.count, 1);
  });
