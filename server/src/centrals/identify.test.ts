import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { testClock } from '../../../test/support/clock.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { Refusal } from '../platform/kernel/refusal.ts';
import { openDatabase } from '../platform/postgres/database.ts';
import { REGISTERS_KEPT_MS } from '../platform/postgres/registerCache.ts';
import type { Central } from './central.ts';
import { createCentral, createUser } from './createCentral.ts';
import { type Identities, identities } from './identify.ts';
import { hashPassword, isPassword } from './passwords.ts';
import { openSession } from './sessions.ts';

const clock = testClock();
const connection = await testDatabase();
const db = openDatabase({ connection, poolSize: 4, onError: () => undefined });
after(() => db.close());

let verified: string[] = [];
const known = (): Identities =>
  identities({ db, clock }, (hash, password, queued) => {
    verified.push(password);
    return isPassword(hash, password, queued);
  });

let central: Central;
let other: Central;
before(async () => {
  const newCentral = async (name: string) =>
    ({ id: await createCentral({ db }, { name, timeZone: 'UTC' }), name }) as Central;
  central = await newCentral('one');
  other = await newCentral('other');
  await db.begin(async (tx) => {
    await createUser(tx, central.id, { username: 'ana', password: 'right', role: 'operator' });
    await createUser(tx, central.id, { username: 'off', password: 'right', role: 'operator' });
    await createUser(tx, other.id, { username: 'bia', password: 'right', role: 'operator' });
    await tx`update users set active = false where username = 'off'`;
  });
});

const refusal = (kind: string) => (error: unknown) => error instanceof Refusal && error.kind === kind;

async function assertOneIsTooMany(attempts: Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(attempts);
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  assert.deepEqual(
    reasons.map(({ kind }) => kind),
    ['bad-credentials', 'too-many-attempts'],
  );
}

for (const [who, username, password] of [
  ['a wrong password', 'ana', 'wrong'],
  ['an unknown user', 'nobody', 'right'],
  ['a user of another central', 'bia', 'right'],
  ['a disabled user', 'off', 'right'],
] as const)
  test(`${who} costs exactly one verification, as everybody does`, async () => {
    verified = [];
    await assert.rejects(
      known().caller(central, { username, password }, ['here']),
      refusal('bad-credentials'),
    );
    assert.deepEqual(verified, [password]);
  });

test('a burst of first requests with the same credentials is verified once', async () => {
  verified = [];
  const identities = known();
  const callers = await Promise.all(
    Array.from({ length: 200 }, () =>
      identities.caller(central, { username: 'ana', password: 'right' }, ['here']),
    ),
  );
  assert.equal(new Set(callers.map(({ userId }) => userId)).size, 1);
  await identities.caller(central, { username: 'ana', password: 'right' }, ['here']);
  assert.deepEqual(verified, ['right']);
});

test('after a change of the registers a login is looked up again, and verified if its hash changed', async () => {
  const identities = known();
  const ask = () => identities.caller(central, { username: 'ana', password: 'right' }, ['here']);
  await ask();
  verified = [];
  identities.forget(central.id);
  await ask();
  assert.deepEqual(verified, []);
  await db`update users set password_hash = ${await hashPassword('right')}
    where central_id = ${central.id} and username = 'ana'`;
  identities.forget(central.id);
  await Promise.all([ask(), ask()]);
  assert.deepEqual(verified, ['right']);
});

test('an unannounced change by another program takes effect when the cache entries expire', async () => {
  const identities = known();
  const ask = () => identities.caller(central, { username: 'eva', password: 'right' }, ['here']);
  await db.begin((tx) =>
    createUser(tx, central.id, { username: 'eva', password: 'right', role: 'operator' }),
  );
  await ask();
  const program = new Client(connection);
  await program.connect();
  await program.query(`update users set active = false where username = 'eva'`);
  await program.end();
  await ask();
  // A clock that is set back does not extend the life of cache entries.
  clock.advance({ hours: -3 });
  await assert.rejects(ask(), refusal('bad-credentials'));
  clock.advance({ hours: 3, milliseconds: REGISTERS_KEPT_MS });
  await assert.rejects(ask(), refusal('bad-credentials'));
});

test('a verification that began before a change is not shared with later requests', async () => {
  const identities = known();
  verified = [];
  const early = identities.caller(central, { username: 'ana', password: 'right' }, ['here']);
  identities.forget(central.id);
  const late = identities.caller(central, { username: 'ana', password: 'right' }, ['here']);
  await Promise.all([early, late]);
  assert.equal(verified.length, 2);
});

test('the same name and password in two centrals are two logins', async () => {
  const identities = known();
  await identities.caller(central, { username: 'ana', password: 'right' }, ['here']);
  await assert.rejects(
    identities.caller(other, { username: 'ana', password: 'right' }, ['here']),
    refusal('bad-credentials'),
  );
});

test('guesses from another network do not lock out a user who logged in before', async () => {
  const identities = known();
  const ana = (address: string, password = 'right') =>
    identities.caller(central, { username: 'ana', password }, [address]);
  await ana('home');
  for (let guess = 0; guess < 12; guess += 1) {
    await ana('elsewhere', `guess ${guess}`).catch(() => undefined);
    clock.advance({ minutes: 1 });
  }
  await assertOneIsTooMany([ana('elsewhere', 'one more'), ana('elsewhere', 'and another')]);
  // Long after the cached verification has expired.
  assert.equal((await ana('home')).role, 'operator');
});

test('guesses from the user’s own network are slowed down there', async () => {
  const identities = known();
  const ana = (password: string) => identities.caller(central, { username: 'ana', password }, ['home']);
  await ana('right');
  for (let guess = 0; guess < 10; guess += 1) {
    await ana(`guess ${guess}`).catch(() => undefined);
    clock.advance({ minutes: 1 });
  }
  await assertOneIsTooMany([ana('one more'), ana('and another')]);
});

/** Identities with an instant password check, for tests with many guesses. */
const quick = (): Identities => identities({ db, clock }, async (_hash, password) => password === 'right');

test('guesses from the same network do not delay a client that knows the password', async () => {
  const identities = quick();
  const ana = (password: string) => identities.caller(central, { username: 'ana', password }, ['home']);
  await ana('right');
  for (let guess = 0; guess < 12; guess += 1) {
    await ana(`guess ${guess}`).catch(() => undefined);
    clock.advance({ minutes: 1 });
  }
  await assertOneIsTooMany([ana('one more'), ana('and another')]);
  assert.equal((await ana('right')).role, 'operator');
});

test('guesses from many networks do not lock a user out, neither in known networks nor in new ones', async () => {
  const identities = quick();
  const ana = (network: string, password = 'right') =>
    identities.caller(central, { username: 'ana', password }, [network]);
  await ana('home');
  clock.advance({ minutes: 2 });
  const guesses = await Promise.allSettled(
    Array.from({ length: 300 }, (_, index) => ana(`network ${index}`, 'wrong')),
  );
  const kinds = guesses.map((guess) => (guess.status === 'rejected' ? guess.reason.kind : 'let in'));
  assert.ok(
    kinds.filter((kind) => kind === 'bad-credentials').length < 100,
    'the brake held most of them up',
  );
  assert.equal((await ana('home')).role, 'operator');
  clock.advance({ seconds: 2 });
  assert.equal((await ana('a new network')).role, 'operator');
});

test('the networks of one /48 are counted together', async () => {
  const identities = quick();
  const kinds = new Map<string, number>();
  for (let index = 0; index < 300; index += 1) {
    const credentials = { username: `user ${index}`, password: 'wrong' };
    const { kind } = await identities
      .caller(central, credentials, [`2001:db8:1:${index}::/64`, '2001:db8:1::/48'])
      .catch((error) => error);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    if (kind === 'too-many-attempts') break;
  }
  assert.equal(kinds.get('too-many-attempts'), 1);
  assert.ok(kinds.get('bad-credentials')! >= 200);
});

test('a central that does not exist is throttled like one that does', async () => {
  const deps = { db, clock };
  const outcomesAt = async (identities: Identities, names: readonly string[]): Promise<string[]> => {
    const attempts = await Promise.allSettled(
      names.map((name, index) =>
        openSession(deps, identities, name, { username: 'nobody', password: `wrong ${index}` }, ['there']),
      ),
    );
    const kinds = attempts.map((attempt) =>
      String(attempt.status === 'rejected' ? attempt.reason.kind : 'let in'),
    );
    return kinds.toSorted((a, b) => a.localeCompare(b));
  };
  const often = (...names: string[]) =>
    Array.from({ length: 120 }, (_, index) => names[index % names.length]!);
  const existing = await outcomesAt(quick(), often('one', 'other'));
  assert.deepEqual(await outcomesAt(quick(), often('none', 'nowhere')), existing);
  assert.deepEqual(await outcomesAt(quick(), often('one', 'nowhere')), existing);
});

test('logging in to a central that does not exist takes the same work as a wrong password', async () => {
  verified = [];
  const deps = { db, clock };
  const attempt = (name: string) =>
    openSession(deps, known(), name, { username: 'ana', password: 'wrong' }, ['here']);
  await assert.rejects(attempt('one'), refusal('bad-credentials'));
  await assert.rejects(attempt('no such central'), refusal('bad-credentials'));
  assert.deepEqual(verified, ['wrong', 'wrong']);
});

test('people log in with the name or the number of their central, and a number is never a name', async () => {
  const deps = { db, clock };
  const id = await createCentral(deps, { name: 'Expressa São João', timeZone: 'UTC' });
  await db.begin((tx) => createUser(tx, id, { username: 'rui', password: 'right', role: 'operator' }));
  const enter = async (name: string) =>
    (await openSession(deps, known(), name, { username: 'rui', password: 'right' }, ['here'])).caller
      .centralId;
  for (const name of ['Expressa São João', 'expressa sao joao', ' EXPRESSA  SÃO JOÃO ', String(id)])
    assert.equal(await enter(name), id);
  await assert.rejects(
    createCentral(deps, { name: String(id), timeZone: 'UTC' }),
    refusal('central-name-without-letter'),
  );
  await assert.rejects(
    createCentral(deps, { name: 'EXPRESSA SAO JOAO', timeZone: 'UTC' }),
    refusal('central-name-taken'),
  );
});
