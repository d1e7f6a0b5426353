import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { chown, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { after, test } from 'node:test';
import { Client } from 'pg';
import { pino } from 'pino';
import { dispatchDue } from '../../../server/src/dispatch/rounds/startDispatcher.ts';
import { troubleOf } from '../../../server/src/platform/postgres/databaseErrors.ts';
import type { EmbeddedConnection } from '../../../server/src/platform/postgres/embedded.ts';
import { templates } from '../../support/database.ts';
import { startMalote, type TestMalote } from '../../support/malote.ts';
import { order, scheduledOrder } from '../../support/orders.ts';
import { distributeOnce } from '../../support/rounds.ts';
import { assertOk } from '../../support/steps.ts';
import { waitUntil } from '../../support/waitUntil.ts';

const log = pino({ level: 'silent' });

interface SmallDisk {
  fill(): Promise<void>;
  free(): Promise<void>;
}

/** A separate small disk for the tables. Only root can create a real one. */
async function realDisk(server: EmbeddedConnection): Promise<[SmallDisk, EmbeddedConnection] | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'malote-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'malote-test', folder]).status === 0;
  if (!mounted) {
    await rm(folder, { recursive: true });
    return undefined;
  }
  const { uid, gid } = statSync(server.host);
  await chown(folder, uid, gid);
  const control = new Client(server);
  await control.connect();
  const name = `small_${process.pid}`;
  await control.query(`create tablespace ${name} location '${folder}'`);
  await control.query(
    `create database ${name} template ${templates.demo} strategy file_copy tablespace ${name}`,
  );
  await control.end();
  after(async () => {
    const last = new Client({ ...server, database: 'postgres' });
    await last.connect();
    await last.query(`drop database ${name} with (force)`);
    await last.query(`drop tablespace ${name}`);
    await last.end();
    spawnSync('umount', [folder]);
    await rm(folder, { recursive: true });
  });
  const ballast = join(folder, 'ballast');
  const disk: SmallDisk = {
    async fill() {
      const file = await open(ballast, 'a');
      const block = Buffer.alloc(4096);
      try {
        for (;;) await file.write(block);
      } catch (error) {
        assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
      } finally {
        await file.close();
      }
    },
    free: () => rm(ballast),
  };
  return [disk, { ...server, database: name }];
}

/** A database that returns the errors of a full disk, for users who cannot create one. */
async function pretendedDisk(server: EmbeddedConnection): Promise<SmallDisk> {
  const run = async (sql: string) => {
    const client = new Client(server);
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  await run(`
    create function refuse_for_want_of_space() returns trigger language plpgsql as $$
    begin
      if to_regclass('disk_is_full_now') is not null then
        raise exception 'could not extend file: No space left on device' using errcode = '53100';
      end if;
      return new;
    end $$;
    create trigger full_disk before insert on events
      for each row execute function refuse_for_want_of_space()`);
  return {
    fill: () => run('create table disk_is_full_now ()'),
    free: () => run('drop table disk_is_full_now'),
  };
}

const status = async (url: string): Promise<number> => (await fetch(url)).status;
const ORDERS_MAX = 5_000;

/** Orders until the disk is full. Every answer is a success or an outage. */
async function orderUntilFull({ manager }: TestMalote): Promise<void> {
  for (let count = 0; count < ORDERS_MAX; count += 1) {
    const answer = await manager.post('/entregas', order({ observacao: 'x'.repeat(200) }));
    if (answer.status === 200) continue;
    assert.equal(answer.status, 503, answer.text);
    assert.equal(answer.body.errors[0].message, 'serviço temporariamente indisponível; tente novamente');
    assert.ok(Number(answer.headers.get('retry-after')) <= 5);
    return;
  }
  assert.fail('the disk did not fill up');
}

async function surviveFullDisk(malote: TestMalote, disk: SmallDisk, logged: () => string): Promise<void> {
  const { clock, db, manager, url } = malote;
  const deps = { ...malote.app.deps, log };
  const scheduled: number[] = [];
  for (let count = 0; count < 30; count += 1)
    scheduled.push(
      Number(assertOk(await manager.post('/entregas/programadas', scheduledOrder())).body.data.id_mch),
    );
  await disk.fill();
  await orderUntilFull(malote);
  assert.equal(await status(`${url}/readyz`), 503);
  assert.equal(await status(`${url}/healthz`), 200);

  clock.advance({ hours: 2 });
  // Once more than the attempts after which a dispatch that fails by itself is given up.
  let refused = 0;
  for (let attempt = 0; attempt < 4; attempt += 1) {
    await dispatchDue(deps).catch((error: unknown) => {
      assert.equal(troubleOf(error), 'outage', String(error));
      refused += 1;
    });
    await distributeOnce(deps).catch((error: unknown) => assert.equal(troubleOf(error), 'outage'));
    clock.advance({ seconds: 30 });
  }
  assert.ok(refused > 0);
  const [before] = await db<{ failed: number; attempts: number }>`
    select count(*) filter (where situation = 'failed') as failed, coalesce(sum(dispatch_attempts), 0) as attempts
    from scheduled where central_id = 1`;
  assert.deepEqual(before, { failed: 0, attempts: 0 });
  assert.equal(await status(`${url}/readyz`), 503);

  await disk.free();
  await waitUntil('it is ready again', async () => (await status(`${url}/readyz`)) === 200, 30_000);
  assertOk(await manager.post('/entregas', order()));
  await dispatchDue(deps);
  const [now] = await db<{ dispatched: number }>`
    select count(*) as dispatched from scheduled
    where central_id = 1 and situation = 'dispatched' and id = any(${scheduled}::bigint[])`;
  assert.deepEqual(now, { dispatched: scheduled.length });
  assert.doesNotMatch(logged(), /"msg":"bug"/);
}

function memoryLog(): [Writable, () => string] {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  return [stream, () => text];
}

let real: SmallDisk | undefined;
const [realLog, realLogged] = memoryLog();
const onRealDisk = await startMalote({
  log: realLog,
  connect: async (connection) => {
    const made = await realDisk(connection);
    real = made?.[0];
    return made?.[1] ?? connection;
  },
});

if (real) {
  const disk = real;
  test('a full disk is an outage: no bug, not ready, nothing is blamed, and all goes on when there is space', () =>
    surviveFullDisk(onRealDisk, disk, realLogged));
}

const [pretendedLog, pretendedLogged] = memoryLog();
const onPretendedDisk = await startMalote({ log: pretendedLog });

test('a database that says its disk is full is treated likewise', async () => {
  const disk = await pretendedDisk(onPretendedDisk.connection);
  await surviveFullDisk(onPretendedDisk, disk, pretendedLogged);
});
