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
import type { RecordedEvent } from '../record/event.ts';
import { changeWebhook } from './changeWebhook.ts';
import { RETRY_POLICY, type RetryPolicy } from './retryPolicy.ts';
import { type SenderOptions, startWebhookSender } from './sendWebhooks.ts';

const connection = await testDatabase();
const db = openDatabase({ connection, poolSize: 10, onError: () => undefined });
after(() => db.close());

/** A new central with a clock, for each test. */
async function aCentral(t: TestContext) {
  const clock = testClock();
  const centralId = await createCentral(
    { db },
    { name: `Central ${randomUUID()}`, timeZone: 'America/Sao_Paulo' },
  );
  const scope = wholeCentral(centralId);
  const held = async (): Promise<number> => {
    const rows = await db`
      select from webhook_messages where central_id = ${centralId} and held_until is not null`;
    return rows.length;
  };
  return {
    clock,
    held,
    centralId,
    register: (url: string) => addWebhook(db, scope, url, clock.now()),
    happen: (...deliveryIds: number[]) => addEvents(db, centralId, deliveryIds, clock.now()),
    seen: (...deliveryIds: number[]) =>
      addEvents(db, centralId, deliveryIds, clock.now(), 'delivery.position'),
    states: async (webhookId: number) => {
      const rows = await db<{ state: string }>`
        select state from webhook_messages where central_id = ${centralId} and webhook_id = ${webhookId} order by id`;
      return rows.map(({ state }) => state);
    },
    endpoint: async (webhookId: number) => {
      const [row] = await db<{ failures: number; next_attempt_at: unknown; paused_at: unknown }>`
        select failures, next_attempt_at, paused_at from webhooks where central_id = ${centralId} and id = ${webhookId}`;
      return row!;
    },
    /** Advances the clock once all answers are stored; later results would get the new time. */
    later: async (duration: Temporal.DurationLike) => {
      await waitUntil('nothing is under way', async () => (await held()) === 0);
      clock.advance(duration);
    },
    wakeUp: (webhookId: number) =>
      changeWebhook({ db, clock }, { centralId, companyId: null } as never, webhookId, { active: true }),
    send: (options: Partial<SenderOptions> = {}) => {
      const sender = startWebhookSender(
        { db, clock, secrets: secretBox([]) },
        {
          formatEvent: ({ deliveryId, sequence }) => ({ deliveryId, sequence }),
          allowPrivate: true,
          retryPolicy: { ...RETRY_POLICY, poll: 0.05 },
          random: () => 0,
          onError: (error) => assert.fail(String(error)),
          ...options,
        },
      );
      t.after(() => sender.stop());
      return sender;
    },
  };
}

const deliveries = (arrivals: readonly { body: { deliveryId: number; sequence: number } }[]) =>
  arrivals.map(({ body }) => `${body.deliveryId}.${body.sequence}`);

test('every event goes to every endpoint that wants it, once', async (t) => {
  const { register, happen, send, states } = await aCentral(t);
  const receiver = await startReceiver(t);
  const id = await register(receiver.url);
  await happen(1, 2, 1, 3);
  send();
  await waitUntil('all have arrived', () => receiver.arrivals.length === 4);
  await waitUntil('all are marked', async () => (await states(id)).every((state) => state === 'delivered'));
  assert.deepEqual(deliveries(receiver.arrivals).toSorted(), ['1.1', '1.2', '2.1', '3.1']);
});

test('messages after a failed one of the same delivery wait for it; other deliveries do not', async (t) => {
  const { register, happen, send, later } = await aCentral(t);
  const receiver = await startReceiver(t);
  await register(receiver.url);
  let refusals = 2;
  receiver.answer = (arrival, response) => {
    const refused = arrival.body.deliveryId === 1 && refusals-- > 0;
    response.writeHead(refused ? 500 : 204).end();
  };
  await happen(1, 1, 1, 2, 2, 2);
  send();
  await waitUntil('the other delivery has arrived', () => receiver.arrivals.length === 4);
  assert.deepEqual(deliveries(receiver.arrivals).toSorted(), ['1.1', '2.1', '2.2', '2.3']);
  await later({ seconds: 5 });
  await waitUntil('it was tried again', () => receiver.arrivals.length === 5);
  await later({ seconds: 30 });
  await waitUntil('all have arrived', () => receiver.arrivals.length === 8);
  assert.deepEqual(deliveries(receiver.arrivals.slice(4)), ['1.1', '1.1', '1.2', '1.3']);
  const [first] = receiver.arrivals.filter(({ body }) => body.deliveryId === 1);
  assert.equal(receiver.arrivals.filter(({ id }) => id === first?.id).length, 3, 'its id stays the same');
});

test('messages after a failed one of a driver’s account wait for it; other accounts and drivers do not', async (t) => {
  const { centralId, clock, send } = await aCentral(t);
  const receiver = await startReceiver(t);
  const types = ['driver.entry', 'driver.availability'] as const;
  await addWebhook(db, wholeCentral(centralId), receiver.url, clock.now(), types);
  receiver.answer = ({ body }, response) => void response.writeHead(body.of === '1.entry' ? 500 : 204).end();
  const happen = async (driverId: number, type: (typeof types)[number], sequence: number) => {
    const [id] = await db.newIds(centralId, 'event', 1);
    await db`
      insert into events (central_id, id, type, sequence, payload, occurred_at)
      values (${centralId}, ${id}, ${type}, ${sequence}, ${{ driverId }}, ${clock.now()})`;
  };
  await happen(1, 'driver.entry', 1);
  await happen(1, 'driver.entry', 2);
  await happen(1, 'driver.availability', 7);
  await happen(2, 'driver.entry', 1);
  await happen(2, 'driver.entry', 5);
  const nameOf = ({ type, payload }: RecordedEvent) =>
    'driverId' in payload && `${payload.driverId}.${type.replace('driver.', '')}`;
  send({ formatEvent: (event) => ({ of: nameOf(event), sequence: event.sequence }) });
  await waitUntil('the others have arrived', () => receiver.arrivals.length === 4);
  assert.deepEqual(receiver.arrivals.map(({ body }) => `${body.of} ${body.sequence}`).toSorted(), [
    '1.availability 7',
    '1.entry 1',
    '2.entry 1',
    '2.entry 5',
  ]);
});

test('messages of one delivery arrive by its sequence, though another process gave the first one a larger id', async (t) => {
  const { register, send, centralId, clock } = await aCentral(t);
  const receiver = await startReceiver(t);
  await register(receiver.url);
  const elsewhere = openDatabase({ connection, poolSize: 1, onError: () => undefined });
  t.after(() => elsewhere.close());
  await elsewhere.newIds(centralId, 'event', 1);
  const record = (by: typeof db, deliveryId: number) => addEvents(by, centralId, [deliveryId], clock.now());
  for (const deliveryId of [1, 2]) {
    await record(db, deliveryId);
    await record(elsewhere, deliveryId);
    await record(db, deliveryId);
  }
  const events = await db<{ sequence: number }>`
    select sequence from events where central_id = ${centralId} and delivery_id = 1 order by id`;
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    [2, 1, 3],
  );
  send();
  await waitUntil('all have arrived', () => receiver.arrivals.length === 6);
  const ofDelivery = (id: number) => receiver.arrivals.filter(({ body }) => body.deliveryId === id);
  assert.deepEqual(deliveries(ofDelivery(1)), ['1.1', '1.2', '1.3']);
  assert.deepEqual(deliveries(ofDelivery(2)), ['2.1', '2.2', '2.3']);
});

test('a failing endpoint gets one message at a time, and others are not affected', async (t) => {
  const { register, happen, send, endpoint, held, later } = await aCentral(t);
  const [broken, sound] = [await startReceiver(t), await startReceiver(t)];
  broken.answer = withStatus(503);
  const brokenId = await register(broken.url);
  await register(sound.url);
  const many = Array.from({ length: 40 }, (_, index) => index + 1);
  await happen(...many);
  const sender = send();
  await waitUntil('the sound one has all', () => sound.arrivals.length === many.length);
  await waitUntil('it is a failing one', async () => (await endpoint(brokenId)).failures === 3);
  await waitUntil('all its answers are known', async () => (await held()) === 0);
  const before = broken.arrivals.length;
  assert.ok(before <= 10, `${before} attempts at once`);
  await later({ seconds: 6 });
  sender.wake();
  await waitUntil('it was tried once more', async () => (await endpoint(brokenId)).failures === 4);
  await later({ minutes: 1 });
  await happen(...many);
  await waitUntil('the sound one has all again', () => sound.arrivals.length === 2 * many.length);
  await waitUntil('and again', async () => (await endpoint(brokenId)).failures === 5);
  assert.equal(broken.arrivals.length, before + 2);
});

test('a slow endpoint does not take the places of others', async (t) => {
  const { register, happen, send } = await aCentral(t);
  const [slow, quick] = [await startReceiver(t), await startReceiver(t)];
  const held: (() => void)[] = [];
  slow.answer = (_arrival, response) => void held.push(() => response.writeHead(204).end());
  await register(slow.url);
  await register(quick.url);
  await happen(...Array.from({ length: 100 }, (_, index) => index + 1));
  send();
  await waitUntil('the quick one has all', () => quick.arrivals.length === 100);
  assert.equal(slow.arrivals.length, 8);
  slow.answer = withStatus(204);
  for (const release of held) release();
  await waitUntil('the slow one has all', () => slow.arrivals.length === 100);
});

test('slow endpoints leave places for others, of their central and of another', async (t) => {
  const [crowd, other] = [await aCentral(t), await aCentral(t)];
  const [slow, quick, elsewhere] = [await startReceiver(t), await startReceiver(t), await startReceiver(t)];
  slow.answer = () => undefined;
  for (let count = 0; count < 40; count++) await crowd.register(slow.url);
  await crowd.register(quick.url);
  await other.register(elsewhere.url);
  await crowd.happen(...Array.from({ length: 8 }, (_, index) => index + 1));
  crowd.send({ retryPolicy: { ...RETRY_POLICY, poll: 0.05, attempt: 120, hold: 240 } });
  await waitUntil('the quick one has all', () => quick.arrivals.length === 8 && slow.arrivals.length > 100);
  await Promise.all([crowd.happen(9), other.happen(1)]);
  await waitUntil('both have more', () => quick.arrivals.length === 9 && elsewhere.arrivals.length === 1);
  assert.ok(slow.arrivals.length < 128, `${slow.arrivals.length} are under way`);
});

test('after a day of failures an endpoint is paused, and once woken it gets its messages in order', async (t) => {
  const { register, happen, send, endpoint, states, wakeUp, later } = await aCentral(t);
  const receiver = await startReceiver(t);
  receiver.answer = withStatus(500);
  const id = await register(receiver.url);
  await happen(1, 1, 2);
  const sender = send();
  let hours = 0;
  for (; (await endpoint(id)).paused_at === null; hours += 1) {
    assert.ok(hours < 48, 'it is never paused');
    const { failures } = await endpoint(id);
    await later({ hours: 1 });
    sender.wake();
    await waitUntil('it was tried', async () => (await endpoint(id)).failures > failures);
  }
  assert.ok(hours >= 24, `it was paused after ${hours} hours`);
  assert.deepEqual(await states(id), ['waiting', 'waiting', 'waiting']);

  const tried = receiver.arrivals.length;
  await later({ hours: 48 });
  await happen(1);
  sender.wake();
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.equal(receiver.arrivals.length, tried, 'nothing is sent to a paused one');

  receiver.answer = withStatus(204);
  await wakeUp(id);
  sender.wake();
  await waitUntil('all have arrived', () => receiver.arrivals.length === tried + 4);
  const arrived = deliveries(receiver.arrivals.slice(tried));
  assert.deepEqual(
    arrived.filter((each) => each.startsWith('1.')),
    ['1.1', '1.2', '1.3'],
  );
});

test('when a failing endpoint accepts messages again, postponed ones are sent at once', async (t) => {
  const { register, happen, send, endpoint, later } = await aCentral(t);
  const receiver = await startReceiver(t);
  receiver.answer = withStatus(500);
  const id = await register(receiver.url);
  await happen(1, 2, 3);
  const sender = send();
  for (let failures = 3; failures < 9; failures += 1) {
    await waitUntil(`${failures} failures`, async () => (await endpoint(id)).failures === failures);
    await later({ minutes: 70 });
    sender.wake();
  }
  await waitUntil('the last of them', async () => (await endpoint(id)).failures === 9);
  receiver.answer = withStatus(204);
  const before = receiver.arrivals.length;
  // Only one of them is due now; the others were tried and postponed later.
  await later({ minutes: 61 });
  await waitUntil('all have arrived', () => receiver.arrivals.length === before + 3);
});

test('a message that its endpoint refuses while it accepts others fails in the end', async (t) => {
  const { register, happen, send, states, endpoint, later } = await aCentral(t);
  const receiver = await startReceiver(t);
  receiver.answer = (arrival, response) =>
    void response.writeHead(arrival.body.deliveryId === 1 ? 400 : 204).end();
  const id = await register(receiver.url);
  const retryPolicy: RetryPolicy = { ...RETRY_POLICY, messagePauses: [1, 1], poll: 0.05 };
  await happen(1, 1);
  const sender = send({ retryPolicy });
  const ofTheFirst = () => receiver.arrivals.filter(({ body }) => body.deliveryId === 1);
  for (let attempts = 1; attempts <= 2; attempts += 1) {
    await waitUntil(`attempt ${attempts}`, () => ofTheFirst().length === attempts);
    await happen(2);
    await waitUntil('another was taken', () => receiver.arrivals.length === 2 * attempts);
    await waitUntil('it is no failing one', async () => (await endpoint(id)).failures === 0);
    await later({ seconds: 2 });
    sender.wake();
  }
  await waitUntil('it has failed', async () => (await states(id))[0] === 'failed');
  await waitUntil('the next one is tried', () => ofTheFirst().length === 4);
  assert.deepEqual(
    ofTheFirst().map(({ body }) => body.sequence),
    [1, 1, 1, 2],
  );
});

test('two senders side by side send each message once', async (t) => {
  const { register, happen, send } = await aCentral(t);
  const receiver = await startReceiver(t);
  await register(receiver.url);
  const many = Array.from({ length: 300 }, (_, index) => (index % 50) + 1);
  await happen(...many);
  send();
  send();
  await waitUntil('all have arrived', () => receiver.arrivals.length >= many.length);
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.equal(new Set(receiver.arrivals.map(({ id }) => id)).size, many.length);
  assert.equal(receiver.arrivals.length, many.length);
  for (let delivery = 1; delivery <= 50; delivery += 1) {
    const sequences = receiver.arrivals.filter(({ body }) => body.deliveryId === delivery);
    assert.deepEqual(
      sequences.map(({ body }) => body.sequence),
      [1, 2, 3, 4, 5, 6],
    );
  }
});

test('a sender that ends leaves unfinished messages to the next one', async (t) => {
  const { register, happen, send, states } = await aCentral(t);
  const receiver = await startReceiver(t);
  receiver.answer = () => {};
  const id = await register(receiver.url);
  await happen(1);
  const first = send();
  await waitUntil('it is under way', () => receiver.arrivals.length === 1);
  await first.stop();
  receiver.answer = withStatus(204);
  send();
  await waitUntil('it arrives from the second', async () => (await states(id))[0] === 'delivered');
  const [row] = await db<{
    attempts: number;
  }>`select attempts from webhook_messages where webhook_id = ${id}`;
  assert.equal(row?.attempts, 1);
});

test('a message held by a dead sender is sent once its hold has expired', async (t) => {
  const { register, happen, send, clock, centralId } = await aCentral(t);
  const receiver = await startReceiver(t);
  await register(receiver.url);
  await happen(1);
  await db`
    update webhook_messages set held_until = ${clock.now().add({ seconds: 20 })}, holder = gen_random_uuid()
    where central_id = ${centralId}`;
  const sender = send();
  sender.wake();
  await new Promise((resolve) => setTimeout(resolve, 150));
  assert.equal(receiver.arrivals.length, 0);
  clock.advance({ seconds: 21 });
  await waitUntil('it arrives', () => receiver.arrivals.length === 1);
});

test('a position that could not be sent within 15 seconds is dropped, and delays nothing', async (t) => {
  const { register, happen, seen, send, states, later } = await aCentral(t);
  const receiver = await startReceiver(t);
  receiver.answer = (arrival, response) =>
    void response.writeHead(arrival.body.sequence === null ? 500 : 204).end();
  const id = await register(receiver.url);
  await seen(1);
  await happen(1);
  const sender = send();
  await waitUntil('both were tried', () => receiver.arrivals.length === 2);
  await later({ seconds: 6 });
  await waitUntil('the position was tried again', () => receiver.arrivals.length === 3);
  await later({ seconds: 10 });
  sender.wake();
  await waitUntil('it is dropped', async () => (await states(id))[0] === 'expired');
  await later({ minutes: 5 });
  await happen(1);
  await waitUntil('the next change arrives', async () => (await states(id))[2] === 'delivered');
  assert.equal(receiver.arrivals.length, 4);
  assert.deepEqual(await states(id), ['expired', 'delivered', 'delivered']);
});

test('an inactive endpoint gets no messages, and none are stored for it', async (t) => {
  const { register, happen, send, states, centralId } = await aCentral(t);
  const [asleep, awake] = [await startReceiver(t), await startReceiver(t)];
  const id = await register(asleep.url);
  await register(awake.url);
  await db`update webhooks set active = false where central_id = ${centralId} and id = ${id}`;
  await happen(1, 2);
  send();
  await waitUntil('the other one has them', () => awake.arrivals.length === 2);
  assert.deepEqual(await states(id), []);
});
