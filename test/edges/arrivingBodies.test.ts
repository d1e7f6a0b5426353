import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { BODY_BYTES_MAX, bodyBytesMax } from '../../server/src/api/http/endpoint.ts';
import { basic } from '../support/client.ts';
import { assertFailure } from '../support/envelope.ts';
import { everyEndpoint } from '../support/everyEndpoint.ts';
import { startMalote } from '../support/malote.ts';
import { noteRefusal } from '../support/noteRefusals.ts';
import { order } from '../support/orders.ts';
import { rawHttp } from '../support/rawHttp.ts';
import { eventually, waitUntil } from '../support/waitUntil.ts';

const malote = await startMalote();
const { central, manager, operator, clock, url } = malote;

const POSITION = '/api/v2/operacao/condutores/1/posicao';
const ORDERS = '/api/v2/integracao/entregas';
const KIBIBYTE = 1024;

const head = (path: string, user: string, headers: string): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    'api-key: demo-chave',
    ...(user ? [`Authorization: ${basic(user, 'demo')}`] : []),
    'Content-Type: application/json',
    headers,
    '',
    '',
  ].join('\r\n');

const heldBytes = async (): Promise<number> => {
  const [metric] = (await malote.app.metrics.registry.getSingleMetric('malote_body_bytes')!.get()).values;
  return metric!.value;
};

/** A request of which the last byte is missing; `answer` is what has come so far. */
interface HalfSent {
  socket: Socket;
  status(): number | undefined;
  text(): string;
}

function halfSend(t: TestContext, start: string, body: string): HalfSent {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (data: Buffer) => {
    text += data.toString('latin1');
    const [method = '', path = ''] = start.split(' ', 2);
    noteRefusal(/\r\nx-error-kind: (.+)\r\n/i.exec(text)?.[1], method, path);
  });
  socket.on('error', () => undefined);
  socket.write(start + body);
  t.after(() => socket.destroy());
  return {
    socket,
    status: () => (text ? Number(text.split(' ')[1]) : undefined),
    text: () => text,
  };
}

const halfSendMany = (t: TestContext, count: number, user: string, bytes: number, path = POSITION) =>
  Array.from({ length: count }, () =>
    halfSend(t, head(path, user, `Content-Length: ${bytes}`), 'x'.repeat(bytes - 1)),
  );

test('a body over 64 KiB is refused before it is read, or as soon as it is larger', async () => {
  const announced = await rawHttp(url, head(ORDERS, 'gerente', `Content-Length: ${64 * KIBIBYTE + 1}`));
  assertFailure(announced.answers[0]!, 413, 0);
  assert.match(announced.answers[0]!.body.errors[0].message, /64 KiB/);
  const chunk = `${(16 * KIBIBYTE).toString(16)}\r\n${'x'.repeat(16 * KIBIBYTE)}\r\n`;
  const unannounced = await rawHttp(
    url,
    head(ORDERS, 'gerente', 'Transfer-Encoding: chunked'),
    chunk.repeat(4),
    '1\r\nx\r\n',
  );
  assertFailure(unannounced.answers[0]!, 413, 0);
  await eventually(async () => assert.equal(await heldBytes(), 0));
});

test('a client that sends too much receives the answer, not a broken connection', async () => {
  for (const size of [70_000, 200_000, 1_000_000, 5_000_000])
    for (let turn = 0; turn < 10; turn += 1)
      assertFailure(await manager.post('/entregas', { x: 'x'.repeat(size) }), 413, 0);
});

test('a body of exactly 64 KiB is read, in one piece, in many, or in chunks of unknown number', async () => {
  const short = JSON.stringify({ ...order(), x: '' }).replace(/[^ -~]/g, 'e');
  const body = short.replace('"x":""', `"x":"${'x'.repeat(64 * KIBIBYTE - short.length)}"`);
  assert.equal(body.length, 64 * KIBIBYTE);
  const pieces = body.match(/.{1,1000}/gs)!;
  const announced = head(ORDERS, 'gerente', `Content-Length: ${body.length}`);
  const chunked = pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`);
  for (const parts of [
    [announced, body],
    [announced, ...pieces],
    [head(ORDERS, 'gerente', 'Transfer-Encoding: chunked'), ...chunked, '0\r\n\r\n'],
  ]) {
    const { answers } = await rawHttp(url, ...parts);
    assert.equal(answers[0]!.status, 200, answers[0]!.text);
  }
  await eventually(async () => assert.equal(await heldBytes(), 0));
});

interface Schema {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  maxLength?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
}

/** Bytes of the longest valid JSON: in its texts one character in ten is written as an escape of six bytes. */
function longest(schema: Schema): number {
  if (schema.anyOf) return Math.max(...schema.anyOf.map(longest));
  if (schema.enum) return Math.max(...schema.enum.map((value) => JSON.stringify(value).length));
  if (schema.const !== undefined) return JSON.stringify(schema.const).length;
  switch (schema.type ?? '') {
    case 'string':
      return 2 + 1.5 * (schema.maxLength ?? 64);
    case 'array':
      return 2 + schema.maxItems! * (1 + longest(schema.items!));
    case 'object':
      return Object.entries(schema.properties ?? {}).reduce(
        (sum, [name, property]) => sum + name.length + 4 + longest(property),
        2,
      );
    case 'number':
    case 'integer':
    case 'boolean':
    case 'null':
      return 24;
    default:
      return Number.POSITIVE_INFINITY;
  }
}

test('every endpoint takes the longest body that its schema allows, and more than 64 KiB only if it must', () => {
  for (const { endpoint, name } of everyEndpoint) {
    if (!endpoint.body) continue;
    const needed = longest(endpoint.body as Schema);
    if (needed <= BODY_BYTES_MAX) assert.equal(endpoint.bodyBytesMax, undefined, `${name} needs ${needed}`);
    // Outlines of areas are limited by their number of positions.
    else if (endpoint.path.startsWith('/areas-atuacao')) assert.equal(bodyBytesMax(endpoint), KIBIBYTE ** 2);
    // Of each order of a bulk as much as usual: test/edges/bulk.test.ts sends 500 with 10 stops.
    else if (endpoint.items) assert.equal(bodyBytesMax(endpoint), 4 * KIBIBYTE ** 2);
    else assert.ok(needed <= bodyBytesMax(endpoint), `${name} needs ${needed}`);
  }
});

test('the bodies that one login sends by halves have an end, and stop nobody else', async (t) => {
  const sockets = halfSendMany(t, 300, 'condutor1', 64 * KIBIBYTE);
  await waitUntil('all refused beyond 8 MiB', () => sockets.filter((each) => each.status()).length === 172);
  for (const each of sockets.filter(({ status }) => status())) {
    assert.equal(each.status(), 503);
    assert.match(each.text(), /\r\nretry-after: \d+\r\n/i);
    assert.match(each.text(), /\r\nx-error-kind: bodies-busy\r\n/i);
  }
  assert.equal(await heldBytes(), 8 * KIBIBYTE ** 2);
  assertFailure(await malote.driver(1).post('/condutores/1/posicao', { lat: -30, lng: -51 }), 503, 0);
  assert.equal((await malote.driver(2).post('/condutores/2/posicao', { lat: -30, lng: -51 })).status, 200);
  assert.equal((await central.post('/entregas/consultar')).status, 200);

  for (const { socket } of sockets) socket.destroy();
  await eventually(async () => assert.equal(await heldBytes(), 0));
  assert.equal((await malote.driver(1).post('/condutores/1/posicao', { lat: -30, lng: -51 })).status, 200);
});

test('bodies of unknown length count as they grow', async (t) => {
  const piece = `${(32 * KIBIBYTE).toString(16)}\r\n${'x'.repeat(32 * KIBIBYTE)}\r\n`;
  const sockets = Array.from({ length: 300 }, () =>
    halfSend(t, head(POSITION, 'condutor1', 'Transfer-Encoding: chunked'), piece),
  );
  await waitUntil('some refused', () => sockets.filter((each) => each.status() === 503).length >= 100);
  assert.ok((await heldBytes()) <= 8 * KIBIBYTE ** 2);
  assert.equal((await central.post('/entregas/consultar')).status, 200);
});

test('a body that does not arrive in time is given up', async (t) => {
  const [silent] = halfSendMany(t, 1, 'condutor3', 2 * KIBIBYTE);
  await waitUntil('given up', () => {
    clock.advance({ seconds: 21 });
    return silent!.status() !== undefined;
  });
  assert.equal(silent!.status(), 408);
  assert.match(silent!.text(), /\r\nx-error-kind: body-too-slow\r\n/i);
  await eventually(async () => assert.equal(await heldBytes(), 0));
});

test('a body that trickles is given up too', async (t) => {
  const trickling = halfSend(t, head(POSITION, 'condutor3', 'Content-Length: 60000'), 'x');
  await waitUntil('given up', () => {
    trickling.socket.write('x');
    clock.advance({ seconds: 1 });
    return trickling.status() !== undefined;
  });
  assert.equal(trickling.status(), 408);
  await eventually(async () => assert.equal(await heldBytes(), 0));
});

test('callers without a login have a smaller budget, and no body is read for an unknown path', async (t) => {
  const login = '/console/sessao';
  const start = head(login, '', 'X-Malote-Console: 1\r\nContent-Length: 4096');
  const sockets = Array.from({ length: 300 }, () => halfSend(t, start, 'x'.repeat(4_095)));
  await waitUntil('all refused beyond 1 MiB', () => sockets.filter((each) => each.status()).length === 44);
  assert.ok(sockets.every(({ status }) => [undefined, 503].includes(status())));
  for (const path of ['/api/v2/integracao/nada', '/nada', '/entregador/nada']) {
    const unknown = halfSend(t, head(path, '', 'Content-Length: 1000'), 'x');
    await waitUntil(`${path} answered`, () => unknown.status() === 404);
  }
  assert.equal((await operator.get('/configuracoes')).status, 200);
});
