import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../support/database.ts';
import { databaseUrlOf, runMalote } from '../support/maloteProcess.ts';

const COMMANDS = ['serve', 'work', 'migrate', 'demo', 'central create', 'key create', 'user create'];

const env = { DATABASE_URL: databaseUrlOf(await testDatabase()) };

test('help lists every command, and each has a text of its own', async () => {
  const { code, stdout, stderr } = await runMalote(['help']);
  assert.deepEqual([code, stderr], [0, '']);
  for (const name of COMMANDS) {
    assert.match(stdout, new RegExp(`^  ${name} `, 'm'));
    const own = await runMalote(['help', ...name.split(' ')]);
    assert.equal(own.code, 0);
    assert.match(own.stdout, new RegExp(`^Usage: malote ${name}\\b`, 'm'));
    const asOption = await runMalote([...name.split(' '), '--help']);
    assert.equal(asOption.stdout, own.stdout);
  }
});

test('version is the one of the package', async () => {
  for (const args of [['version'], ['--version']]) {
    const { code, stdout } = await runMalote(args);
    assert.equal(code, 0);
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
  }
});

const misuses: [args: string[], said: RegExp[]][] = [
  [[], [/^Usage: malote <command>/m]],
  [['serv'], [/there is no command "serv"/]],
  [['central'], [/say which: central create/]],
  [['help', 'nothing'], [/there is no command "nothing"/]],
  [['serve', '--no-work=yes'], [/--no-work takes no value/]],
  [
    ['user', 'create', 'ana', '--central', '0', '--colour', '--name', 'a:b'],
    [
      /"ana" is not expected here/,
      /--central is "0"/,
      /no option --colour/,
      /--name is "a:b"/,
      /--role <role> is missing/,
    ],
  ],
  [['user', 'create', '--central', '1', '--name', 'ana', '--role', 'manager'], [/a manager needs --company/]],
  [
    ['user', 'create', '--central', '1', '--name', 'ana', '--role', 'operator', '--driver', '1'],
    [/--driver is only for a driver/],
  ],
  [['key', 'create', '--label', '--central', '1'], [/--label needs a <text>/]],
  [['central', 'create', '--name', 'Nova', '--time-zone', '-03:00'], [/--time-zone needs a <zone>/]],
  [
    ['central', 'create', '--name', ' ', '--time-zone=Porto'],
    [/--name is " "/, /--time-zone is "Porto"/],
  ],
];

for (const [args, said] of misuses)
  test(`misuse is explained, all of it, with exit code 2: malote ${args.join(' ')}`, async () => {
    const { code, stdout, stderr } = await runMalote(args, { env });
    assert.deepEqual([code, stdout], [2, '']);
    for (const words of said) assert.match(stderr, words);
    assert.doesNotMatch(stderr, /\.ts:\d+/);
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
  assert.deepEqual([none.code, none.stderr], [1, 'malote: no password came on stdin\n']);
});

const refusals: [args: string[], said: RegExp][] = [
  [user('olga', 'integrator'), /^malote: [^\n]+\n$/],
  [user('lia', 'manager', '--company', '7'), /^malote: there is no such company in this central\n$/],
  [user('lia', 'driver', '--driver', '7'), /^malote: there is no such driver in this central\n$/],
  [
    ['user', 'create', '--central', '9', '--name', 'lia', '--role', 'operator'],
    /^malote: there is no central 9\n$/,
  ],
  [['key', 'create', '--central', '9', '--label', 'loja'], /^malote: there is no central 9\n$/],
];

for (const [args, said] of refusals)
  test(`what cannot be done is told in one line with exit code 1: malote ${args.join(' ')}`, async () => {
    const { code, stdout, stderr } = await runMalote(args, { env, input: 'longa o bastante\n' });
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, said);
  });
