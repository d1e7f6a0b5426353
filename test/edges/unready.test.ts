import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { buildApp } from '../../server/src/app.ts';
import { openDatabase } from '../../server/src/postgres/database.ts';
import { estimatorRouters } from '../../server/src/routing/router.ts';
import { basic, client } from '../support/client.ts';
import { testClock } from '../support/clock.ts';
import { testDatabase } from '../support/database.ts';
import { assertFailure } from '../support/envelope.ts';

/** A service of its own, whose database the test may mistreat. */
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
  db.pool.connect = () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
  db.pool.query = (() =>
    Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))) as typeof db.pool.query;
  assertFailure(await get('/readyz'), 503, 0);
  assertFailure(await get('/api/v2/integracao/entregas/1/status'), 503, 0);
  assert.equal((await get('/healthz')).status, 200);
});

test('with a token set, /metrics is for whoever shows it and for nobody else', async (t) => {
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
