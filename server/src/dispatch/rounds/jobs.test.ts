import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { runInThisContext } from 'node:vm';
import { pino } from 'pino';
import { testClock } from '../../../../test/support/clock.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { failingTrigger } from '../../../../test/support/failingTrigger.ts';
import { waitUntil } from '../../../../test/support/waitUntil.ts';
import { createCentral } from '../../centrals/createCentral.ts';
import { insertAnswer } from '../../centrals/idempotencyStore.ts';
import { proofLinks } from '../../deliveries/proof/proofLinks.ts';
import { publicPushKey } from '../../events/push/pushKeys.ts';
import { secretBox } from '../../platform/kernel/secretBox.ts';
import { openDatabase } from '../../platform/postgres/database.ts';
import { encryptSecrets } from './encryptSecrets.ts';
import { migrateJobs, startJobs } from './jobs.ts';
import { tidyUp } from './tidyUp.ts';

const connection = await testDatabase();
const clock = testClock();
const db = openDatabase({ connection, poolSize: 4, onError: () => undefined });
after(() => db.close());
const centralId = await createCentral({ db }, { name: 'Central', timeZone: 'America/Sao_Paulo' });

const failOn = failingTrigger(db);

const addKey = (key: string) =>
  insertAnswer(db, { centralId, userId: 1, key }, randomBytes(32), 'answer', clock.now());

const addClaim = (targetId: number, expiresAt: Temporal.Instant) => db`
  insert into claims (central_id, noun, target_id, purpose, token, expires_at)
  values (${centralId}, 'delivery', ${targetId}, 'grouping', ${randomUUID()}, ${expiresAt})`;

test('repeated requests are recognised for two days, and then their keys are deleted', async () => {
  await addKey('old');
  clock.advance({ hours: 47 });
  await addKey('young');
  clock.advance({ hours: 2 });
  assert.equal((await tidyUp({ db, clock })).keys, 1);
  assert.deepEqual(await db`select key from idempotency_keys`, [{ key: 'young' }]);
});

test('claims of dead processes are deleted once they have expired', async () => {
  await addClaim(1, clock.now().subtract({ seconds: 1 }));
  await addClaim(2, clock.now().add({ seconds: 1 }));
  assert.equal((await tidyUp({ db, clock })).claims, 1);
  assert.deepEqual(await db`select target_id from claims`, [{ target_id: 2 }]);
});

test('one run deletes more than one batch', async () => {
  clock.advance({ hours: 72 });
  await tidyUp({ db, clock });
  await db`
    insert into idempotency_keys (central_id, user_id, key, fingerprint, created_at)
    select ${centralId}, 1, n::text, '', ${clock.now()} from generate_series(1, 2500) as n`;
  clock.advance({ hours: 49 });
  assert.equal((await tidyUp({ db, clock })).keys, 2500);
});

test('a failure to delete from one table does not prevent the others, and is reported', async (t) => {
  clock.advance({ hours: 72 });
  await tidyUp({ db, clock });
  await addKey('stays');
  await addClaim(3, clock.now());
  clock.advance({ hours: 49 });
  await failOn(t, 'before delete on idempotency_keys');
  await assert.rejects(tidyUp({ db, clock }), /damaged/);
  assert.equal((await db`select from idempotency_keys`).length, 1);
  assert.deepEqual(await db`select target_id from claims`, []);
});

test('a kind of secret that cannot be stored does not prevent the encryption of others, and is reported', async (t) => {
  const plain = { db, clock, secrets: secretBox([]) };
  await publicPushKey(plain, centralId);
  await proofLinks(plain).signer(centralId);
  const secrets = secretBox([randomBytes(32)]);
  await failOn(t, 'before update on push_keys');
  await assert.rejects(encryptSecrets({ db, clock, secrets }), /damaged/);
  const stored = await db<{ key: string }>`
    select private_key as key from push_keys union all select link_key from proof_link_keys`;
  assert.deepEqual(
    stored.map(({ key }) => key.startsWith(secrets.currentPrefix)),
    [false, true],
  );
});

test('the job runner runs tidyUp from its queue, prints no stack traces, and stops cleanly', async (t) => {
  const { trace } = console;
  await migrateJobs(connection);
  await addKey('old');
  clock.advance({ hours: 49 });
  const jobs = await startJobs({
    db,
    clock,
    secrets: secretBox([]),
    connection,
    log: pino({ level: 'silent' }),
  });
  await db`select graphile_worker.add_job('tidyUp')`;
  await waitUntil('the key is gone', async () => (await db`select from idempotency_keys`).length === 0);
  const written = t.mock.method(process.stderr, 'write', () => true);
  // As graphile-worker writes the error of a worker that ends.
  const file = import.meta.resolve('graphile-worker');
  runInThisContext(`console.trace(new Error('Key (cpf)=(529.982.247-25)'))`, file);
  assert.equal(written.mock.callCount(), 0);
  console.trace('of another part of the process');
  assert.equal(written.mock.callCount(), 1);
  written.mock.restore();
  await jobs.stop();
  assert.equal(console.trace, trace);
  await waitUntil('its sessions are over', async () => {
    const sessions = await db`select from pg_stat_activity where application_name = 'malote jobs'`;
    return sessions.length === 0;
  });
});
