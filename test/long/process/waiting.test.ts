import assert from 'node:assert/strict';
import { type AddressInfo, createServer } from 'node:net';
import { after, test } from 'node:test';
import { testDatabase } from '../../support/database.ts';
import { doorTo, message } from '../../support/faultyProxy.ts';
import { runMalote, START_MS, spawnMalote } from '../../support/maloteProcess.ts';
import { waitUntil } from '../../support/waitUntil.ts';

const connection = await testDatabase();
const NOBODY_THERE = 'cannot use the database of DATABASE_URL: no server listens at localhost:1';
const unreachable = { DATABASE_URL: 'postgres://ana:segredo@localhost:1/malote' };

test('a service says once that it waits for its database, and ends when the database does not appear', async () => {
  for (const args of [['serve'], ['work']]) {
    const { code, stdout, stderr } = await runMalote(args, {
      env: { ...unreachable, MALOTE_DATABASE_WAIT: '1' },
    });
    assert.deepEqual([code, stderr], [1, `malote: ${NOBODY_THERE}\n`]);
    const [line, ...more] = stdout.trim().split('\n');
    assert.equal(JSON.parse(line!).msg, `${NOBODY_THERE}; waiting for it up to 1 s`);
    assert.deepEqual(more, []);
  }
});

test('commands do not wait for a database and fail at once', async () => {
  const { code, stdout } = await runMalote(['migrate'], { env: { ...unreachable, MALOTE_LOG: 'info' } });
  assert.deepEqual([code, stdout], [1, '']);
});

test('a service that waits for its database ends when asked to', async () => {
  const waiting = spawnMalote(['serve'], { env: unreachable });
  await waitUntil('it waits', () => waiting.stdout().includes('waiting'), START_MS);
  waiting.child.kill('SIGTERM');
  const { code, stderr } = await waiting.ended;
  assert.deepEqual([code, stderr], [0, '']);
});

for (const args of [['serve', '--no-work'], ['work']])
  test(`${args.join(' ')} goes on by itself once its database is there`, async () => {
    const door = await doorTo(connection);
    door.close();
    const malote = spawnMalote(args, { env: { DATABASE_URL: door.url, PORT: '0' } });
    after(() => void malote.child.kill('SIGKILL'));
    await waitUntil('it waits', () => malote.stdout().includes('waiting'), START_MS);
    await door.open();
    const begun = args[0] === 'serve' ? 'Server listening' : 'working';
    await waitUntil('it goes on', () => malote.stdout().includes(begun), START_MS);
    assert.match(malote.stdout(), /"the database answers"/);
    malote.child.kill('SIGTERM');
    const { code, stderr } = await malote.ended;
    assert.deepEqual([code, stderr], [0, '']);
  });

test('a database that is still starting is waited for', async () => {
  const starting = await answerAll(failure('57P03', 'the database system is starting up'));
  const { code, stdout, stderr } = await runMalote(['serve'], {
    env: { DATABASE_URL: `postgres://ana@localhost:${starting}/malote`, MALOTE_DATABASE_WAIT: '1' },
  });
  assert.match(stdout, /is starting or stopping; waiting/);
  assert.equal(code, 1);
  assert.match(stderr, /^malote: [^\n]* is starting or stopping\n$/);
});

for (const [what, code, words] of [
  ['a wrong password', '28P01', 'refused the user "ana": wrong name or password'],
  ['an unknown database', '3D000', 'has no database "malote"'],
] as const)
  test(`${what} is not waited for`, async () => {
    const refusing = await answerAll(failure(code, 'no'));
    for (const args of [['serve'], ['work']]) {
      const ended = await runMalote(args, {
        env: { DATABASE_URL: `postgres://ana:segredo@localhost:${refusing}/malote` },
      });
      assert.deepEqual([ended.code, ended.stdout], [1, '']);
      assert.equal(
        ended.stderr,
        `malote: cannot use the database of DATABASE_URL: localhost:${refusing} ${words}\n`,
      );
    }
  });

/** A server that sends the same answer to every connection and closes it. */
async function answerAll(answer: Buffer): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(answer));
  });
  after(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const failure = (code: string, words: string): Buffer =>
  message('E', Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${words}\0\0`));
