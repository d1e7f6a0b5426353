import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pino } from 'pino';
import { buildApp } from '../../../server/src/app.ts';
import { migrateJobs, startJobs } from '../../../server/src/dispatch/rounds/jobs.ts';
import { estimatorRouters } from '../../../server/src/geo/routing/routers.ts';
import { type Database, openDatabase } from '../../../server/src/platform/postgres/database.ts';
import type { EmbeddedConnection } from '../../../server/src/platform/postgres/embedded.ts';
import { client } from '../../support/client.ts';
import { type FaultyProxy, faultyProxy } from '../../support/faultyProxy.ts';
import { startMalote } from '../../support/malote.ts';
import { estimate, order } from '../../support/orders.ts';
import { assertOk } from '../../support/steps.ts';
import { waitUntil } from '../../support/waitUntil.ts';

/** A lost statement is given up after 17 seconds. The rest is reserve for a busy machine. */
const NOTICED_MS = 60_000;
/** Long enough to drop the answer on its way, and shorter than the limit for the first answer of an idle connection. */
const ANSWER_DELAY_MS = 500;
const log = pino({ level: 'silent' });

let direct!: EmbeddedConnection;
let proxy!: FaultyProxy;
const malote = await startMalote({
  connect: async (connection) => {
    direct = connection;
    proxy = await faultyProxy(connection);
    return proxy.connection;
  },
});
const { clock, manager, operator } = malote;

const openAt = (connection: EmbeddedConnection): Database => {
  const db = openDatabase({ connection, poolSize: 2, onError: () => undefined });
  after(() => db.close());
  return db;
};
const control = openAt(direct);

/** Another process of the service on the same database, with a working network. */
const neighbourDb = openAt(direct);
const neighbour = await buildApp({ db: neighbourDb, clock, log, routers: estimatorRouters });
const neighbourUrl = await neighbour.server.listen({ port: 0, host: '127.0.0.1' });
after(() => neighbour.close());
const neighbourOperator = client(`${neighbourUrl}/api/v2/operacao`, {
  key: 'demo-chave',
  user: 'central',
  password: 'demo',
});

const isReady = async (): Promise<boolean> => (await fetch(`${malote.url}/readyz`)).status === 200;
const priceOf = async (): Promise<string> => {
  const { body } = assertOk(await manager.post('/entregas/empresas/1/estimativas', estimate()));
  return JSON.stringify(body.data);
};
/** Changes a tariff of central 1 to another base fare, as the given login. */
const setBaseFare = async (who: typeof operator, fare: string) => {
  const { data } = assertOk(await operator.get('/tarifas/1')).body;
  const { id: _id, ...tariff } = data;
  return who.put('/tarifas/1', { ...tariff, bandeirada: fare });
};

test('connections that are lost without a word are replaced, and requests answered again', async () => {
  assertOk(await manager.post('/entregas/consultar', {}));
  assert.ok(proxy.dropOpen() > 0);
  await waitUntil(
    'requests are answered',
    async () => {
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => manager.post('/entregas/consultar', {})),
      );
      for (const { status, headers } of answers) {
        assert.ok(status === 200 || status === 503, String(status));
        if (status === 503) assert.ok(Number(headers.get('retry-after')) <= 5);
      }
      return answers.every(({ status }) => status === 200);
    },
    NOTICED_MS,
  );
  assert.equal(await isReady(), true);
  assertOk(await manager.post('/entregas', order()));
});

for (const direction of ['toServer', 'toClient'] as const)
  test(`a connection that carries nothing ${direction} any more is as good as lost`, async () => {
    assertOk(await manager.post('/entregas/consultar', {}));
    assert.ok(proxy.dropOpen([direction]) > 0);
    await waitUntil(
      'requests are answered',
      async () => (await manager.post('/entregas', order())).status === 200,
      NOTICED_MS,
    );
  });

test('a transaction whose connection is lost under way fails as an outage and holds nobody up for long', async () => {
  const started = Promise.withResolvers<void>();
  const dropped = Promise.withResolvers<void>();
  const lost = malote.db.begin(async (tx) => {
    await tx`update companies set name = name where central_id = 1 and id = 1`;
    started.resolve();
    await dropped.promise;
    await tx`select 1`;
  });
  await started.promise;
  proxy.dropOpen();
  dropped.resolve();
  await assert.rejects(lost, { code: 'ETIMEDOUT' });
  await waitUntil(
    'the lock that it left behind is gone',
    async () =>
      control`update companies set name = name where central_id = 1 and id = 1`.then(
        () => true,
        () => false,
      ),
    NOTICED_MS,
  );
});

test('a process that gets no notifications any more works with new prices after seconds', async () => {
  await waitUntil('it is ready', isReady, NOTICED_MS);
  const before = await priceOf();
  assert.ok(proxy.dropOpen(['toClient'], (name) => name.startsWith('malote malote_registers')) > 0);
  assertOk(await setBaseFare(neighbourOperator, '41.37'));
  await waitUntil('the new price is asked for', async () => (await priceOf()) !== before, NOTICED_MS);
});

test('a register write is answered while no notification comes back, and is in effect', async () => {
  await waitUntil('it is ready', isReady, NOTICED_MS);
  const before = await priceOf();
  assert.ok(proxy.dropOpen(['toServer', 'toClient'], (name) => name.startsWith('malote malote_')) > 0);
  assertOk(await setBaseFare(operator, '52.48'));
  assert.notEqual(await priceOf(), before);
});

const addJob = () => control`select graphile_worker.add_job('tidyUp')`;
const allJobsAreDone = async () => (await control`select from graphile_worker.jobs`).length === 0;
const aJobIsTaken = async () =>
  (await control`select from graphile_worker.jobs where locked_at is not null`).length > 0;

for (const [lost, lose] of [
  ['were lost', async () => proxy.dropOpen()],
  [
    'were lost while it was given a job',
    async () => {
      proxy.delay(ANSWER_DELAY_MS);
      // On a busy machine a job may be done before the test sees that it was taken.
      do {
        await addJob();
        await waitUntil(
          'the job is taken or done',
          async () => (await aJobIsTaken()) || (await allJobsAreDone()),
          NOTICED_MS,
        );
      } while (await allJobsAreDone());
      // Dropped before the answer has arrived.
      proxy.dropOpen(['toClient']);
      proxy.pass();
    },
  ],
] as const)
  test(`jobs are taken again after the connections of their runner ${lost}`, async () => {
    await migrateJobs(proxy.connection);
    const jobs = await startJobs({ ...malote.app.deps, clock, log, connection: proxy.connection });
    try {
      await addJob();
      await waitUntil('the first job is done', allJobsAreDone, NOTICED_MS);
      await lose();
      await addJob();
      await waitUntil('all jobs are done', allJobsAreDone, NOTICED_MS);
    } finally {
      await jobs.stop();
    }
  });

test('connections that are reset, cut or slow cost a request at the most', async () => {
  for (const disturb of [proxy.reset, proxy.cut, () => proxy.delay(300)]) {
    disturb();
    await waitUntil(
      'requests are answered',
      async () => (await manager.post('/entregas/consultar', {})).status === 200,
      NOTICED_MS,
    );
    proxy.pass();
  }
});

test('a network that carries nothing at all is an outage, and over when it is over', async () => {
  proxy.dropAll();
  await waitUntil('it is not ready', async () => !(await isReady()), NOTICED_MS);
  const answer = await manager.post('/entregas/consultar', {});
  assert.equal(answer.status, 503, answer.text);
  assert.equal(answer.body.errors[0].message, 'serviço temporariamente indisponível; tente novamente');
  proxy.pass();
  await waitUntil('it is ready', isReady, NOTICED_MS);
  assertOk(await manager.post('/entregas', order()));
});

test('a process ends in order although its connections are lost', async () => {
  const db = openDatabase({ connection: proxy.connection, poolSize: 2, onError: () => undefined });
  const app = await buildApp({ db, clock, log, routers: estimatorRouters });
  await Promise.all([db`select 1`, db`select 1`]);
  proxy.dropOpen();
  await app.close();
  await db.close();
});
