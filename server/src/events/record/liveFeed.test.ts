import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { testClock } from '../../../../test/support/clock.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { addEvents } from '../../../../test/support/webhookReceiver.ts';
import { createCentral } from '../../centrals/createCentral.ts';
import { openDatabase, type Tx } from '../../platform/postgres/database.ts';
import { newId } from '../../platform/postgres/ids.ts';
import { trackNewEvents } from './liveFeed.ts';

const connection = await testDatabase();
const db = openDatabase({ connection, poolSize: 8, onError: () => undefined });
after(() => db.close());
const clock = testClock();
const newCentral = () =>
  createCentral({ db }, { name: `Central ${randomUUID()}`, timeZone: 'America/Sao_Paulo' });

/** A transaction that has recorded an event and waits for the test to end it. */
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

test('each event is found once, from the moment at which tracking began', async () => {
  const centralId = await newCentral();
  const happen = (...ids: number[]) => addEvents(db, centralId, ids, clock.now());
  await happen(1, 2);
  const newEvents = await trackNewEvents({ db, clock }, centralId);
  const read = async () =>
    (await newEvents.read()).map(({ deliveryId, sequence }) => `${deliveryId}.${sequence}`);
  assert.deepEqual(await read(), []);
  await happen(1, 3, 1);
  assert.deepEqual(await read(), ['1.2', '3.1', '1.3']);
  assert.deepEqual(await read(), []);
  await happen(...Array.from({ length: 2_500 }, (_, index) => index + 10));
  assert.equal((await read()).length, 2_500);
  assert.deepEqual(
    await (await trackNewEvents({ db, clock }, centralId)).read(),
    [],
    'nor is a long past news to a newcomer',
  );
});

test('an event with an early id and a late commit is neither missed nor waited for', async () => {
  const centralId = await newCentral();
  const record = (deliveryId: number) => (tx: Tx) => addEvents(tx, centralId, [deliveryId], clock.now());
  const beforeAll = await begin(record(1));
  await record(2)(db);
  const newEvents = await trackNewEvents({ db, clock }, centralId);
  const read = async () => (await newEvents.read()).map(({ deliveryId }) => deliveryId);
  const slow = await begin(record(3));
  const failing = await begin(record(4));
  await record(5)(db);
  assert.deepEqual(await read(), [5]);
  await slow.commit();
  assert.deepEqual(await read(), [3]);
  await failing.rollBack();
  await record(6)(db);
  await beforeAll.commit();
  assert.deepEqual(await read(), [1, 6]);
  assert.deepEqual(await read(), []);
});

test('events of another process are not missed, though their ids are smaller', async (t) => {
  const centralId = await newCentral();
  const elsewhere = openDatabase({ connection, poolSize: 2, onError: () => undefined });
  t.after(() => elsewhere.close());
  const record = (tx: Tx, deliveryId: number) => addEvents(tx, centralId, [deliveryId], clock.now());
  await record(elsewhere, 1);
  await record(db, 2);
  const newEvents = await trackNewEvents({ db, clock }, centralId);
  await record(db, 3);
  assert.deepEqual(
    (await newEvents.read()).map(({ deliveryId }) => deliveryId),
    [3],
  );
  await record(elsewhere, 4);
  const [event] = await newEvents.read();
  assert.equal(event?.deliveryId, 4);
  assert.ok(event.id < 10 + (centralId - 1) * 10_000_000);
});

test('an announced event comes after earlier events of its delivery that are announced later, each once', async () => {
  const centralId = await newCentral();
  const newEvents = await trackNewEvents({ db, clock }, centralId);
  const read = async (ids: number[]) =>
    (await newEvents.read(ids)).map(({ deliveryId, sequence }) => `${deliveryId}.${sequence}`);
  await addEvents(db, centralId, [1, 2, 1], clock.now());
  const idOf = async (deliveryId: number, sequence: number) => {
    const [row] = await db<{ id: number }>`
      select id from events
      where central_id = ${centralId} and delivery_id = ${deliveryId} and sequence = ${sequence}`;
    return row!.id;
  };
  assert.deepEqual(await read([await idOf(1, 2)]), ['1.1', '1.2']);
  assert.deepEqual(await read([await idOf(1, 1), await idOf(2, 1)]), ['2.1']);
  assert.deepEqual(await newEvents.read(), []);
});

test('an event that is announced before it is visible is found once it is visible', async () => {
  const centralId = await newCentral();
  const newEvents = await trackNewEvents({ db, clock }, centralId);
  const id = await newId(db, centralId, 'event');
  const slow = await begin((tx) => addEvents(tx, centralId, [7], clock.now()));
  assert.deepEqual(await newEvents.read([id + 1]), []);
  await slow.commit();
  assert.deepEqual(
    (await newEvents.read()).map((event) => event.id),
    [id + 1],
  );
});

test('the events of a delivery are in the order of their sequence, whatever their times are', async () => {
  const centralId = await newCentral();
  const newEvents = await trackNewEvents({ db, clock }, centralId);
  const at = clock.now();
  await addEvents(db, centralId, [1], at);
  await addEvents(db, centralId, [2], at.subtract({ milliseconds: 1 }));
  await addEvents(db, centralId, [1], at.subtract({ milliseconds: 2 }));
  const seen = (await newEvents.read()).map(({ deliveryId, sequence }) => `${deliveryId}.${sequence}`);
  assert.deepEqual(seen, ['1.1', '2.1', '1.2']);
});

test('the sequences of drivers and of their accounts are independent', async () => {
  const centralId = await newCentral();
  const newEvents = await trackNewEvents({ db, clock }, centralId);
  const ids = await db.newIds(centralId, 'event', 3);
  await db`
    insert into events (central_id, id, type, sequence, payload, occurred_at)
    select ${centralId}, id, type, sequence, jsonb_build_object('driverId', driver),
      ${clock.now()}::timestamptz + interval '1 second' * sequence * -1
    from unnest(${ids}::bigint[], ${['driver.entry', 'driver.help', 'driver.entry']}::text[],
      ${[9, 8, 7]}::int[], ${[1, 1, 2]}::int[]) as given (id, type, sequence, driver)`;
  const seen = (await newEvents.read()).map(({ type, sequence }) => `${type} ${sequence}`);
  assert.deepEqual(seen, ['driver.entry 9', 'driver.help 8', 'driver.entry 7']);
});

test('positions and events of other centrals are not found, and a test event is found once', async () => {
  const [centralId, other] = [await newCentral(), await newCentral()];
  const newEvents = await trackNewEvents({ db, clock }, centralId);
  await addEvents(db, other, [1], clock.now());
  await addEvents(db, centralId, [1], clock.now(), 'delivery.position');
  await db`
    insert into events (central_id, id, type, payload, occurred_at)
    values (${centralId}, ${await newId(db, centralId, 'event')}, 'webhook.test', '{"webhookId": 1}', ${clock.now()})`;
  assert.deepEqual(
    (await newEvents.read()).map(({ type }) => type),
    ['webhook.test'],
  );
  assert.deepEqual(await newEvents.read(), []);
});
