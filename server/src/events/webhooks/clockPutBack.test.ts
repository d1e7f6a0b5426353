import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, type TestContext, test } from 'node:test';
import { testClock } from '../../../../test/support/clock.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { waitUntil } from '../../../../test/support/waitUntil.ts';
import {
  addEvents,
  addWebhook,
  startReceiver,
  withStatus,
} from '../../../../test/support/webhookReceiver.ts';
import { wholeCentral } from '../../centrals/caller.ts';
import { createCentral } from '../../centrals/createCentral.ts';
import { secretBox } from '../../platform/kernel/secretBox.ts';
import { openDatabase } from '../../platform/postgres/database.ts';
import { RETRY_POLICY } from './retryPolicy.ts';
import { startWebhookSender } from './sendWebhooks.ts';

/* A clock that ran three hours ahead is corrected while messages wait. */
const connection = await testDatabase();
const db = openDatabase({ connection, poolSize: 10, onError: () => undefined });
after(() => db.close());

async function aCentral(t: TestContext) {
  const clock = testClock();
  const name = `Central ${randomUUID()}`;
  const centralId = await createCentral({ db }, { name, timeZone: 'America/Sao_Paulo' });
  const receiver = await startReceiver(t);
  const webhookId = await addWebhook(db, wholeCentral(centralId), receiver.url, clock.now());
  return {
    receiver,
    happen: (deliveryId: number) => addEvents(db, centralId, [deliveryId], clock.now()),
    putBack: () => clock.advance({ hours: -3 }),
    arrived: (count: number) =>
      waitUntil(`${count} messages have arrived`, () => receiver.arrivals.length >= count),
    /** Leaves a message as a process does that dies while it sends. */
    hold: async () => {
      await db`
        update webhook_messages set held_until = ${clock.now().add({ seconds: 20 })}, holder = gen_random_uuid()
        where central_id = ${centralId}`;
    },
    later: (duration: Temporal.DurationLike) => clock.advance(duration),
    isFailing: () =>
      waitUntil('the webhook is failing', async () => {
        const [row] = await db<{ failures: number }>`
          select failures from webhooks where central_id = ${centralId} and id = ${webhookId}`;
        return row!.failures === 3;
      }),
    send: () => {
      const sender = startWebhookSender(
        { db, clock, secrets: secretBox([]) },
        {
          formatEvent: ({ deliveryId, sequence }) => ({ deliveryId, sequence }),
          allowPrivate: true,
          retryPolicy: { ...RETRY_POLICY, poll: 0.05 },
          random: () => 0,
          onError: (error) => assert.fail(String(error)),
        },
      );
      t.after(() => sender.stop());
    },
  };
}

test('events from before the correction are sent at once, and later events do not wait for them', async (t) => {
  const { receiver, happen, putBack, arrived, send } = await aCentral(t);
  await happen(1);
  putBack();
  await happen(1);
  send();
  await arrived(2);
  assert.deepEqual(
    receiver.arrivals.map(({ body }) => body.sequence),
    [1, 2],
  );
});

test('a webhook that failed before is tried again while the service runs', async (t) => {
  const { receiver, happen, putBack, arrived, isFailing, send } = await aCentral(t);
  receiver.answer = withStatus(500);
  for (const delivery of [1, 2, 3]) await happen(delivery);
  send();
  await isFailing();
  receiver.answer = withStatus(204);
  putBack();
  await arrived(6);
});

test('a message held by a dead process is sent by another one shortly after', async (t) => {
  const { happen, hold, putBack, arrived, later, send } = await aCentral(t);
  await happen(1);
  await hold();
  putBack();
  send();
  // The hold begins again, because its process might be alive.
  const end = setInterval(() => later({ seconds: 5 }), 100);
  t.after(() => clearInterval(end));
  await arrived(1);
});
