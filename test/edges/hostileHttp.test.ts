import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { basic } from '../support/client.ts';
import { assertFailure } from '../support/envelope.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { type RawAnswer, rawHttp } from '../support/rawHttp.ts';
import { assertNothingWritten } from '../support/rows.ts';

const malote = await startMalote();
const { central, manager, url, db } = malote;

const LOGIN = `api-key: demo-chave\r\nAuthorization: ${basic('gerente', 'demo')}\r\n`;
const ENTREGAS = '/api/v2/integracao/entregas';
const JSON_ORDER = JSON.stringify(order());

async function raw(...pieces: (string | Buffer)[]): Promise<RawAnswer> {
  const { answers } = await rawHttp(url, ...pieces);
  assert.equal(answers.length, 1, `${answers.length} answers`);
  return answers[0]!;
}
const head = (line: string, headers = '') =>
  `${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${LOGIN}${headers}\r\n`;

test('unknown routes are 404, wherever', async () => {
  for (const path of [
    '/',
    '/api',
    '/api/v2/integracao',
    '/api/v2/integracao/',
    '/api/v3/integracao/entregas',
  ])
    assertFailure(await raw(head(`GET ${path}`)), 404, 0);
  for (const path of ['/Entregas/1', '/entregas/1/recibo/2', '/entregas//1', '/..%2f..'])
    assertFailure(await central.get(path), 404, 0);
});

test('a wrong method is 405 with the methods that there are', async () => {
  const cases: [method: string, path: string, allow: string][] = [
    ['GET', '/entregas/consultar', 'POST'],
    ['PATCH', '/entregas/consultar', 'POST'],
    ['PUT', '/entregas/1/detalhes', 'GET, HEAD'],
    ['DELETE', '/entregas/1/status', 'GET, HEAD'],
    ['OPTIONS', '/entregas/1/cancelar', 'POST'],
    ['PROPFIND', '/entregas/1/status', 'GET, HEAD'],
    ['MKCOL', '/entregas/1/cancelar', 'POST'],
    ['QUERY', '/entregas/consultar', 'POST'],
    ['TRACE', '/entregas/1/status', 'GET, HEAD'],
  ];
  for (const [method, path, allow] of cases) {
    const answer = await raw(head(`${method} /api/v2/integracao${path}?x=1`));
    assertFailure(answer, 405, 0);
    assert.equal(answer.headers.allow, allow, `${method} ${path}`);
  }
  const wide = await central.send('/entregas/programadas', { method: 'PUT' });
  assertFailure(wide, 405, 0);
  assert.deepEqual(wide.headers.get('allow')?.split(', ').sort(), ['GET', 'HEAD', 'POST']);
});

test('HEAD is answered as GET is, without a body', async () => {
  const answer = await raw(head(`HEAD ${ENTREGAS}/1/status`).replace('\r\n\r\n', '\r\n\r\n'));
  assert.equal(answer.status, 404);
  assert.equal(answer.text, '');
});

test('addresses that cannot be decoded are 400', async () => {
  for (const path of ['/entregas/%', '/entregas/%zz', '/entregas/%c3%28/status', '/%ff'])
    assertFailure(await raw(head(`GET /api/v2/integracao${path}`)), 400, 2);
});

test('ids that are no positive integers are 400, however odd', async () => {
  const ids = [
    '0',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    'abc',
    '%00',
    '1%00',
    '%20',
    '+1',
    '١',
    '9007199254740992',
    '99999999999999999999',
    '9'.repeat(4000),
    "1'--",
    '1;drop table deliveries',
    'null',
    '__proto__',
    'constructor',
  ];
  for (const id of ids) {
    const answer = await central.get(`/entregas/${encodeURIComponent(decodeURIComponent(id))}/status`);
    assertFailure(answer, 400, 2);
    assert.equal(answer.body.errors[0].message, "'id': deve ser um número inteiro positivo", id.slice(0, 40));
  }
  const english = await central.get('/entregas/abc/status', { 'accept-language': 'en-GB,en;q=0.8' });
  assert.equal(english.body.errors[0].message, "'id': must be a positive integer");
});

test('ids that nobody has are 404, up to the largest', async () => {
  for (const id of ['999999', '2147483648', '4294967296', '9007199254740991', '0000000000000001'])
    assertFailure(await central.get(`/entregas/${id}/status`), 404, 0);
});

test('broken HTTP is 400 in the envelope, and the connection ends', async () => {
  const broken = [
    'NONSENSE\r\n\r\n',
    'GET / HTTP/9.9\r\nHost: localhost\r\n\r\n',
    `GET ${ENTREGAS}/1 HTTP/1.1\r\nConnection: close\r\n\r\n`,
    `GET ${ENTREGAS}/1\0 HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    `GET ${ENTREGAS}/1 HTTP/1.1\r\nHost: localhost\r\napi-key: de\0mo\r\n\r\n`,
    `GET ${ENTREGAS}/1 HTTP/1.1\r\nHost: localhost\r\nbad header: 1\r\n\r\n`,
    `GET ${ENTREGAS}/1 HTTP/1.1\r\nHost: localhost\r\n folded: 1\r\n\r\n`,
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  ];
  for (const bytes of broken) {
    const { answers, closed } = await rawHttp(url, bytes);
    assertFailure(answers[0]!, 400, 2);
    assert.ok(closed, bytes);
    assert.match(answers[0]!.headers['x-request-id']!, /^[0-9a-f-]{36}$/);
  }
});

test('an expectation that nobody knows, or a wish to upgrade, is simply not met', async () => {
  for (const header of [
    'Expect: 200-ok',
    'Expect: 100-continue',
    'Connection: upgrade\r\nUpgrade: websocket',
  ])
    assertFailure(
      (
        await rawHttp(url, `GET ${ENTREGAS}/999999 HTTP/1.1\r\nHost: localhost\r\n${LOGIN}${header}\r\n\r\n`)
      ).answers.at(-1)!,
      404,
      0,
    );
});

test('headers too large are 431 in the envelope', async () => {
  const { answers } = await rawHttp(url, head(`GET ${ENTREGAS}/1`, `x-filler: ${'x'.repeat(20_000)}\r\n`));
  assertFailure(answers[0]!, 431, 2);
});

test('requests that two servers could read differently are refused before they are read', async () => {
  const smuggled = `GET ${ENTREGAS}/1/status HTTP/1.1\r\nHost: localhost\r\n${LOGIN}\r\n`;
  const post = (headers: string, body: string) =>
    `POST ${ENTREGAS} HTTP/1.1\r\nHost: localhost\r\n${LOGIN}Content-Type: application/json\r\n${headers}\r\n${body}`;
  const attacks = [
    post('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${smuggled}`),
    post('Content-Length: 5\r\nContent-Length: 6\r\n', `{"a":1}${smuggled}`),
    post('Content-Length: 5, 6\r\n', `{"a":1}${smuggled}`),
    post('Transfer-Encoding: chunked, identity\r\n', `0\r\n\r\n${smuggled}`),
    post('Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${smuggled}`),
    post('Transfer-Encoding : chunked\r\n', `0\r\n\r\n${smuggled}`),
    post('Content-Length: -1\r\n', smuggled),
    post('Content-Length: 0x5\r\n', smuggled),
  ];
  await assertNothingWritten(db, async () => {
    for (const attack of attacks) {
      const { answers, closed } = await rawHttp(url, attack);
      assert.equal(answers.length, 1, attack);
      assertFailure(answers[0]!, 400, 2);
      assert.ok(closed, attack);
    }
  });
});

test('a broken chunk is 400 and writes nothing', async () => {
  const start = head(`POST ${ENTREGAS}`, 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n');
  await assertNothingWritten(db, async () => {
    const { answers } = await rawHttp(url, `${start}zz\r\n${JSON_ORDER}\r\n0\r\n\r\n`);
    assertFailure(answers[0]!, 400, 2);
  });
});

test('a body that stops halfway writes nothing', async () => {
  await assertNothingWritten(db, async () => {
    const bytes = head(
      `POST ${ENTREGAS}`,
      `Content-Type: application/json\r\nContent-Length: ${JSON_ORDER.length + 9}\r\n`,
    );
    const { connect } = await import('node:net');
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await new Promise<void>((resolve) => socket.write(bytes + JSON_ORDER, () => resolve()));
    socket.destroy();
    await central.get('/entregas/1');
  });
});

test('bodies over 64 KiB are 413, announced or not', async () => {
  const big = JSON.stringify({ ...order(), observacao: 'x'.repeat(64 * 1024) });
  await assertNothingWritten(db, async () => {
    assertFailure(await manager.send('/entregas', { method: 'POST', body: big }), 413, 0);
    const chunk = `${(4 * 1024).toString(16)}\r\n${'x'.repeat(4 * 1024)}\r\n`;
    const start = head(
      `POST ${ENTREGAS}`,
      'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n',
    );
    const { answers } = await rawHttp(url, start, ...Array.from({ length: 40 }, () => chunk));
    assertFailure(answers[0]!, 413, 0);
    const { answers: announced } = await rawHttp(
      url,
      head(`POST ${ENTREGAS}`, 'Content-Type: application/json\r\nContent-Length: 99999999999\r\n'),
    );
    assertFailure(announced[0]!, 413, 0);
  });
  const padding = 64 * 1024 - Buffer.byteLength(JSON.stringify({ ...order(), x: '' }));
  const full = JSON.stringify({ ...order(), x: 'x'.repeat(padding) });
  assert.equal(Buffer.byteLength(full), 64 * 1024);
  const headers = { 'content-type': 'application/json' };
  assert.equal((await manager.send('/entregas', { method: 'POST', body: full, headers })).status, 200);
});

test('a body where none is needed is ignored, but what is no JSON is refused', async () => {
  const { body } = await manager.post('/entregas', order());
  const answer = await raw(
    `${head(`GET ${ENTREGAS}/${body.data.id_mch}/status`, 'Content-Type: application/json\r\nContent-Length: 3\r\n')}{x}`,
  );
  assert.equal(answer.status, 200, answer.text);
  for (const request of [
    `DELETE ${ENTREGAS}/programadas/1/paradas/1`,
    `POST ${ENTREGAS}/programadas/1/cancelar`,
    'POST /api/v2/integracao/webhooks/1/segredo',
  ]) {
    const broken = await raw(
      `${head(request, 'Content-Type: application/json\r\nContent-Length: 3\r\n')}{x}`,
    );
    assertFailure(broken, 400, 2);
    assert.match(broken.body.errors[0].message, /^'corpo': não é um JSON válido$/);
    const untyped = await raw(`${head(request, 'Content-Length: 3\r\n')}{x}`);
    assertFailure(untyped, 400, 2);
    const unread = await raw(
      `${head(request, 'Content-Type: application/json\r\nContent-Length: 9\r\n')}{"x":[1]}`,
    );
    assertFailure(unread, 404, 0);
    const other = await raw(`${head(request, 'Content-Type: text/plain\r\nContent-Length: 3\r\n')}{x}`);
    assertFailure(other, 404, 0);
  }
});

test('a service that listens on this machine alone answers for its own names only', async () => {
  for (const host of [
    'example.com',
    'rebound.example:3000',
    'localhost.example.com',
    '127.0.0.1.example.com',
    '128.0.0.1',
    'evil"><script>',
    'a b',
    'user@localhost',
    'localhost/../y',
    '',
  ])
    assertFailure(
      await raw(
        `GET ${ENTREGAS}/999999/status HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${LOGIN}\r\n`,
      ),
      421,
      0,
    );
  for (const host of ['localhost', 'LOCALHOST:8080', '127.0.0.1:1', '127.9.9.9', '[::1]:3000'])
    assertFailure(
      await raw(
        `GET ${ENTREGAS}/999999/status HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${LOGIN}\r\n`,
      ),
      404,
      0,
    );
});

test('queries are read with care', async () => {
  const cases: [query: string, field: string][] = [
    ['limite=0', 'limite'],
    ['limite=101', 'limite'],
    ['limite=-1', 'limite'],
    ['limite=abc', 'limite'],
    ['limite=1.5', 'limite'],
    ['limite=', 'limite'],
    ['limite=99999999999999999999', 'limite'],
    ['limite=1&limite=2', 'limite'],
    ['pagina=0', 'pagina'],
    ['pagina=9007199254740993', 'pagina'],
    ['x=%00', 'x'],
    ['%00=x', 'query'],
    ['x=1&x=%00', 'x'],
  ];
  for (const [query, field] of cases) {
    const answer = await central.get(`/entregas/programadas?${query}`);
    assertFailure(answer, 400, 2);
    assert.equal(answer.body.errors.length, 1, query);
    assert.ok(answer.body.errors[0].message.startsWith(`'${field}': `), `${query}: ${answer.text}`);
  }
  for (const query of [
    '__proto__=1',
    'constructor=x',
    'limite[]=1',
    'a=%ff',
    '&&&===',
    'limite=100&pagina=1',
    'unknown=1',
  ])
    assert.equal((await central.get(`/entregas/programadas?${query}`)).status, 200, query);
});

test('nothing above left the service unwell', async () => {
  assert.equal((await central.post('/entregas/consultar')).status, 200);
});

test('a compressed body is 415 with a hint, before it is read', async () => {
  const body = gzipSync(JSON_ORDER);
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  for (const [path, method] of [
    ['/entregas', 'POST'],
    ['/entregas/1', 'PUT'],
    ['/entregas/1/paradas/1', 'DELETE'],
  ] as const)
    for (const encoding of ['gzip', 'br', 'gzip, identity', 'x']) {
      const answer = await manager.send(path, {
        method,
        body,
        headers: { ...headers, 'content-encoding': encoding },
      });
      assertFailure(answer, 415, 0);
      assert.match(answer.body.errors[0].message, /comprimido/);
      assert.equal(answer.headers.get('accept-encoding'), 'identity');
    }
  const stranger = await manager.send('/entregas', {
    method: 'POST',
    body,
    headers: { ...headers, authorization: undefined },
  });
  assertFailure(stranger, 401, 0);
  // Nothing of a bomb is waited for.
  const bomb = await raw(
    head(
      `POST ${ENTREGAS}`,
      'Content-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 900000\r\n',
    ),
  );
  assertFailure(bomb, 415, 0);
});

test('a body that says that it is not compressed is read', async () => {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'identity' };
  const answer = await manager.send('/entregas/consultar', { method: 'POST', body: '{"limite":1}', headers });
  assert.equal(answer.status, 200, answer.text);
});
