import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, basic } from '../support/client.ts';
import { complainedFields } from '../support/envelope.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { assertOk } from '../support/steps.ts';

const malote = await startMalote();
const { manager, operator } = malote;
const BASE = '/api/v2/integracao';
const PANEL = 'https://painel.example';
const STRANGER = 'https://outra.example';

const preflight = (origin: string, path = `${BASE}/entregas`, method = 'POST'): Promise<Response> =>
  fetch(malote.url + path, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'api-key,authorization,content-type,idempotency-key',
    },
  });
const opened = ({ headers }: Pick<Response, 'headers'>): string | null =>
  headers.get('access-control-allow-origin');

/** Cookies never take part, whoever asks. */
const assertWithoutCookies = ({ headers }: Pick<Response, 'headers'>): void => {
  assert.equal(headers.get('access-control-allow-credentials'), null);
  assert.notEqual(opened({ headers }), '*');
};

test('by default no page of another origin is answered', async () => {
  const refused = await preflight(PANEL);
  assert.equal(refused.status, 405);
  assert.equal(opened(refused), null);
  const answer = await manager.get('/entregas/bandeiras/areas-atuacao', { origin: PANEL });
  assert.equal(answer.status, 200);
  assert.equal(opened(answer), null);
  assert.equal(answer.headers.get('vary'), 'origin');
});

test('a preflight is answered where a central lists the origin, and names no header of our own pages', async (t) => {
  await malote.configureFor(t, { browserOrigins: [PANEL] });
  for (const [path, method] of [
    [`${BASE}/entregas`, 'POST'],
    [`${BASE}/entregas/`, 'POST'],
    [`${BASE}/entregas/programadas/7`, 'PUT'],
    ['/api/v2/operacao/condutores', 'GET'],
  ] as const) {
    const answer = await preflight(PANEL, path, method);
    assert.equal(answer.status, 204, path);
    assert.equal(await answer.text(), '');
    assert.equal(opened(answer), PANEL);
    assert.equal(answer.headers.get('vary'), 'origin');
    assert.match(answer.headers.get('access-control-max-age') ?? '', /^\d+$/);
    assert.ok(answer.headers.get('access-control-allow-methods')?.split(', ').includes(method));
    const allowed = (answer.headers.get('access-control-allow-headers') ?? '').toLowerCase().split(', ');
    for (const name of ['api-key', 'authorization', 'content-type', 'idempotency-key', 'prefer'])
      assert.ok(allowed.includes(name), name);
    assert.ok(!allowed.some((name) => name.startsWith('x-malote') || name === '*'));
    assertWithoutCookies(answer);
  }
  for (const origin of [
    STRANGER,
    'http://painel.example',
    `${PANEL}:8443`,
    'null',
    `${PANEL}.evil.example`,
  ]) {
    const answer = await preflight(origin);
    assert.equal(answer.status, 405, origin);
    assert.equal(opened(answer), null, origin);
  }
});

test('preflights that are answered use up no limit', async (t) => {
  await malote.configureFor(t, { browserOrigins: [PANEL] });
  for (let sent = 0; sent < 130; sent++) assert.equal((await preflight(PANEL)).status, 204);
  assert.equal((await preflight(STRANGER)).status, 405);
});

test('every answer can be read by a page of a listed origin, the refused ones too', async (t) => {
  await malote.configureFor(t, { browserOrigins: [PANEL] });
  const origin = PANEL;
  const wrong = { origin, authorization: basic('gerente', 'errada') };
  const created = await manager.post('/entregas', order(), { origin });
  const answers: [status: number, Answer][] = [
    [200, created],
    [200, await manager.post('/entregas/consultar', { limite: 5 }, { origin })],
    [400, await manager.post('/entregas', {}, { origin })],
    [401, await manager.get('/entregas/bandeiras/areas-atuacao', wrong)],
    [401, await manager.get('/entregas/bandeiras/areas-atuacao', { origin, 'api-key': 'errada' })],
    [403, await malote.driver(1).get('/configuracoes', { origin })],
    [404, await manager.get('/entregas/999999/status', { origin })],
    [404, await manager.get('/nada', { origin })],
    [405, await manager.put('/entregas/consultar', {}, { origin })],
    [413, await manager.post('/entregas', { observacao: 'x'.repeat(1_100_000) }, { origin })],
  ];
  await malote.configure({ limitEstimates: 1 });
  await manager.get('/entregas/bandeiras/areas-atuacao');
  answers.push([429, await manager.get('/entregas/bandeiras/areas-atuacao', { origin })]);
  for (const [status, answer] of answers) {
    assert.equal(answer.status, status, answer.text);
    assert.equal(opened(answer), PANEL, `${status} ${answer.text}`);
    assert.match(answer.headers.get('vary') ?? '', /\borigin$/);
    const readable = (answer.headers.get('access-control-expose-headers') ?? '').toLowerCase().split(', ');
    for (const name of ['x-error-kind', 'x-request-id', 'retry-after', 'x-ratelimit-remaining'])
      assert.ok(readable.includes(name), name);
    assertWithoutCookies(answer);
  }
});

test('a live stream can be read by a page of a listed origin', async (t) => {
  await malote.configureFor(t, { browserOrigins: [PANEL] });
  for (const [origin, expected] of [
    [PANEL, PANEL],
    [STRANGER, null],
  ] as const) {
    const stop = new AbortController();
    const answer = await fetch(`${malote.url}/api/v2/operacao/eventos`, {
      headers: { origin, 'api-key': 'demo-chave', authorization: basic('central', 'demo') },
      signal: stop.signal,
    });
    assert.equal(answer.status, 200);
    assert.equal(opened(answer), expected);
    stop.abort();
  }
});

test('a compressed page of answers varies by both', async (t) => {
  await malote.configureFor(t, { browserOrigins: [PANEL] });
  const { headers } = await manager.post('/entregas/consultar', {}, { origin: PANEL });
  assert.equal(headers.get('vary'), 'accept-encoding, origin');
});

test('an origin that another central lists reads nothing of this one', async (t) => {
  await malote.configureFor(t, { browserOrigins: [PANEL] }, 2);
  assert.equal((await preflight(PANEL)).status, 204);
  assert.equal(opened(await malote.neighbour.post('/entregas/consultar', {}, { origin: PANEL })), PANEL);
  for (const [status, headers] of [
    [200, {}],
    [401, { authorization: basic('gerente', 'errada') }],
  ] as const) {
    const answer = await manager.get('/entregas/bandeiras/areas-atuacao', { origin: PANEL, ...headers });
    assert.equal(answer.status, status);
    assert.equal(opened(answer), null);
  }
});

test('a session’s cookie opens nothing to another origin', async (t) => {
  await malote.configureFor(t, { browserOrigins: [PANEL] });
  const signedIn = await fetch(`${malote.url}/console/sessao`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-malote-console': '1', origin: PANEL },
    body: JSON.stringify({ central: 'Central Demonstração', usuario: 'central', senha: 'demo' }),
  });
  assert.equal(opened(signedIn), null);
  const [cookie = ''] = (signedIn.headers.get('set-cookie') ?? '').split(';');
  const path = `${malote.url}/api/v2/operacao/configuracoes`;
  const read = await fetch(path, { headers: { cookie, origin: PANEL } });
  assert.equal(read.status, 200);
  assert.equal(opened(read), null);
  assert.equal(read.headers.get('vary'), null);
  const write = await fetch(path, {
    method: 'PUT',
    headers: { cookie, origin: PANEL, 'content-type': 'application/json' },
    body: '{"nome":"Tomada"}',
  });
  assert.equal(write.status, 403);
  assert.equal(opened(write), null);
  const ended = await fetch(path, { headers: { cookie: 'malote_sessao=acabou', origin: PANEL } });
  assert.equal(ended.status, 401);
  assert.equal(opened(ended), null);
});

test('the console’s and the driver’s own addresses answer no preflight', async (t) => {
  await malote.configureFor(t, { browserOrigins: [PANEL] });
  for (const path of ['/console/sessao', '/entregador/sessao', '/rastreio/x', '/docs', '/metrics']) {
    const answer = await preflight(PANEL, path);
    assert.ok(answer.status >= 400, `${path} ${answer.status}`);
    assert.equal(opened(answer), null, path);
  }
});

test('a request without an origin gets no header of this kind', async (t) => {
  await malote.configureFor(t, { browserOrigins: [PANEL] });
  const { headers } = await manager.get('/entregas/bandeiras/areas-atuacao');
  assert.deepEqual(
    [...headers.keys()].filter((name) => name.startsWith('access-control') || name === 'vary'),
    [],
  );
});

test('an operator lists origins, at once in effect, and takes them back', async (t) => {
  t.after(() => operator.put('/configuracoes', { origens_navegador: [] }));
  assert.deepEqual(assertOk(await operator.get('/configuracoes')).body.data.origens_navegador, []);
  const origens_navegador = [PANEL, 'http://localhost:5173', 'https://[2001:db8::1]:8443'];
  const { data } = assertOk(await operator.put('/configuracoes', { origens_navegador })).body;
  assert.deepEqual(data.origens_navegador, origens_navegador);
  for (const origin of origens_navegador) {
    assert.equal((await preflight(origin)).status, 204);
    assert.equal(opened(await manager.get('/entregas/bandeiras/areas-atuacao', { origin })), origin);
  }
  assertOk(await operator.put('/configuracoes', { origens_navegador: [] }));
  assert.equal((await preflight(PANEL)).status, 405);
  assert.equal(opened(await manager.get('/entregas/bandeiras/areas-atuacao', { origin: PANEL })), null);
  const [row] = await malote.db<{ settings: object }>`select settings from centrals where id = 1`;
  assert.ok(!('browserOrigins' in row!.settings), 'the default is not stored');
});

test('only exact origins that no one on the way can change are taken, each mistake by its place', async () => {
  const wrong = [
    '*',
    'null',
    'painel.example',
    'https://painel.example/',
    'https://painel.example/caminho',
    'https://Painel.example',
    'https://painel.example:443',
    'https://*.example',
    'https://eu:senha@painel.example',
    'https://painel.example:99999',
    'http://painel.example',
    'http://localhost.example',
    'http://127.0.0.1:5173',
    'file://',
    `https://${'a'.repeat(300)}.example`,
  ];
  const answer = await operator.put('/configuracoes', { origens_navegador: [PANEL, ...wrong] });
  assert.deepEqual(
    complainedFields(answer),
    wrong.map((_, index) => `origens_navegador[${index + 1}]`).toSorted(),
  );
  assert.match(answer.text, /sem caminho nem barra no fim, como https/);
  const many = Array.from({ length: 31 }, (_, number) => `https://painel${number}.example`);
  assert.deepEqual(complainedFields(await operator.put('/configuracoes', { origens_navegador: many })), [
    'origens_navegador',
  ]);
});
