import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, client } from '../support/client.ts';
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
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, malote.db.pool.totalCount - malote.db.pool.idleCount);
  });
  const answers = await Promise.all(Array.from({ length: 50 }, () => get('/readyz')));
  clearInterval(watch);
  assert.ok(answers.every(({ status }) => status === 200));
  assert.ok(most <= 1, `${most} connections`);
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
