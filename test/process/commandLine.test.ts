import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import packageJson from '../../package.json' with { type: 'json' };
import { testDatabase } from '../support/database.ts';
import { databaseUrlOf, dataFolder, runMalote } from '../support/maloteProcess.ts';

const env = { DATABASE_URL: databaseUrlOf(await testDatabase()) };

test('help is answered with exit code 0, misuse with 2 and without a stack trace', async () => {
  const help = await runMalote(['help']);
  assert.deepEqual([help.code, help.stderr], [0, '']);
  assert.match(help.stdout, /^ {2}central create /m);
  const misuse = await runMalote(['central', 'create'], { env });
  assert.deepEqual([misuse.code, misuse.stdout], [2, '']);
  assert.match(
    misuse.stderr,
    /--name <name> is missing\n.*--time-zone <zone> is missing\nUsage: malote central create/,
  );
  assert.doesNotMatch(misuse.stderr, /\.ts:\d+/);
});

test('version is the one of the package', async () => {
  const { code, stdout } = await runMalote(['version']);
  assert.deepEqual([code, stdout], [0, `${packageJson.version}\n`]);
});

test('every mistake of the configuration is named at once', async () => {
  const { code, stdout, stderr } = await runMalote(['serve'], {
    env: {
      PORT: 'http',
      MALOTE_POOL: '0',
      MALOTE_DEMO: 'some',
      MALOTE_LOG: 'loud',
      MALOTE_COURIERS: 'maybe',
      MALOTE_PUBLIC_URL: 'example.com',
      MALOTE_ROUTING: 'osrm',
    },
  });
  assert.deepEqual([code, stdout], [1, '']);
  for (const name of [
    'PORT',
    'MALOTE_POOL',
    'MALOTE_DEMO',
    'MALOTE_LOG',
    'MALOTE_COURIERS',
    'MALOTE_PUBLIC_URL',
  ])
    assert.match(stderr, new RegExp(`^  - ${name} `, 'm'));
  assert.match(stderr, /MALOTE_OSRM_URL/);
  assert.doesNotMatch(stderr, /\.ts:\d+/);
});

test('a mistake in DATABASE_URL is named without what it holds', async () => {
  const { code, stderr } = await runMalote(['serve'], {
    env: { DATABASE_URL: 'mysql://ana:segredo@localhost/x' },
  });
  assert.equal(code, 1);
  assert.match(stderr, /DATABASE_URL must be an address that begins with postgres:\/\//);
  assert.doesNotMatch(stderr, /segredo/);
});

const wrongSettings: [env: Record<string, string>, said: RegExp][] = [
  [{ MALOTE_TRUST_PROXY: '10.0.0.0/8,10.0.0.0/33' }, /MALOTE_TRUST_PROXY names "10\.0\.0\.0\/33"/],
  [{ MALOTE_TRUST_PROXY: '0.0.0.0/0' }, /MALOTE_TRUST_PROXY names "0\.0\.0\.0\/0"/],
  [{ MALOTE_TRUST_PROXY: '::1/129' }, /MALOTE_TRUST_PROXY names "::1\/129"/],
  [{ MALOTE_PUBLIC_URL: 'https:example.com' }, /MALOTE_PUBLIC_URL must be an address that begins with http/],
  [
    { MALOTE_PUBLIC_URL: 'https://example.com/?loja=1' },
    /MALOTE_PUBLIC_URL must have no [^\n]*after its path/,
  ],
  [{ MALOTE_PUBLIC_URL: 'https://ana:segredo@example.com' }, /MALOTE_PUBLIC_URL must have no user name/],
  [
    { DATABASE_URL: 'postgres://ana:se#segredo@localhost/x' },
    /DATABASE_URL is not a valid address; [^\n]* %23/,
  ],
];

for (const [env, said] of wrongSettings)
  test(`a setting that would not work is named and not quoted with a password: ${Object.values(env)}`, async () => {
    // It ends whatever it thinks of the setting.
    const unreachable = { DATABASE_URL: 'postgres://ana@localhost:1/x', MALOTE_DATABASE_WAIT: '0' };
    const { code, stdout, stderr } = await runMalote(['serve'], { env: { ...unreachable, ...env } });
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, said);
    assert.doesNotMatch(stderr, /segredo|\.ts:\d+/);
  });

test('a data folder that cannot be created is named', async () => {
  const folder = join(import.meta.filename, 'data');
  const { code, stderr } = await runMalote(['serve'], { env: { MALOTE_DATA: folder } });
  assert.equal(code, 1);
  assert.ok(stderr.startsWith(`malote: cannot create the data folder ${folder}: `), stderr);
});

test('a central begins with a key and a user', async () => {
  const central = await runMalote(['central', 'create', '--name', 'Nova', '--time-zone', 'America/Bahia'], {
    env,
  });
  assert.deepEqual([central.code, central.stdout, central.stderr], [0, '1\n', '']);
  const key = await runMalote(['key', 'create', '--central', '1', '--label', 'loja'], { env });
  assert.deepEqual([key.code, key.stderr], [0, '']);
  assert.match(key.stdout, /^mal_[\w-]{43}\n$/);
});

const user = (name: string, ...more: string[]) => [
  'user',
  'create',
  '--central',
  '1',
  '--name',
  name,
  '--role',
  ...more,
];

test('a password comes from stdin and is held to a length', async () => {
  const made = await runMalote(user('olga', 'operator'), { env, input: 'longa o bastante\n' });
  assert.deepEqual([made.code, made.stdout, made.stderr], [0, 'user 1 (olga) created\n', '']);
  const short = await runMalote(user('rita', 'operator'), { env, input: 'curta\n' });
  assert.deepEqual([short.code, short.stderr], [1, 'malote: a password must have 8 to 200 characters\n']);
  const none = await runMalote(user('rita', 'operator'), { env, input: '' });
  assert.deepEqual([none.code, none.stderr], [1, 'malote: no password on stdin\n']);
});

const refusals: [args: string[], said: RegExp][] = [
  [user('olga', 'integrator'), /^malote: [^\n]+\n$/],
  [user('lia', 'manager', '--company', '7'), /^malote: this central has no such company\n$/],
  [user('lia', 'driver', '--driver', '7'), /^malote: this central has no such driver\n$/],
  [
    ['user', 'create', '--central', '9', '--name', 'lia', '--role', 'operator'],
    /^malote: there is no central 9\n$/,
  ],
  [['key', 'create', '--central', '9', '--label', 'loja'], /^malote: there is no central 9\n$/],
];

for (const [args, said] of refusals)
  test(`an impossible command is reported in one line with exit code 1: malote ${args.join(' ')}`, async () => {
    const { code, stdout, stderr } = await runMalote(args, { env, input: 'longa o bastante\n' });
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, said);
  });

for (const args of [
  ['backup'],
  ['demo', 'remove'],
  ['key', 'create', '--central', '1', '--label', 'loja'],
  user('ana', 'operator'),
  ['privacy', 'erase', '--central', '1', '--phone', '51999990000'],
  ['reports', 'rebuild', '--central', '1'],
  ['addresses', 'status'],
])
  test(`a command about stored data makes no database in a wrong data folder: malote ${args.join(' ')}`, async () => {
    const folder = join(await dataFolder(), 'wrong');
    const { code, stdout, stderr } = await runMalote(args, {
      env: { MALOTE_DATA: folder },
      input: 'longa o bastante\n',
    });
    assert.deepEqual([code, stdout], [1, '']);
    assert.equal(
      stderr,
      `malote: the data folder ${folder} has no database: set MALOTE_DATA or DATABASE_URL\n`,
    );
    assert.ok(!existsSync(folder));
  });
