import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { buildApp } from '../../server/src/app.ts';
import { estimatorRouters } from '../../server/src/geo/routing/routers.ts';
import { openDatabase } from '../../server/src/platform/postgres/database.ts';
import { type Answer, basic, client } from '../support/client.ts';
import { testClock } from '../support/clock.ts';
import { testDatabase } from '../support/database.ts';
import { assertFailure } from '../support/envelope.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';

const malote = await startMalote();
const anybody = client(malote.url, { key: '', user: '', password: '' });
const get = (path: string, headers: Record<string, string | undefined> = {}): Promise<Answer> =>
  anybody.send(path, { headers: { 'api-key': undefined, authorization: undefined, ...headers } });

test('/healthz says that the process lives, to anybody', async () => {
  const answer = await get('/healthz');
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, { success: true, data: { status: 'ok' } });
});

test('/readyz says that the database can be reached and is migrated', async () => {
  assert.equal((await get('/readyz')).status, 200);
});

test('however many ask /readyz at once, no more connections than one are used for it', async () => {
  let highest = 0;
  const watch = setInterval(() => {
    highest = Math.max(highest, malote.db.pool.totalCount - malote.db.pool.idleCount);
  });
  const answers = await Promise.all(Array.from({ length: 50 }, () => get('/readyz')));
  clearInterval(watch);
  assert.ok(answers.every(({ status }) => status === 200));
  assert.ok(highest <= 1, `${highest} connections`);
});

test('/readyz is answered while every connection of the pool is busy', async () => {
  const { pool } = malote.db;
  const busy = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  try {
    assert.equal((await get('/readyz')).status, 200);
  } finally {
    for (const client of busy) client.release();
  }
});

test('/metrics counts requests by method, route pattern and status, and holds nobody’s data', async () => {
  const { body } = await malote.manager.post('/entregas', order());
  await malote.manager.get(`/entregas/${body.data.id_mch}/status`);
  await malote.manager.get('/entregas/987654321/status?cpf=52998224725');
  await get('/nowhere/52998224725');
  const { status, text, headers } = await get('/metrics');
  assert.equal(status, 200);
  assert.match(String(headers.get('content-type')), /^text\/plain/);
  const count = (method: string, route: string, code: number) =>
    new RegExp(
      `malote_http_request_duration_seconds_count\\{method="${method}",route="${route}",status="${code}"\\} 1\n`,
    );
  assert.match(text, count('POST', '/api/v2/integracao/entregas', 200));
  assert.match(text, count('GET', '/api/v2/integracao/entregas/:id/status', 200));
  assert.match(text, count('GET', '/api/v2/integracao/entregas/:id/status', 404));
  assert.match(text, count('GET', 'unknown', 404));
  for (const name of [
    'malote_db_pool_in_use',
    'malote_db_pool_waiting',
    'nodejs_eventloop_lag_p99_seconds',
    'process_resident_memory_bytes',
  ])
    assert.match(text, new RegExp(`^${name} `, 'm'));
  assert.doesNotMatch(text, /52998224725|987654321|Cliente|gerente|central=/);
});

test('/metrics is not for those who come through a proxy', async () => {
  for (const header of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'])
    assertFailure(await get('/metrics', { [header]: '203.0.113.9' }), 404, 0);
});

test('other rooms add their own figures', async () => {
  const { Gauge } = await import('prom-client');
  new Gauge({
    name: 'malote_test_figure',
    help: 'for this test',
    registers: [malote.app.metrics.registry],
  }).set(7);
  assert.match((await get('/metrics')).text, /^malote_test_figure 7$/m);
});

test('a caller’s own X-Request-Id comes back, and a malformed one is replaced', async () => {
  const own = await get('/healthz', { 'x-request-id': 'integrator-0123456789' });
  assert.equal(own.headers.get('x-request-id'), 'integrator-0123456789');
  const odd = await get('/healthz', { 'x-request-id': '529.982.247-25' });
  assert.match(String(odd.headers.get('x-request-id')), /^[0-9a-f-]{36}$/);
});

test('every answer forbids sniffing, framing, caching and whatever a page could load', async () => {
  for (const answer of [
    await get('/healthz'),
    await get('/nowhere'),
    await malote.central.get('/entregas/1'),
  ]) {
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(answer.headers.get('x-frame-options'), 'DENY');
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.match(String(answer.headers.get('content-security-policy')), /^default-src 'none'/);
  }
});

/** A separate service whose database the test may break. */
async function startApart(metricsToken?: string, host = '127.0.0.1') {
  const connection = await testDatabase();
  const db = openDatabase({ connection, poolSize: 2, onError: () => undefined });
  const log = pino({ level: 'silent' });
  const app = await buildApp({ db, clock: testClock(), log, routers: estimatorRouters, metricsToken });
  const url = await app.server.listen({ port: 0, host });
  const { get } = client(url.replace(/0\.0\.0\.0|\[::\]/, '127.0.0.1'), {
    key: 'k',
    user: 'u',
    password: 'p',
  });
  return { app, db, get, url };
}

test('/readyz is 503 while a migration is missing, and /healthz is not', async (t) => {
  const { app, db, get } = await startApart();
  t.after(async () => {
    await app.close();
    await db.close();
  });
  const [gone] = await db<{ name: string; sha256: string }>`
    delete from migrations where name = (select max(name) from migrations) returning name, sha256`;
  const answer = await get('/readyz');
  assertFailure(answer, 503, 0);
  assert.ok(Number(answer.headers.get('retry-after')) > 0);
  assert.equal((await get('/healthz')).status, 200);
  await db`insert into migrations (name, sha256) values (${gone!.name}, ${gone!.sha256})`;
  assert.equal((await get('/readyz')).status, 200);
});

test('/readyz and every route are 503 while the database is away, and /healthz is not', async (t) => {
  const { app, db, get } = await startApart();
  t.after(() => app.close());
  assert.equal((await get('/readyz')).status, 200);
  await db.close();
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  db.pool.connect = ((connected?: (error: Error) => void) =>
    connected ? connected(refused) : Promise.reject(refused)) as typeof db.pool.connect;
  assertFailure(await get('/readyz'), 503, 0);
  assertFailure(await get('/api/v2/integracao/entregas/1/status'), 503, 0);
  assert.equal((await get('/healthz')).status, 200);
});

test('with a token set, /metrics requires it', async (t) => {
  const { app, db, get } = await startApart('figures-please');
  t.after(async () => {
    await app.close();
    await db.close();
  });
  assertFailure(await get('/metrics'), 404, 0);
  for (const authorization of ['Bearer figures', 'Bearer figures-please!', basic('figures-please', '')])
    assertFailure(await get('/metrics', { authorization }), 404, 0);
  assert.equal((await get('/metrics', { authorization: 'Bearer figures-please' })).status, 200);
});

for (const host of ['0.0.0.0', '::'])
  test(`listening on ${host} without a token, /metrics is for nobody, not even on this machine`, async (t) => {
    const { app, db, get } = await startApart(undefined, host);
    t.after(async () => {
      await app.close();
      await db.close();
    });
    assert.equal((await get('/healthz')).status, 200);
    assertFailure(await get('/metrics'), 404, 0);
  });
