import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import type { Answer } from '../support/client.ts';
import { countLockWaits } from '../support/lockWaits.ts';
import { startMalote } from '../support/malote.ts';
import { order, scheduledOrder } from '../support/orders.ts';
import { runText } from '../support/runText.ts';
import { assertOk } from '../support/steps.ts';
import { waitUntil } from '../support/waitUntil.ts';

/*
 * A request with an Idempotency-Key stores its answer in its own transaction, together with the commit. A deadlock at
 * that moment undoes the transaction after its result was taken for the answer.
 */

const malote = await startMalote();
const { db, manager } = malote;

/** The transaction of a request takes one lock at its beginning, and another one when its answer is stored. */
const [AT_CLAIM, AT_ANSWER] = [1, 2];
await runText(
  db,
  `create function lock_in_steps() returns trigger language plpgsql as $$
   begin
     perform pg_advisory_xact_lock(case tg_op when 'INSERT' then ${AT_CLAIM} else ${AT_ANSWER} end);
     return new;
   end $$`,
  [],
);
await runText(
  db,
  `create trigger lock_in_steps before insert or update on idempotency_keys
   for each row execute function lock_in_steps()`,
  [],
);

/** Sends a request whose transaction is ended by a deadlock while its answer is stored. */
async function deadlocked(t: TestContext, send: () => Promise<Answer>): Promise<Answer> {
  const other = new pg.Client(malote.connection);
  await other.connect();
  t.after(() => other.end());
  // PostgreSQL ends the session whose time runs out first, which is therefore the request's.
  await other.query(`set deadlock_timeout = '1min'`);
  await other.query('begin');
  await other.query('select pg_advisory_xact_lock($1)', [AT_ANSWER]);
  const answer = send();
  await waitUntil('the answer is being stored', async () => (await countLockWaits(db)) === 1);
  await other.query('select pg_advisory_xact_lock($1)', [AT_CLAIM]);
  await other.query('commit');
  return answer;
}

const keyed = () => ({ 'idempotency-key': randomUUID() });

test('a creation that a deadlock undid at its commit answers with the delivery that exists', async (t) => {
  const key = keyed();
  const send = () => manager.post('/entregas', order(), key);
  const answer = assertOk(await deadlocked(t, send));
  const rows = await db<{ id: number }>`select id from deliveries where central_id = 1`;
  assert.deepEqual(rows, [{ id: Number(answer.body.data.id_mch) }]);
  assert.equal((await send()).text, answer.text, 'the stored answer is the one that was sent');
});

test('so does a grouping, whose claim was taken in a transaction of its own', async (t) => {
  const schedule = async () =>
    Number(assertOk(await manager.post('/entregas/programadas', scheduledOrder())).body.data.id_mch);
  const [id, other] = [await schedule(), await schedule()];
  const key = keyed();
  const send = () =>
    manager.post(`/entregas/programadas/${id}/agrupar`, { programadas_agrupadas: [other] }, key);
  const answer = assertOk(await deadlocked(t, send));
  assert.equal((await send()).text, answer.text);
  const shown = assertOk(await manager.get(`/entregas/programadas/${id}`));
  assert.equal(shown.body.data.paradas.length, 2);
  assert.deepEqual(await db`select target_id from claims`, []);
});
