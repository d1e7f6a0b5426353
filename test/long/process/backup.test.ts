import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { Client } from 'pg';
import {
  readBackupFile,
  type TableHeader,
  writeBackupFile,
} from '../../../server/src/platform/backup/backupFile.ts';
import { CannotRestore, restoreBackup } from '../../../server/src/platform/backup/restoreBackup.ts';
import { backupName, takeBackup, takeBackupInTurn } from '../../../server/src/platform/backup/takeBackup.ts';
import { testClock } from '../../support/clock.ts';
import { testDatabase } from '../../support/database.ts';
import { startMalote } from '../../support/malote.ts';
import { dataFolder, runMalote, startService } from '../../support/maloteProcess.ts';
import { order } from '../../support/orders.ts';
import { startedFolder } from '../../support/startedFolder.ts';

const malote = await startMalote();
const folder = await dataFolder();
const deps = { connection: malote.connection, clock: testClock() };
after(() => rm(folder, { recursive: true, force: true }));

/** Every row of every table as text, sorted. */
async function contents(connection: object): Promise<Record<string, string[]>> {
  const client = new Client(connection);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' order by tablename`,
    );
    const all: Record<string, string[]> = {};
    for (const { name } of rows) {
      const { rows: texts } = await client.query<{ text: string }>(
        // Only the time at which a migration was applied may differ.
        `select (to_jsonb(t) - 'applied_at')::text as text from ${name} t order by 1`,
      );
      all[name] = texts.map(({ text }) => text);
    }
    return all;
  } finally {
    await client.end();
  }
}

const emptyDatabase = () => testDatabase(undefined, 'empty');

test('a backup holds every row of every table, and numbers continue after a restore', async () => {
  for (let count = 0; count < 5; count += 1) await malote.manager.post('/entregas', order());
  const taken = await takeBackup(deps, join(folder, 'whole.zst'));
  assert.ok(taken.rows > 100 && taken.tables > 30);
  assert.equal((await stat(taken.path)).mode & 0o777, 0o600);
  const target = await emptyDatabase();
  const restored = await restoreBackup(target, taken.path);
  assert.deepEqual([restored.rows, restored.tables], [taken.rows, taken.tables]);
  assert.deepEqual(await contents(target), await contents(malote.connection));
  const client = new Client(target);
  await client.connect();
  const { rows } = await client.query<{ next: string }>(
    `select nextval(pg_get_serial_sequence('centrals', 'id')) as next`,
  );
  await client.end();
  assert.equal(Number(rows[0]!.next), 3, 'after the two centrals of the demonstration');
});

test('a record created during a backup is in it with all its parts, or not at all', async () => {
  let isTaken = false;
  const creating = (async () => {
    let created = 0;
    for (; !isTaken; created += 1) await malote.manager.post('/entregas', order());
    return created;
  })();
  const taken = await takeBackup(deps, join(folder, 'meanwhile.zst'));
  isTaken = true;
  assert.ok((await creating) > 0);
  const target = await emptyDatabase();
  await restoreBackup(target, taken.path);
  const { deliveries, stops, events } = await contents(target);
  const ids = (rows: string[] | undefined, field: string) =>
    new Set((rows ?? []).map((text) => JSON.parse(text)).map((row) => `${row.central_id} ${row[field]}`));
  for (const table of [stops, events])
    for (const id of ids(table, 'delivery_id'))
      if (!id.endsWith('null')) assert.ok(ids(deliveries, 'id').has(id), `${id} is whole`);
});

test('a file that was cut off, changed or is something else is refused, and the database stays empty', async () => {
  const taken = await takeBackup(deps, join(folder, 'sound.zst'));
  const bytes = await readFile(taken.path);
  const cutOff = join(folder, 'cut.zst');
  await writeFile(cutOff, bytes);
  await truncate(cutOff, bytes.length - 20);
  const changed = await Promise.all(
    [0.1, 0.3, 0.5, 0.7, 0.9].map(async (share) => {
      const damaged = Buffer.from(bytes);
      damaged[Math.floor(bytes.length * share)]! ^= 0xff;
      const path = join(folder, `changed-${share}.zst`);
      await writeFile(path, damaged);
      return path;
    }),
  );
  const other = join(folder, 'other.zst');
  await writeFile(other, 'id;name\n1;Ana\n');
  const target = await emptyDatabase();
  for (const path of [cutOff, ...changed, other]) {
    await assert.rejects(restoreBackup(target, path), { name: 'BackupDamaged' }, path);
    assert.deepEqual((await contents(target)).centrals, []);
  }
});

test('a database with a central in it is not overwritten', async () => {
  const taken = await takeBackup(deps, join(folder, 'again.zst'));
  const before = await contents(malote.connection);
  await assert.rejects(restoreBackup(malote.connection, taken.path), CannotRestore);
  assert.deepEqual(await contents(malote.connection), before);
});

test('a backup of a version before the first release is refused, and the database stays empty', async () => {
  const name = '0004_requests.sql';
  await malote.db`insert into migrations (name, sha256) values (${name}, 'x')`;
  const taken = await takeBackup(deps, join(folder, 'unreleased.zst'));
  await malote.db`delete from migrations where name = ${name}`;
  const target = await emptyDatabase();
  await assert.rejects(restoreBackup(target, taken.path), {
    name: 'CannotRestore',
    message:
      'the backup was taken by a version of Malote before its first release and can only be restored by that version',
  });
  assert.deepEqual((await contents(target)).centrals, []);
});

test('daily backups: the newest ones are kept, and other files are left alone', async () => {
  const backups = join(folder, 'daily');
  await mkdir(backups);
  await writeFile(join(backups, 'notes.txt'), 'mine');
  const clock = testClock();
  for (let day = 0; day < 4; day += 1) {
    await takeBackupInTurn({ ...deps, clock }, { folder: backups, kept: 2 });
    clock.advance({ hours: 24 });
  }
  const names = (await readdir(backups)).sort();
  assert.equal(names.length, 3);
  assert.match(names[0]!, /^malote-\d{8}-\d{6}\.zst$/);
  assert.equal(names[2], 'notes.txt');
});

test('the file of a killed backup is removed a day later, but not one that may still be written', async () => {
  const backups = join(folder, 'killed');
  await mkdir(backups);
  const clock = testClock();
  const draft = `${backupName(clock.now())}.part`;
  await writeFile(join(backups, draft), 'half');
  clock.advance({ hours: 23 });
  await takeBackupInTurn({ ...deps, clock }, { folder: backups, kept: 1 });
  assert.ok((await readdir(backups)).includes(draft));
  clock.advance({ hours: 2 });
  const { path } = await takeBackupInTurn({ ...deps, clock }, { folder: backups, kept: 1 });
  assert.deepEqual(await readdir(backups), [basename(path)]);
});

test('malote backup beside a running service, and malote restore into a new folder', async () => {
  const [from, to] = [await startedFolder(), await dataFolder()];
  const file = join(folder, 'by-command.zst');
  const service = await startService({ MALOTE_DATA: from, MALOTE_COURIERS: 'off', MALOTE_DEMO: 'empty' });
  const backup = await runMalote(['backup', file], { env: { MALOTE_DATA: from } });
  assert.equal(backup.code, 0, backup.stderr);
  assert.match(backup.stdout, /by-command\.zst: [\d,]+ rows of \d+ tables, \d+\.\d MB\n$/);
  const again = await runMalote(['backup', file], { env: { MALOTE_DATA: from } });
  assert.deepEqual([again.code, again.stdout], [1, '']);
  assert.match(again.stderr, /exists already: name another file/);
  const busy = await runMalote(['restore', file], { env: { MALOTE_DATA: from } });
  assert.equal(busy.code, 1);
  service.signal('SIGTERM');
  await service.ended;

  const restored = await runMalote(['restore', file], { env: { MALOTE_DATA: to } });
  assert.equal(restored.code, 0, restored.stderr);
  assert.match(restored.stdout, /^restored [\d,]+ rows of \d+ tables, as of \d{4}-/);
  assert.match(restored.stdout, /put secret\.key back/);
  const second = await startService({ MALOTE_DATA: to, MALOTE_COURIERS: 'off' });
  const answer = await fetch(`${second.url}/api/v2/integracao/entregas/bandeiras/areas-atuacao`, {
    headers: { 'api-key': 'demo-chave', authorization: `Basic ${btoa('central:demo')}` },
  });
  assert.equal(answer.status, 200, await answer.text());
});

test('rows that PostgreSQL refuses are named in one line, without what they hold', async () => {
  const taken = await takeBackup(deps, join(folder, 'to-change.zst'));
  const [header, table] = await readBackupFile(taken.path, async ({ header, tables }) => {
    let found: TableHeader | undefined;
    for await (const each of tables) {
      if (each.header.table === 'centrals') found = each.header;
      for await (const _chunk of each.chunks);
    }
    return [header, found!] as const;
  });
  const file = join(folder, 'refused.zst');
  await writeBackupFile(file, header, async (writer) => {
    await writer.table(table, Readable.from([Buffer.from('Rita Lima\n')]));
    return { rows: 1 };
  });
  const { code, stderr } = await runMalote(['restore', file], { env: { MALOTE_DATA: await dataFolder() } });
  assert.equal(code, 1);
  assert.match(
    stderr,
    /refused\.zst cannot be restored: PostgreSQL refuses its rows of centrals \(22\w+\)\n$/,
  );
  assert.doesNotMatch(stderr, /Rita| {4}at /);
});

test('with DATABASE_URL both commands name the tools of PostgreSQL', async () => {
  const { host, port, user, database } = malote.connection;
  const env = {
    DATABASE_URL: `postgres:///${database}?${new URLSearchParams({ host, port: String(port), user })}`,
  };
  for (const args of [
    ['backup', join(folder, 'x.zst')],
    ['restore', join(folder, 'whole.zst')],
  ]) {
    const { code, stderr } = await runMalote(args, { env });
    assert.equal(code, 1);
    assert.match(stderr, /for DATABASE_URL use pg_dump and pg_restore/);
  }
});
