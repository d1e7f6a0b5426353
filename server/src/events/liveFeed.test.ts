import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { testClock } from '../../../test/support/clock.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { addEvents } from '../../../test/support/webhookReceiver.ts';
import { createCentral } from '../centrals/createCentral.ts';
import { openDatabase, type Tx } from '../postgres/database.ts';
import { trackNewEvents } from './liveFeed.ts';

const db = openDatabase({ connection: await testDatabase(), poolSize: 8, onError: () => undefined });
after(() => db.close());
const clock = testClock();
const newCentral = () =>
  createCentral({ db }, { name: `Central ${randomUUID()}`, timeZone: 'America/Sao_Paulo' });

/** A transaction that has recorded an event and waits to be told how to end. */
async function begin(record: (tx: Tx) => Promise<void>) {
  const recorded = Promise.withResolvers<void>();
  const ending = Promise.withResolvers<void>();
  const ended = db.begin(async (tx) => {
    await record(tx);
    recorded.resolve();
    await ending.promise;
  });
  await recorded.promise;
  return {
    commit: async () => {
      ending.resolve();
      await ended;
    },
    rollBack: async () => {
      ending.reject(new Error('rolled back'));
      await assert.rejects(ended);
    },
  };
}

test('each event is news once, from the moment on at which one began to look', async () => {
  const centralId = await newCentral();
  const happen = (...ids: number[]) => addEvents(db, centralId, ids, clock.now());
  await happen(1, 2);
  const news = await trackNewEvents(db, centralId);
  const look = async () => (await news.look()).map(({ deliveryId, sequence }) => `${deliveryId}.${sequence}`);
  assert.deepEqual(await look(), []);
  await happen(1, 3, 1);
  assert.deepEqual(await look(), ['1.2', '3.1', '1.3']);
  assert.deepEqual(await look(), []);
  await happen(...Array.from({ length: 2_500 }, (_, index) => index + 10));
  assert.equal((await look()).length, 2_500);
  assert.deepEqual(
    await (await trackNewEvents(db, centralId)).look(),
    [],
    'nor is a long past news to a newcomer',
  );
});

test('one that took its id early and was committed late is not missed, nor waited for', async () => {
  const centralId = await newCentral();
  const record = (deliveryId: number) => (tx: Tx) => addEvents(tx, centralId, [deliveryId], clock.now());
  const beforeAll = await begin(record(1));
  await record(2)(db);
  const news = await trackNewEvents(db, centralId);
  const look = async () => (await news.look()).map(({ deliveryId }) => deliveryId);
  const slow = await begin(record(3));
  const failing = await begin(record(4));
  await record(5)(db);
  assert.deepEqual(await look(), [5]);
  await slow.commit();
  assert.deepEqual(await look(), [3]);
  await failing.rollBack();
  await record(6)(db);
  await beforeAll.commit();
  assert.deepEqual(await look(), [1, 6]);
  assert.deepEqual(await look(), []);
});

test('positions, tests and other centrals are no news', async () => {
  const [centralId, other] = [await newCentral(), await newCentral()];
  const news = await trackNewEvents(db, centralId);
  await addEvents(db, other, [1], clock.now());
  await addEvents(db, centralId, [1], clock.now(), 'delivery.position');
  await db`
    insert into events (central_id, id, type, payload, occurred_at)
    values (${centralId}, next_id(${centralId}, 'event'), 'webhook.test', '{"webhookId": 1}', ${clock.now()})`;
  assert.deepEqual(await news.look(), []);
});
