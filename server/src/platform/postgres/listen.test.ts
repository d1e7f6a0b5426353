import assert from 'node:assert/strict';
import { type AddressInfo, createServer } from 'node:net';
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { testDatabase } from '../../../../test/support/database.ts';
import { waitUntil } from '../../../../test/support/waitUntil.ts';
import { openDatabase } from './database.ts';
import { EVENTS_CHANNEL, parseAnnouncement, REGISTERS_CHANNEL } from './listen.ts';

const connection = await testDatabase();
const open = () => openDatabase({ connection, poolSize: 4, onError: () => undefined });
const [db, elsewhere] = [open(), open()];
const heard: string[] = [];
const listening = await elsewhere.listen(
  EVENTS_CHANNEL,
  (payload) => heard.push(payload),
  () => undefined,
);
after(async () => {
  await listening.stop();
  await db.close();
  await elsewhere.close();
});

/** A trigger like that of the table of events, for central 7. */
await db`create table noted (id integer)`;
await db.pool.query(`
  create function note() returns trigger language plpgsql as $$
  begin raise notice 'malote_event %', 7; return null; end $$;
  create trigger noted_note after insert on noted for each row execute function note()`);
const visible = async () => (await elsewhere`select from noted`).length;

test('other processes are notified after the commit of a transaction, and find its changes', async () => {
  heard.length = 0;
  const before = await visible();
  await db.begin(async (tx) => {
    for (let id = 1; id <= 20; id += 1) await tx`insert into noted values (${id})`;
    await elsewhere`select pg_notify(${EVENTS_CHANNEL}, 'in between')`;
    await waitUntil('what came in between is heard', () => heard.includes('in between'));
    assert.deepEqual(heard, ['in between'], 'nothing is told before the commit');
  });
  await waitUntil('they are told', () => heard.includes('7'));
  assert.equal(await visible(), before + 20);
  assert.equal(heard.filter((payload) => payload === '7').length, 1);
});

test('a commit that concerns thousands of centrals is announced, and so is the next one', async () => {
  heard.length = 0;
  await db.begin(
    (tx) =>
      tx`do $$ begin for central in 1..4000 loop raise notice 'malote_event %', central; end loop; end $$`,
  );
  assert.equal(await db.announced(), true);
  await waitUntil('all of them are told', () => heard.length === 4_000);
  assert.deepEqual(new Set(heard), new Set(Array.from({ length: 4_000 }, (_, index) => String(index + 1))));
});

test('the events of one statement come in one notice, and each central is notified of its own', async () => {
  heard.length = 0;
  await db.begin(
    (tx) => tx`do $$ begin raise notice 'malote_event %', '8 101, 9 102 send, 8 103, 11'; end $$`,
  );
  await waitUntil('all of them are told', () => heard.length === 3);
  assert.deepEqual(heard.map(parseAnnouncement), [
    { centralId: 8, toSend: false, eventIds: [101, 103] },
    { centralId: 9, toSend: true, eventIds: [102] },
    { centralId: 11, toSend: false, eventIds: [] },
  ]);
});

test('a rollback is not announced, nor is a transaction without events', async () => {
  heard.length = 0;
  await assert.rejects(
    db.begin(async (tx) => {
      await tx`insert into noted values (1)`;
      throw new Error('no');
    }),
  );
  await db.begin((tx) => tx`select 1`);
  await db.begin((tx) => tx`do $$ begin raise notice 'something else'; end $$`);
  await db`select pg_notify(${EVENTS_CHANNEL}, 'end')`;
  await waitUntil('the end is heard', () => heard.includes('end'));
  assert.deepEqual(heard, ['end']);
});

test('closing waits until all commits have been announced', async () => {
  heard.length = 0;
  const another = open();
  await another.begin((tx) => tx`insert into noted values (1)`);
  await another.close();
  await waitUntil('it is told', () => heard.includes('7'));
});

test('a statement outside a transaction is announced after it has committed', async () => {
  heard.length = 0;
  await db`insert into noted values (1)`;
  assert.equal(await db.announced(), true);
  await waitUntil('it is told', () => heard.includes('7'));
});

test('changed registers are announced on a separate channel', async (t) => {
  const changed: string[] = [];
  const channel = await elsewhere.listen(
    REGISTERS_CHANNEL,
    (payload) => changed.push(payload),
    () => undefined,
  );
  t.after(() => channel.stop());
  const [central] = await db<{ id: number }>`
    insert into centrals (name, time_zone) values ('Central', 'UTC') returning id`;
  await db.begin(
    (tx) => tx`insert into categories (central_id, id, name) values (${central!.id}, 1, 'Moto')`,
  );
  assert.equal(await db.announced(), true);
  await waitUntil('the category is told', () => changed.length === 1);
  await db`update centrals set name = 'Another' where id = ${central!.id}`;
  await waitUntil('the central is told', () => changed.length === 2);
  await db`delete from categories where central_id = ${central!.id}`;
  await waitUntil('the deletion is told', () => changed.length === 3);
  assert.deepEqual(new Set(changed), new Set([String(central!.id)]));
});

test('a caller that waits for an announcement learns that it failed, and the next one includes it', async () => {
  const another = open();
  await another`select 1`;
  const query = another.pool.query.bind(another.pool);
  another.pool.query = (() => Promise.reject(new Error('no connection'))) as typeof query;
  await another.begin((tx) => tx`insert into noted values (1)`);
  assert.equal(await another.announced(), false);
  another.pool.query = query;
  heard.length = 0;
  assert.equal(await another.announced(), true);
  await waitUntil('it is told after all', () => heard.includes('7'));
  await another.close();
});

test('a listener that could not begin tries no further', async () => {
  const refused: string[] = [];
  let lost = 0;
  const door = createServer((socket) => {
    refused.push('refused');
    socket.destroy();
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  const { port } = door.address() as AddressInfo;
  const nowhere = openDatabase({
    connection: { host: '127.0.0.1', port, user: 'nobody', database: 'none' },
    poolSize: 1,
    onError: () => undefined,
  });
  const listening = nowhere.listen(
    EVENTS_CHANNEL,
    () => undefined,
    () => {
      lost += 1;
    },
  );
  await assert.rejects(listening);
  await setImmediate();
  assert.deepEqual([refused.length, lost], [1, 0]);
  await new Promise((resolve) => door.close(resolve));
  await nowhere.close();
});
