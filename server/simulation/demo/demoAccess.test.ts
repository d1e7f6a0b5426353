import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testClock } from '../../../test/support/clock.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { createApiKey, createCentral, createUser } from '../../src/centrals/createCentral.ts';
import { hashPassword } from '../../src/centrals/passwords.ts';
import { openDatabase } from '../../src/platform/postgres/database.ts';
import { hasDemoAccess, removeDemoAccess } from './demoAccess.ts';

const clock = testClock();

const open = async (content: 'empty' | 'demo') => {
  const connection = await testDatabase(undefined, content);
  const db = openDatabase({ connection, poolSize: 2, onError: () => undefined });
  after(() => db.close());
  return { db, clock };
};

test('a database without the demonstration has none of its logins, whatever its users are called', async () => {
  const { db } = await open('empty');
  const centralId = await createCentral({ db }, { name: 'Central Demonstração', timeZone: 'UTC' });
  await createApiKey({ db, clock }, centralId, 'demonstração');
  await db.begin((tx) =>
    createUser(tx, centralId, { username: 'central', password: 'a secret of its own', role: 'operator' }),
  );
  assert.equal(await hasDemoAccess(db), false);
});

test('a key of the demonstration counts until it is revoked, a login until its password is changed', async () => {
  const deps = await open('demo');
  const { db } = deps;
  assert.equal(await hasDemoAccess(db), true);
  const other = await hashPassword('a secret of its own');
  await db`update users set password_hash = ${other} where central_id = 1`;
  await db`update users set password_hash = ${other} where central_id = 2`;
  assert.equal(await hasDemoAccess(db), true, 'the keys');
  await db`update api_keys set revoked_at = now() where central_id = 1`;
  assert.equal(await hasDemoAccess(db), true, 'the key of central 2');
  await db`update api_keys set revoked_at = now() where central_id = 2`;
  assert.equal(await hasDemoAccess(db), false);
  const demo = await hashPassword('demo');
  await db`update users set password_hash = ${demo}, username = 'someone' where central_id = 2 and username = 'vizinha'`;
  assert.equal(await hasDemoAccess(db), true, 'one password is enough, under any name');
  await db`update users set active = false where central_id = 2`;
  assert.equal(await hasDemoAccess(db), false, 'nobody logs in with a disabled login');
});

test('removal deletes public access, closes centrals without an operator, and keeps private logins', async () => {
  const deps = await open('demo');
  const { db } = deps;
  const own = await createApiKey(deps, 1, 'own');
  await db.begin((tx) =>
    createUser(tx, 1, { username: 'olga', password: 'a secret of its own', role: 'operator' }),
  );
  const other = await hashPassword('another secret');
  await db`update users set password_hash = ${other} where central_id = 1 and username = 'gerente'`;
  const drivers = await db`select id from drivers where central_id = 1`;

  const { keys, logins, closed } = await removeDemoAccess(deps);
  assert.equal(keys, 3, 'the key of each central, and the test key');
  assert.ok(logins.includes('central') && logins.includes('vizinha') && logins.includes('condutor1'));
  assert.deepEqual(closed, ['Central Vizinha']);
  assert.equal(await hasDemoAccess(db), false);
  const active = await db<{ username: string }>`
    select username from users where central_id = 1 and active order by username`;
  assert.deepEqual(
    active.map(({ username }) => username),
    ['gerente', 'olga'],
  );
  const kept = await db<{ id: number }>`select id from api_keys where central_id = 1 and revoked_at is null`;
  assert.deepEqual(
    kept.map(({ id }) => id),
    [own.id],
  );
  assert.equal((await db`select id from drivers where central_id = 1`).length, drivers.length);
  const centrals = await db<{ active: boolean }>`select active from centrals order by id`;
  assert.deepEqual(
    centrals.map(({ active }) => active),
    [true, false],
  );
  assert.deepEqual(await removeDemoAccess(deps), { keys: 0, logins: [], closed: [] });
});
