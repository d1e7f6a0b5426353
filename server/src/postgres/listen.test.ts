import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../../../test/support/database.ts';
import { waitUntil } from '../../../test/support/waitUntil.ts';
import { openDatabase } from './database.ts';
import { EVENTS_CHANNEL } from './listen.ts';

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

/** As the table of events does it, for central 7. */
await db`create table noted (id integer)`;
await db.pool.query(`
  create function note() returns trigger language plpgsql as $$
  begin raise notice 'malote_event %', 7; return null; end $$;
  create trigger noted_note after insert on noted for each row execute function note()`);
const visible = async () => (await elsewhere`select from noted`).length;

test('other processes are told once a transaction has committed, and find what it wrote', async () => {
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

test('what is rolled back is not told, nor is what changed nothing of the kind', async () => {
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

test('closing waits until all has been told', async () => {
  heard.length = 0;
  const another = open();
  await another.begin((tx) => tx`insert into noted values (1)`);
  await another.close();
  await waitUntil('it is told', () => heard.includes('7'));
});
