import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, type TestContext, test } from 'node:test';
import pg from 'pg';
import type { Answer } from '../support/client.ts';
import { type FaultyProxy, faultyProxy } from '../support/faultyProxy.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { assertOk, assertRefused } from '../support/steps.ts';
import { waitUntil } from '../support/waitUntil.ts';

let proxy: FaultyProxy;
let direct: pg.Client;
const malote = await startMalote({
  connect: async (connection) => {
    direct = new pg.Client(connection);
    await direct.connect();
    after(() => direct.end());
    proxy = await faultyProxy(connection);
    return proxy.connection;
  },
});
const { manager } = malote;

await direct!.query(`
  create function wait_for_the_test() returns trigger language plpgsql as $$
  begin perform pg_advisory_xact_lock(1); return null; end $$`);

const DOUBT = /^não se sabe se a operação foi gravada/;

const countOf = async (query: string): Promise<number> =>
  Number((await direct.query<{ count: string }>(query)).rows[0]!.count);
const deliveries = () => countOf('select count(*) from deliveries');
const waiting = () =>
  countOf(`
    select count(*) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`);

/** Loses the answer to the statement that sets off the trigger, with everything that it commits. */
async function loseCommit(t: TestContext, trigger: string, send: () => Promise<Answer>): Promise<Answer> {
  await direct.query(`create trigger wait_for_the_test ${trigger} execute function wait_for_the_test()`);
  const [, table] = / on (\w+)/.exec(trigger)!;
  t.after(() => direct.query(`drop trigger if exists wait_for_the_test on ${table}`));
  await direct.query('select pg_advisory_lock(1)');
  const before = await deliveries();
  const answer = send();
  await waitUntil('it is being stored', async () => (await waiting()) === 1);
  proxy.dropOpen(['toClient']);
  await direct.query('select pg_advisory_unlock(1)');
  await waitUntil('it is stored', async () => (await deliveries()) === before + 1);
  proxy.reset();
  return answer;
}

test('a creation whose answer the database could not send is not reported as failed', async (t) => {
  assertOk(await manager.post('/entregas', order()));
  const answer = await loseCommit(t, 'after insert on deliveries', () => manager.post('/entregas', order()));
  assertRefused(answer, 503, DOUBT);
  assert.equal(answer.headers.get('x-error-kind'), 'outcome-unknown');
  assert.ok(answer.headers.get('retry-after'));
});

test('its repetition with the same Idempotency-Key gets the answer that was stored with it', async (t) => {
  const send = () => manager.post('/entregas', order(), key);
  const key = { 'idempotency-key': randomUUID() };
  const before = await deliveries();
  assertRefused(await loseCommit(t, 'after update on idempotency_keys', send), 503, DOUBT);
  const again = assertOk(await send());
  const { rows } = await direct.query('select max(id)::integer as id from deliveries');
  assert.equal(Number(again.body.data.id_mch), rows[0].id);
  assert.equal(await deliveries(), before + 1);
});
