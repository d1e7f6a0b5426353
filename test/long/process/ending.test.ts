import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { findEmbeddedPostgres } from '../../../server/src/platform/postgres/embedded.ts';
import { client } from '../../support/client.ts';
import {
  dataFolder,
  postmasterOf,
  type Service,
  START_MS,
  spawnMalote,
  startService,
} from '../../support/maloteProcess.ts';
import { order } from '../../support/orders.ts';
import { startedFolder } from '../../support/startedFolder.ts';
import { waitUntil } from '../../support/waitUntil.ts';

const start = (folder: string) => startService({ MALOTE_DATA: folder, MALOTE_DEMO: 'empty' });

const gerente = ({ url }: Service) =>
  client(`${url}/api/v2/integracao`, { key: 'demo-chave', user: 'gerente', password: 'demo' });

/** Delays every new delivery, as a slow database would. */
async function holdDeliveries(
  folder: string,
): Promise<{ isWaitedFor(): Promise<boolean>; release(): Promise<void> }> {
  const connection = findEmbeddedPostgres(folder);
  const holder = new Client(connection);
  const observer = new Client(connection);
  for (const client of [holder, observer]) {
    client.on('error', () => {});
    await client.connect();
  }
  await holder.query('begin; lock table deliveries in exclusive mode');
  return {
    async isWaitedFor() {
      const { rowCount } = await observer.query(
        `select from pg_stat_activity where wait_event_type = 'Lock'`,
      );
      return rowCount !== 0;
    },
    async release() {
      await holder.query('commit');
      await holder.end();
      await observer.end();
    },
  };
}

const isClosed = ({ url }: Service): Promise<boolean> =>
  fetch(url).then(
    () => false,
    () => true,
  );

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  test(`${signal} answers the request in flight, then ends everything`, async () => {
    const folder = await startedFolder();
    const service = await start(folder);
    const hold = await holdDeliveries(folder);
    const opening = gerente(service).post('/entregas', order());
    await waitUntil('the request waits in the database', hold.isWaitedFor);
    service.signal(signal);
    await waitUntil('nobody new is let in', () => isClosed(service));
    await hold.release();
    assert.equal((await opening).status, 200);
    assert.equal((await service.ended).code, 0);
    assert.equal(postmasterOf(folder), undefined);
    assert.equal(service.stderr(), '');
  });

test('one Ctrl-C that arrives twice, as it does within npm, still ends in order', async () => {
  const folder = await startedFolder();
  const service = await start(folder);
  const hold = await holdDeliveries(folder);
  const opening = gerente(service).post('/entregas', order());
  await waitUntil('the request waits in the database', hold.isWaitedFor);
  service.signal('SIGINT');
  service.signal('SIGINT');
  await hold.release();
  assert.equal((await opening).status, 200);
  assert.equal((await service.ended).code, 0);
  assert.equal(postmasterOf(folder), undefined);
});

test('a second Ctrl-C, later, ends it at once; the next start recovers', async () => {
  const folder = await startedFolder();
  const service = await start(folder);
  const hold = await holdDeliveries(folder);
  const opening = gerente(service)
    .post('/entregas', order())
    .catch(() => 'cut off');
  await waitUntil('the request waits in the database', hold.isWaitedFor);
  service.signal('SIGINT');
  await waitUntil('the first one is obeyed', () => isClosed(service));
  // After the time in which a second signal still counts as the first one.
  await sleep(1_200);
  service.signal('SIGINT');
  const { code, stderr } = await service.ended;
  assert.deepEqual([code, stderr], [1, 'malote: ending at once (asked twice)\n']);
  assert.equal(await opening, 'cut off');
  await hold.release();
  const again = await start(folder);
  again.signal('SIGTERM');
  assert.equal((await again.ended).code, 0);
});

test('a signal during the start is obeyed', async () => {
  const folder = await dataFolder();
  const malote = spawnMalote(['serve'], { env: { MALOTE_DATA: folder, PORT: '0' } });
  await waitUntil('PostgreSQL is there', () => postmasterOf(folder) !== undefined, START_MS);
  malote.child.kill('SIGTERM');
  assert.equal((await malote.ended).code, 0);
  assert.equal(postmasterOf(folder), undefined);
});

test('Ctrl-C while the first start makes the database ends it in order, without a word of failure', async () => {
  const folder = await dataFolder();
  const env = { MALOTE_DATA: folder, PORT: '0' };
  const malote = spawnMalote(['serve'], { env, leadsGroup: true });
  // Written by the server that initdb runs.
  const isBeingMade = () => globSync('postgres.new-*/base/1/pg_filenode.map', { cwd: folder }).length > 0;
  await waitUntil('initdb runs', isBeingMade, START_MS);
  process.kill(-malote.child.pid!, 'SIGINT');
  const { code, stderr } = await malote.ended;
  assert.deepEqual([code, stderr], [0, '']);
  assert.equal(postmasterOf(folder), undefined);
});

test('after kill -9 the next start simply works, and nothing that was answered is lost', async () => {
  const folder = await startedFolder();
  const first = await start(folder);
  const created = await gerente(first).post('/entregas', order());
  first.signal('SIGKILL');
  await first.ended;
  const second = await start(folder);
  const found = await gerente(second).get(`/entregas/${created.body.data.id_mch}`);
  assert.equal(found.status, 200, found.text);
  second.signal('SIGTERM');
  assert.equal((await second.ended).code, 0);
  assert.equal(postmasterOf(folder), undefined);
});
