import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, realpath, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { waitUntil } from '../../../../test/support/waitUntil.ts';
import { DataFolderInUse, lockDataFolder } from './dataFolderLock.ts';
import { type EmbeddedPostgres, findEmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts';
import { removeDeadDrafts } from './embeddedCluster.ts';
import { isRunning, isTaken, readPostmasterFile } from './postmaster.ts';

const root = await mkdtemp(join(tmpdir(), 'malote-embedded-'));
after(() => rm(root, { recursive: true, force: true }));

test('keeps its data from one start to the next', async (t) => {
  const folder = await dataFolder();
  const first = await start(t, folder);
  await query(first, 'create table note as select 42 as answer');
  await first.stop();
  const second = await start(t, folder);
  assert.deepEqual(await query(second, 'select answer from note'), [{ answer: 42 }]);
});

test('speaks UTF-8 and UTC, is durable, and listens on no network address', async (t) => {
  const server = await start(t, await dataFolder());
  assert.deepEqual(
    await query(
      server,
      `select current_setting('server_encoding') as encoding, current_setting('timezone') as zone,
        current_setting('fsync') as fsync, current_setting('listen_addresses') as addresses,
        upper('ação') as upper`,
    ),
    [{ encoding: 'UTF8', zone: 'UTC', fsync: 'on', addresses: '', upper: 'AÇÃO' }],
  );
});

test('no other user can enter the folders of the data and of the socket', async (t) => {
  const folder = await dataFolder();
  const { connection } = await start(t, folder);
  for (const each of [connection.host, join(folder, 'postgres')]) {
    assert.equal((await stat(each)).mode & 0o777, 0o700, each);
  }
});

test('writes no values of statements into its log, whatever fails', async (t) => {
  const folder = await startedFolder();
  const server = await start(t, folder);
  await query(server, 'create table person (cpf text unique check (length(cpf) = 11), age int)');
  await query(server, "insert into person values ('52998224725', 30)");
  const client = new Client(server.connection);
  await client.connect();
  const insert = 'insert into person (cpf, age) values ($1, $2)';
  for (const [sql, values] of [
    [insert, ['52998224725', 1]],
    [insert, ['5299822472', 1]],
    [insert, ['11144477735', 'Rita Lima']],
    ["select 'Rita Lima'::int", []],
    ["do $$ begin raise exception 'Rita Lima'; end $$", []],
    ["do $$ begin raise warning 'Rita Lima'; end $$", []],
    ["select 'Rita Lima' from nowhere", []],
    ["syntax 'Rita Lima'", []],
  ] as const)
    await client.query(sql, [...values]).catch(() => undefined);
  await client.end();
  await server.stop();
  const logs = readdirSync(join(folder, 'postgres', 'log'));
  assert.ok(logs.length > 0);
  for (const name of logs)
    assert.doesNotMatch(
      readFileSync(join(folder, 'postgres', 'log', name), 'utf8'),
      /Rita|52998224|11144477735/,
    );
});

test('removes its socket folder when it stops', async (t) => {
  const server = await start(t, await startedFolder());
  await server.stop();
  await assert.rejects(stat(server.connection.host), { code: 'ENOENT' });
});

test('every call of stop, also a repeated one, resolves once the server is gone', async (t) => {
  const folder = await startedFolder();
  const server = await start(t, folder);
  const cluster = await realpath(join(folder, 'postgres'));
  const postmaster = readPostmasterFile(cluster);
  assert.ok(postmaster && isRunning(postmaster, cluster));
  // Its parent, this process, reaps it a moment later, so its process id may still be taken.
  const isGone = () => !isRunning(postmaster, cluster) && findEmbeddedPostgres(folder) === undefined;
  const stops = [server.stop(), server.stop()].map((stopped) => stopped.then(isGone));
  assert.deepEqual(await Promise.all(stops), [true, true]);
  assert.equal(await server.stop(), undefined);
});

test('stops although a session is in the middle of a statement', async (t) => {
  const folder = await startedFolder();
  const server = await start(t, folder);
  const client = new Client(server.connection);
  client.on('error', () => {});
  await client.connect();
  const busy = assert.rejects(client.query('select pg_sleep(600)'));
  await server.stop();
  await busy;
  assert.equal(findEmbeddedPostgres(folder), undefined);
});

test('stops although its data folder was removed', async (t) => {
  const folder = await startedFolder();
  const server = await start(t, folder);
  const pid = postmasterPid(folder);
  await rm(folder, { recursive: true, maxRetries: 20 });
  await server.stop();
  // Its parent, this process, reaps it a moment later.
  await waitUntil('its process is gone', () => !isTaken(pid));
});

test('works in a data folder with a path of more than 150 characters', async (t) => {
  const folder = join(await dataFolder(), 'a'.repeat(80), 'b'.repeat(80));
  const server = await start(t, folder);
  assert.deepEqual(await query(server, 'select 1 as one'), [{ one: 1 }]);
});

test('adopts the server that outlived its owner, and stops it in the end', async (t) => {
  const folder = await startedFolder();
  await killed(await ownerProcess(folder, 'create table note as select 1 as answer'));
  const survivor = postmasterPid(folder);
  const server = await start(t, folder);
  assert.equal(postmasterPid(folder), survivor);
  assert.deepEqual(await query(server, 'select answer from note'), [{ answer: 1 }]);
  await server.stop();
  assert.equal(findEmbeddedPostgres(folder), undefined);
});

test('recovers what was committed when owner and server were both killed', async (t) => {
  const folder = await startedFolder();
  await killed(await ownerProcess(folder, 'create table note as select 2 as answer'));
  process.kill(postmasterPid(folder), 'SIGKILL');
  const server = await start(t, folder);
  assert.deepEqual(await query(server, 'select answer from note'), [{ answer: 2 }]);
});

test('starts although the process id of the dead server now belongs to another process', async (t) => {
  const folder = await startedFolder();
  await (await start(t, folder)).stop();
  const lines = [process.ppid, folder, 0, 5432, '/tmp/malote-gone', '', '', 'ready'];
  await writeFile(join(folder, 'postgres', 'postmaster.pid'), `${lines.join('\n')}\n`);
  const server = await start(t, folder);
  assert.deepEqual(await query(server, 'select 1 as one'), [{ one: 1 }]);
});

test('starts anew after the first start was interrupted', async (t) => {
  const folder = await dataFolder();
  await mkdir(join(folder, 'postgres'), { recursive: true });
  const server = await start(t, folder);
  assert.deepEqual(await query(server, 'select 1 as one'), [{ one: 1 }]);
});

test('removes what killed first starts left behind, but no folder that a process still works in', async (t) => {
  const folder = await dataFolder();
  const drafts = ['postgres.new-dead', 'postgres.new-alive'].map((name) => join(folder, name));
  for (const draft of drafts) {
    await mkdir(join(draft, 'base'), { recursive: true });
    await writeFile(join(draft, 'PG_VERSION'), '18');
  }
  await makeOld(drafts[0]!);
  await mkdir(join(folder, 'roads'));
  const initdb = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { cwd: drafts[1] });
  t.after(() => initdb.kill('SIGKILL'));
  await once(initdb, 'spawn');
  const kept = async () => (await readdir(folder)).filter((name) => /^(postgres|roads)/.test(name)).sort();
  await (await start(t, folder)).stop();
  assert.deepEqual(await kept(), ['postgres', 'postgres.new-alive', 'roads']);
  await killed(initdb);
  await makeOld(drafts[1]!);
  await (await start(t, folder)).stop();
  assert.deepEqual(await kept(), ['postgres', 'roads']);
});

test('the remains of a first start that was killed while it created the database are removed later', async (t) => {
  const folder = await dataFolder();
  const drafts = async () => (await readdir(folder)).filter((name) => name.startsWith('postgres.new-'));
  const source = `import { startEmbeddedPostgres } from ${JSON.stringify(join(import.meta.dirname, 'embedded.ts'))};
    await startEmbeddedPostgres({ folder: process.argv[1] });`;
  const first = spawn(process.execPath, ['--input-type=module', '-e', source, folder], { stdio: 'ignore' });
  await waitUntil('it makes the database', async () => (await drafts()).length > 0);
  await killed(first);
  const [draft] = await drafts();
  assert.ok(draft);
  // Its initdb may still run for a moment.
  await waitUntil('the draft is abandoned', async () => {
    await makeOld(join(folder, draft));
    return (await removeDeadDrafts(join(folder, 'postgres'))).includes(draft);
  });
  await start(t, folder);
  assert.deepEqual(await drafts(), []);
});

/** Where the working directories of processes cannot be read, the age of a folder decides. */
const makeOld = (folder: string) => utimes(folder, 0, 0);

test('replaces a running server whose socket was deleted', async (t) => {
  const folder = await startedFolder();
  await killed(await ownerProcess(folder, 'create table note as select 3 as answer'));
  const socketFolder = findEmbeddedPostgres(folder)?.host;
  assert.ok(socketFolder);
  await rm(socketFolder, { recursive: true });
  const server = await start(t, folder);
  assert.deepEqual(await query(server, 'select answer from note'), [{ answer: 3 }]);
});

test('a guarded server that is killed comes back at the same place, with all that was committed', async (t) => {
  const folder = await startedFolder();
  const server = await startGuarded(t, folder);
  await query(server, 'create table note as select 5 as answer');
  for (const sweep of [false, true]) {
    const killed = postmasterPid(folder);
    process.kill(killed, 'SIGKILL');
    if (sweep) await rm(server.connection.host, { recursive: true });
    await waitUntil('it is back', () => isServedByAnother(folder, killed), BACK_MS);
    assert.deepEqual(await query(server, 'select answer from note'), [{ answer: 5 }]);
  }
  await server.stop();
  assert.equal(findEmbeddedPostgres(folder), undefined);
  await assert.rejects(stat(server.connection.host), { code: 'ENOENT' });
});

test('a guarded server that was adopted comes back, too', async (t) => {
  const folder = await startedFolder();
  await killed(await ownerProcess(folder, 'create table note as select 6 as answer'));
  const server = await startGuarded(t, folder);
  const survivor = postmasterPid(folder);
  process.kill(survivor, 'SIGKILL');
  await waitUntil('it is back', () => isServedByAnother(folder, survivor), BACK_MS);
  assert.deepEqual(await query(server, 'select answer from note'), [{ answer: 6 }]);
});

test('a server that ends while its owner is about to end stays down', async (t) => {
  const folder = await startedFolder();
  const reported: string[] = [];
  const server = await startEmbeddedPostgres({
    folder,
    guard: { warn: (line) => reported.push(line), isEnding: () => true, onGivenUp: assert.fail },
  });
  t.after(() => server.stop());
  process.kill(postmasterPid(folder), 'SIGINT');
  await waitUntil('it has ended', () => findEmbeddedPostgres(folder) === undefined);
  await sleep(600);
  assert.equal(findEmbeddedPostgres(folder), undefined);
  assert.deepEqual(reported, []);
});

test('a second start names the process that has the data folder, and does not disturb it', async (t) => {
  const folder = await startedFolder();
  const owner = await ownerProcess(folder, 'create table note as select 4 as answer');
  t.after(() => killed(owner));
  await assert.rejects(startEmbeddedPostgres({ folder }), (error: Error) => {
    assert.ok(error instanceof DataFolderInUse);
    assert.equal(
      error.message,
      `the data folder ${folder} is in use by another malote (process ${owner.pid})`,
    );
    return true;
  });
  const connection = findEmbeddedPostgres(folder);
  assert.ok(connection);
  assert.deepEqual(await query({ connection }, 'select answer from note'), [{ answer: 4 }]);
  await killed(owner);
  await (await start(t, folder)).stop();
});

test('of many who start at once, one gets the data folder', async () => {
  const folder = await dataFolder();
  const starts = await Promise.allSettled(Array.from({ length: 6 }, () => lockDataFolder(folder)));
  const winners = starts.filter((each) => each.status === 'fulfilled');
  assert.equal(winners.length, 1);
  for (const each of starts)
    if (each.status === 'rejected') assert.ok(each.reason instanceof DataFolderInUse);
  for (const each of winners) each.value.release();
  (await lockDataFolder(folder)).release();
});

test('reports in one line why a server cannot start', async (t) => {
  const folder = await startedFolder();
  await assert.rejects(startEmbeddedPostgres({ folder, settings: { shared_buffers: 'plenty' } }), {
    message: /^PostgreSQL did not start: .*shared_buffers.*$/,
  });
  await (await start(t, folder)).stop();
});

function dataFolder(): Promise<string> {
  return mkdtemp(join(root, 'data-'));
}

let started: Promise<string> | undefined;

/** A copy of a folder in which a server has run: creating a database takes longer than most of these tests. */
async function startedFolder(): Promise<string> {
  started ??= dataFolder().then(async (folder) => {
    await (await startEmbeddedPostgres({ folder })).stop();
    return folder;
  });
  const folder = await dataFolder();
  // -a copies the owners too, because under root the server runs as another user.
  await promisify(execFile)('cp', ['-a', `${await started}/.`, folder]);
  return folder;
}

async function start(t: TestContext, folder: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ folder });
  t.after(() => server.stop());
  return server;
}

const BACK_MS = 60_000;

async function startGuarded(t: TestContext, folder: string): Promise<EmbeddedPostgres> {
  const guard = { warn: () => undefined, isEnding: () => false, onGivenUp: assert.fail };
  const server = await startEmbeddedPostgres({ folder, guard });
  t.after(() => server.stop());
  return server;
}

/** Whether a server other than that process accepts sessions. */
async function isServedByAnother(folder: string, pid: number): Promise<boolean> {
  const connection = findEmbeddedPostgres(folder);
  if (!connection || readPostmasterFile(join(folder, 'postgres'))?.pid === pid) return false;
  return query({ connection }, 'select').then(
    () => true,
    () => false,
  );
}

async function query(server: Pick<EmbeddedPostgres, 'connection'>, sql: string): Promise<unknown[]> {
  const client = new Client(server.connection);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Another process that starts the server, runs a statement, and owns the server until it is killed. */
async function ownerProcess(folder: string, sql: string): Promise<ChildProcess> {
  const embedded = JSON.stringify(import.meta.resolve('./embedded.ts'));
  const pg = JSON.stringify(import.meta.resolve('pg'));
  const code = `
    import { startEmbeddedPostgres } from ${embedded};
    import { Client } from ${pg};
    // The lock of the folder lives as long as the server object: garbage collection would release it.
    globalThis.server = await startEmbeddedPostgres({ folder: ${JSON.stringify(folder)} });
    const client = new Client(globalThis.server.connection);
    await client.connect();
    await client.query(${JSON.stringify(sql)});
    console.log('ready');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  assert.match(String(said), /ready/);
  return child;
}

async function killed(owner: ChildProcess): Promise<void> {
  if (owner.exitCode !== null || owner.signalCode !== null) return;
  owner.kill('SIGKILL');
  await once(owner, 'exit');
}

const postmasterPid = (folder: string): number =>
  Number.parseInt(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10);
