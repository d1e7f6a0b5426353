import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { findEmbeddedPostgres } from '../../../server/src/platform/postgres/embedded.ts';
import { client } from '../../support/client.ts';
import { postmasterOf, type Service, START_MS, startService } from '../../support/maloteProcess.ts';
import { order, stop } from '../../support/orders.ts';
import { startedFolder } from '../../support/startedFolder.ts';
import { assertOk } from '../../support/steps.ts';
import { waitUntil } from '../../support/waitUntil.ts';
import { startReceiver } from '../../support/webhookReceiver.ts';

const start = (folder: string) =>
  startService({ MALOTE_DATA: folder, MALOTE_DEMO: 'empty', MALOTE_COURIERS: 'off' });

const gerente = ({ url }: Service) =>
  client(`${url}/api/v2/integracao`, { key: 'demo-chave', user: 'gerente', password: 'demo' });

const LOST = 'PostgreSQL has ended unexpectedly';
const BACK = 'PostgreSQL is back';

const isReady = ({ url }: Service) => fetch(`${url}/readyz`).then(({ status }) => status === 200);

const countOf = (text: string, words: string) => text.split(words).length - 1;

function killPostmaster(folder: string): void {
  process.kill(postmasterOf(folder)!, 'SIGKILL');
}

async function query<Row extends object>(folder: string, sql: string): Promise<Row[]> {
  const session = new Client(findEmbeddedPostgres(folder));
  session.on('error', () => {});
  await session.connect();
  try {
    return (await session.query<Row>(sql)).rows;
  } finally {
    await session.end();
  }
}

/** graphile-worker itself prints this when it loses its connection at the moment of asking for jobs. */
const WORKER_TRACE = /^Trace: error: terminating connection [^}]*graphile-worker[^}]*^}\n(?: {4}at .*\n)*/gm;

async function endsInOrder(service: Service, folder: string): Promise<void> {
  service.signal('SIGTERM');
  const { code, stderr } = await service.ended;
  assert.deepEqual([code, stderr.replace(WORKER_TRACE, '')], [0, '']);
  assert.equal(postmasterOf(folder), undefined);
}

/** A few callers that create deliveries, each under a key that is repeated until the result is known. */
function keepOrdering(service: Service) {
  const acknowledged = new Map<string, string>();
  const carriedOut = new Set<string>();
  const statuses = new Set<number>();
  let next = 0;
  let ending = false;

  const orderUntilAccepted = async (key: string): Promise<void> => {
    for (;;) {
      const { status, body } = await gerente(service).post(
        '/entregas',
        order({ paradas: [{ ...stop(), numero_pedido: key }] }),
        { 'idempotency-key': key },
      );
      statuses.add(status);
      if (status === 200) acknowledged.set(key, body.data.id_mch);
      if (status === 200) return void carriedOut.add(key);
      await sleep(250);
    }
  };
  const caller = async (): Promise<void> => {
    while (!ending) {
      next += 1;
      await orderUntilAccepted(`pedido-${next}`);
      await sleep(100);
    }
  };
  const callers = Promise.all([caller(), caller(), caller()]);
  return {
    acknowledged,
    carriedOut,
    statuses,
    /** Statuses other than success, temporarily unavailable, and too many requests on a slow day. */
    surprises: () => [...statuses].filter((status) => ![200, 503, 429].includes(status)),
    async end() {
      ending = true;
      await callers;
    },
  };
}

/** A delivery scheduled this many seconds from now, on the central's clock. */
const scheduledIn = (seconds: number, number: number) => {
  const at = Temporal.Now.zonedDateTimeISO('America/Sao_Paulo').add({ seconds });
  const two = (value: number) => String(value).padStart(2, '0');
  return order({
    data: `${two(at.day)}/${two(at.month)}/${at.year}`,
    hora: `${two(at.hour)}:${two(at.minute)}:${two(at.second)}`,
    paradas: [{ ...stop(), numero_pedido: `programada-${number}` }],
  });
};

test('the database is killed under load: it comes back by itself, nothing acknowledged is lost, nothing is done twice', async (t) => {
  const folder = await startedFolder();
  const service = await start(folder);
  const receiver = await startReceiver(t);
  const manager = gerente(service);
  assertOk(await manager.post('/webhooks', { url: receiver.url, tipos: ['entrega.status'] }));
  // Soon, but late enough for a busy machine to read the request, which is otherwise refused as too late.
  const schedule = async (number: number, seconds = 3): ReturnType<typeof manager.post> => {
    const answer = await manager.post('/entregas/programadas', scheduledIn(seconds + (number % 3), number));
    return answer.status === 422 && seconds < 60 ? schedule(number, 2 * seconds) : answer;
  };
  const scheduled = await Promise.all(Array.from({ length: 20 }, (_, number) => schedule(number)));
  for (const answer of scheduled) assertOk(answer);

  const ordering = keepOrdering(service);
  for (const kill of [1, 2]) {
    const before = ordering.acknowledged.size;
    await waitUntil('it is busy', () => ordering.acknowledged.size >= before + 20, START_MS);
    killPostmaster(folder);
    await waitUntil('it is back', () => countOf(service.stdout(), BACK) === kill, START_MS);
  }
  const before = ordering.acknowledged.size;
  await waitUntil('it is busy again', () => ordering.acknowledged.size >= before + 20, START_MS);
  await ordering.end();
  assert.deepEqual(ordering.surprises(), []);

  const opened = await query<{ id: string; key: string }>(
    folder,
    `select d.id, s.order_number as key from deliveries d join stops s on s.delivery_id = d.id
      and s.central_id = d.central_id where d.central_id = 1 and d.scheduled_id is null`,
  );
  const idOf = new Map(opened.map(({ id, key }) => [key, id]));
  assert.equal(opened.length, idOf.size, 'no key has two deliveries');
  assert.deepEqual(new Set(idOf.keys()), ordering.carriedOut);
  for (const [key, id] of ordering.acknowledged) assert.equal(idOf.get(key), id, key);

  const dispatches = () =>
    query<{ made: string; scheduled: string }>(
      folder,
      `select count(*) as made, count(distinct scheduled_id) as scheduled from deliveries
        where central_id = 1 and scheduled_id is not null`,
    );
  await waitUntil('all are dispatched', async () => (await dispatches())[0]?.scheduled === '20', START_MS);
  assert.deepEqual(await dispatches(), [{ made: '20', scheduled: '20' }]);

  const last = assertOk(await manager.post('/entregas', order())).body.data.id_mch;
  await waitUntil(
    'webhooks go on',
    () => receiver.arrivals.some(({ body }) => body.data.id === last),
    START_MS,
  );
  assert.equal(countOf(service.stdout(), LOST), 2);
  assert.equal(countOf(service.stdout(), '"msg":"bug"'), 0);
  await endsInOrder(service, folder);
});

test('registers cached before the database was lost are not used afterwards', async () => {
  const folder = await startedFolder();
  const service = await start(folder);
  assert.equal((await gerente(service).post('/entregas/consultar')).status, 200);
  killPostmaster(folder);
  await waitUntil('it is back', () => service.stdout().includes(BACK), START_MS);
  // No notification of this change is sent, as for one that is made before the service listens again.
  await query(
    folder,
    `set session_replication_role = replica; update users set active = false where username = 'gerente'`,
  );
  await waitUntil(
    'the user is shut out',
    async () => (await gerente(service).post('/entregas/consultar')).status === 401,
  );
  await endsInOrder(service, folder);
});

test('a session’s process is killed: PostgreSQL mends itself, and the service rides it out', async () => {
  const folder = await startedFolder();
  const service = await start(folder);
  const ordering = keepOrdering(service);
  await waitUntil('it is busy', () => ordering.acknowledged.size >= 10, START_MS);
  const postmaster = postmasterOf(folder);
  const sessions = () =>
    query<{ pid: number }>(folder, `select pid from pg_stat_activity where application_name = 'malote'`);
  const killed = (await sessions()).map(({ pid }) => pid);
  process.kill(killed[0]!, 'SIGKILL');
  // A fast machine is back before a caller notices. PostgreSQL accepts no query while it ends its sessions.
  const all = () => sessions().catch(() => killed.map((pid) => ({ pid })));
  await waitUntil(
    'all sessions are new',
    async () => !(await all()).some(({ pid }) => killed.includes(pid)),
    START_MS,
  );
  const before = ordering.acknowledged.size;
  await waitUntil('it is busy again', () => ordering.acknowledged.size >= before + 10, START_MS);
  await ordering.end();
  assert.deepEqual(ordering.surprises(), []);
  assert.equal(postmasterOf(folder), postmaster);
  const keys = await query<{ key: string }>(
    folder,
    'select order_number as key from stops where central_id = 1 order by delivery_id',
  );
  assert.deepEqual(keys.map(({ key }) => key).sort(), [...ordering.carriedOut].sort());
  assert.equal(countOf(service.stdout(), LOST), 0);
  await endsInOrder(service, folder);
});

test('a job that runs when the database is killed ends neither the service nor the jobs', async () => {
  const folder = await startedFolder();
  const service = await start(folder);
  const holder = new Client(findEmbeddedPostgres(folder));
  holder.on('error', () => {});
  await holder.connect();
  await holder.query('begin; lock table idempotency_keys in access exclusive mode');
  const addJob = `select graphile_worker.add_job('tidyUp')`;
  await query(folder, addJob);
  await waitUntil(
    'the job waits for the table',
    async () =>
      (await query(folder, `select from pg_stat_activity where wait_event_type = 'Lock'`)).length > 0,
  );
  killPostmaster(folder);
  await waitUntil('it is back', () => service.stdout().includes(BACK), START_MS);
  await waitUntil('it serves', () => isReady(service), START_MS);
  await query(folder, addJob);
  await waitUntil('jobs are done', () => service.stdout().includes('tidied up'), START_MS);
  await endsInOrder(service, folder);
});

for (const moment of [0, 300])
  test(`asked to end ${moment} ms after the database was killed, it ends in order and leaves nothing running`, async () => {
    const folder = await startedFolder();
    const service = await start(folder);
    killPostmaster(folder);
    await sleep(moment);
    service.signal('SIGTERM');
    const { code, stderr } = await service.ended;
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal(findEmbeddedPostgres(folder), undefined);
  });

test('a database that cannot be started again ends the service with the reason', async () => {
  const folder = await startedFolder();
  const service = await start(folder);
  await appendFile(join(folder, 'postgres', 'postgresql.conf'), '\nshared_buffers = plenty\n');
  killPostmaster(folder);
  const { code, stdout, stderr } = await service.ended;
  assert.equal(code, 1);
  assert.match(stderr, /^malote: the database is lost: PostgreSQL did not start: [^\n]+\n$/);
  const fatal = stdout.split('\n').filter((line) => line.startsWith('{"level":60'));
  assert.equal(fatal.length, 1);
  assert.match(fatal[0]!, /the database is lost/);
  assert.equal(findEmbeddedPostgres(folder), undefined);
});
