import assert from 'node:assert/strict';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { Client } from 'pg';
import { client } from '../../support/client.ts';
import { testDatabase } from '../../support/database.ts';
import { int32, message } from '../../support/faultyProxy.ts';
import {
  databaseUrlOf,
  runMalote,
  START_MS,
  spawnMalote,
  startService,
} from '../../support/maloteProcess.ts';
import { waitUntil } from '../../support/waitUntil.ts';

const connection = await testDatabase();
const env = { DATABASE_URL: databaseUrlOf(connection) };

async function inDatabase(database: string, ...statements: string[]): Promise<void> {
  const session = new Client({ ...connection, database });
  await session.connect();
  for (const statement of statements) await session.query(statement);
  await session.end();
}

test('an external database is used as it is: no demonstration, no known credential', async () => {
  const service = await startService(env);
  const central = client(`${service.url}/api/v2/integracao`, {
    key: 'demo-chave',
    user: 'central',
    password: 'demo',
  });
  assert.equal((await central.post('/entregas/consultar')).status, 401);
  assert.ok(!service.stdout().includes('demo'), service.stdout());
  service.signal('SIGTERM');
  assert.equal((await service.ended).code, 0);
});

test('its output is one JSON object a line', async () => {
  const service = await startService(env);
  service.signal('SIGTERM');
  const { stdout, stderr } = await service.ended;
  assert.ok(
    stdout
      .trim()
      .split('\n')
      .every((line) => typeof JSON.parse(line).msg === 'string'),
  );
  assert.equal(stderr, '');
});

test('the demonstration is made there only when asked for twice, and only on an empty database', async () => {
  const unsure = await runMalote(['demo'], { env });
  assert.equal(unsure.code, 1);
  assert.match(unsure.stderr, /--yes/);
  const made = await runMalote(['demo', '--yes', '--empty'], { env });
  assert.equal(made.code, 0, made.stderr);
  assert.match(made.stdout, /demo-chave/);
  const again = await runMalote(['demo', '--yes'], { env });
  assert.equal(again.code, 1);
  assert.match(again.stderr, /^malote: the database already contains centrals[^\n]*\n$/);
});

test('serve --no-work and work share a database, and each ends in order', async () => {
  const serving = await startService(env, ['--no-work']);
  const working = spawnMalote(['work'], { env });
  await waitUntil('it works', () => working.stdout().includes('working'), START_MS);
  serving.signal('SIGTERM');
  working.child.kill('SIGTERM');
  for (const started of [serving, working]) {
    const { code, stderr } = await started.ended;
    assert.deepEqual([code, stderr], [0, '']);
  }
});

test('a database that cannot be reached is reported in one line without its password', async () => {
  const unreachable = {
    DATABASE_URL: 'postgres://ana:segredo@localhost:1/malote',
    MALOTE_DATABASE_WAIT: '0',
  };
  for (const args of [['serve'], ['work'], ['migrate']]) {
    const { code, stdout, stderr } = await runMalote(args, { env: unreachable });
    assert.deepEqual([code, stdout], [1, '']);
    assert.equal(
      stderr,
      'malote: cannot use the database of DATABASE_URL: no server listens at localhost:1\n',
    );
  }
});

const places: [url: string, place: string][] = [
  ['postgres://ana@localhost/malote?host=/nowhere', '/nowhere/.s.PGSQL.5432'],
  ['postgres://%2Fnowhere/malote', '/nowhere/.s.PGSQL.5432'],
  // A percent sign that should have been written as %25.
  ['postgres://a%na:segredo@localhost:1/100%', 'localhost:1'],
];

for (const [url, place] of places)
  test(`a database that cannot be reached is told with the place that was tried: ${place}`, async () => {
    const { code, stderr } = await runMalote(['migrate'], { env: { DATABASE_URL: url } });
    assert.equal(code, 1);
    assert.equal(stderr, `malote: cannot use the database of DATABASE_URL: no server listens at ${place}\n`);
  });

test('a missing certificate of the database is named', async () => {
  const { code, stderr } = await runMalote(['serve'], {
    env: { DATABASE_URL: 'postgres://ana:segredo@localhost:1/malote?sslrootcert=/nowhere/ca.pem' },
  });
  assert.equal(code, 1);
  assert.match(stderr, /^malote: cannot use the database of DATABASE_URL: [^\n]*nowhere[^\n]*\n$/);
});

test('a missing database is named', async () => {
  const missing = { DATABASE_URL: databaseUrlOf({ ...connection, database: 'nowhere' }) };
  const { code, stderr } = await runMalote(['migrate'], { env: missing });
  assert.equal(code, 1);
  assert.match(stderr, /^malote: [^\n]* has no database "nowhere"\n$/);
});

test('a PostgreSQL older than 15 is refused with its version', async () => {
  const port = await serveAs({ number: '140011', version: '14.11' });
  const { code, stderr } = await runMalote(['serve'], {
    env: { DATABASE_URL: `postgres://malote@localhost:${port}/malote` },
  });
  assert.equal(code, 1);
  assert.equal(
    stderr,
    'malote: the database of DATABASE_URL is PostgreSQL 14.11; malote needs 15 or newer\n',
  );
});

test('a database of another encoding than UTF-8 is refused before anything is written into it', async () => {
  await inDatabase(
    'postgres',
    `create database ascii encoding 'SQL_ASCII' locale_provider libc locale 'C' template template0`,
  );
  const { code, stderr } = await runMalote(['migrate'], {
    env: { DATABASE_URL: databaseUrlOf({ ...connection, database: 'ascii' }) },
  });
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^malote: the database of DATABASE_URL has the encoding SQL_ASCII; malote needs UTF8[^\n]*\n$/,
  );
});

test('migrate brings an empty database up to date, once', async () => {
  await inDatabase('postgres', 'create database unborn');
  const unborn = { DATABASE_URL: databaseUrlOf({ ...connection, database: 'unborn' }) };
  const first = await runMalote(['migrate'], { env: unborn });
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /^applied 0001_centrals\.sql$/m);
  const second = await runMalote(['migrate'], { env: unborn });
  assert.equal(second.stdout, 'the schema is up to date\n');
});

test('a user who may not change the schema learns who must migrate, and can serve afterwards', async () => {
  await inDatabase('postgres', 'create role clerk login', 'create database office');
  const office = { ...connection, database: 'office' };
  const clerk = { DATABASE_URL: databaseUrlOf({ ...office, user: 'clerk' }) };
  const refused = await runMalote(['serve'], { env: clerk });
  assert.equal(refused.code, 1);
  assert.match(
    refused.stderr,
    /^malote: the database user may not change the schema[^\n]*malote migrate[^\n]*\n$/,
  );

  const migrated = await runMalote(['migrate'], { env: { DATABASE_URL: databaseUrlOf(office) } });
  assert.equal(migrated.code, 0, migrated.stderr);
  const grants = ['public', 'graphile_worker'].flatMap((schema) => [
    `grant usage on schema ${schema} to clerk`,
    `grant select, insert, update, delete on all tables in schema ${schema} to clerk`,
    `grant usage on all sequences in schema ${schema} to clerk`,
    `grant execute on all functions in schema ${schema} to clerk`,
  ]);
  await inDatabase('office', ...grants);
  const service = await startService(clerk);
  service.signal('SIGTERM');
  assert.equal((await service.ended).code, 0);
  assert.equal(service.stderr(), '');
  const central = [
    'central',
    'create',
    '--name',
    'Central do Escritório',
    '--time-zone',
    'America/Sao_Paulo',
  ];
  const created = await runMalote(central, { env: clerk });
  assert.equal(created.code, 0, created.stderr);
  // PostgreSQL allows this only to the owner of an index.
  await inDatabase('office', 'set role clerk', 'select merge_search_words()');
});

/** Implements just enough of the protocol to report a version. */
async function serveAs(row: { number: string; version: string }): Promise<number> {
  const server = createServer((socket: Socket) => {
    let greeted = false;
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      if (!greeted) {
        greeted = true;
        socket.write(Buffer.concat([message('R', Buffer.from([0, 0, 0, 0])), READY]));
      } else if (bytes[0] === 'Q'.charCodeAt(0)) {
        const names = Object.keys(row).map((name) => Buffer.concat([Buffer.from(`${name}\0`), FIELD]));
        const values = Object.values(row).map((text) =>
          Buffer.concat([int32(text.length), Buffer.from(text)]),
        );
        const two = Buffer.from([0, 2]);
        socket.write(
          Buffer.concat([
            message('T', Buffer.concat([two, ...names])),
            message('D', Buffer.concat([two, ...values])),
            message('C', Buffer.from('SELECT 1\0')),
            READY,
          ]),
        );
      } else socket.end();
    });
  });
  after(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const READY = message('Z', Buffer.from('I'));
/** A text column that belongs to no table. */
const FIELD = Buffer.concat([
  int32(0),
  Buffer.from([0, 0]),
  int32(25),
  Buffer.from([255, 255]),
  int32(-1),
  Buffer.from([0, 0]),
]);
