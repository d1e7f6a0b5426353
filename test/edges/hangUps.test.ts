import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { basic } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';

interface Line {
  level: number;
  msg: string;
  err?: unknown;
}

const lines: Line[] = [];
const malote = await startMalote({
  log: new Writable({
    write(chunk, _encoding, done) {
      for (const line of String(chunk).trim().split('\n')) lines.push(JSON.parse(line) as Line);
      done();
    },
  }),
});
const { hostname, port } = new URL(malote.url);

const INTEGRATION = '/api/v2/integracao';
const known = `api-key: demo-chave\r\nAuthorization: ${basic('gerente', 'demo')}\r\n`;
const wrongPassword = `api-key: demo-chave\r\nAuthorization: ${basic('gerente', 'errada')}\r\n`;
const unknownKey = `api-key: nenhuma\r\nAuthorization: ${basic('gerente', 'demo')}\r\n`;
const badSession = `Cookie: malote_sessao=${'x'.repeat(43)}\r\n`;
const body = JSON.stringify(order());
const login = JSON.stringify({ central: 'Central Demonstração', usuario: 'central', senha: 'errada' });

const request = (line: string, headers: string, content = ''): string =>
  `${line} HTTP/1.1\r\nHost: localhost\r\n${headers}${content ? `Content-Type: application/json\r\nContent-Length: ${content.length}\r\n` : ''}\r\n${content}`;

const requests: Record<string, string> = {
  'an order': request(`POST ${INTEGRATION}/entregas`, known, body),
  'a wrong password': request(`GET ${INTEGRATION}/entregas/1/status`, wrongPassword),
  'an unknown key': request(`GET ${INTEGRATION}/entregas/1/status`, unknownKey),
  'an ended session': request(`GET ${INTEGRATION}/entregas/1/status`, badSession),
  'an unknown route': request('POST /api/v2/nada', known, body),
  'a wrong method': request(`PUT ${INTEGRATION}/entregas/1/status`, known, body),
  'an address that cannot be decoded': request('GET /%ff', known),
  'a page of deliveries': request(`POST ${INTEGRATION}/entregas/consultar`, known, '{}'),
  'a login at the console': request('POST /console/sessao', 'X-Malote-Console: 1\r\n', login),
  'a tracking link': request('GET /rastreio/1.0123456789abcdef', ''),
  'the events of a tracking link': request('GET /rastreio/1.0123456789abcdef/eventos', ''),
  'live events': request(
    'GET /api/v2/operacao/eventos',
    `api-key: demo-chave\r\nAuthorization: ${basic('central', 'demo')}\r\n`,
  ),
  'the page of the reference': request('GET /docs/', ''),
  readiness: request('GET /readyz', ''),
};

type Leave = (socket: Socket) => void;
const ways: Record<string, Leave> = {
  ends: (socket) => socket.end(),
  resets: (socket) => socket.resetAndDestroy(),
};

async function hangUp(
  text: string,
  leave: Leave,
  when: 'at once' | 'next turn' | 'first byte',
): Promise<void> {
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  const over = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const first = new Promise<void>((resolve) => {
    socket.once('data', () => resolve());
    socket.once('close', () => resolve());
  });
  await new Promise<void>((resolve) => socket.write(text, () => resolve()));
  if (when === 'next turn') await new Promise((resolve) => setImmediate(resolve));
  if (when === 'first byte' && text.endsWith('}')) await first;
  leave(socket);
  socket.resume();
  await Promise.race([over, first]);
  socket.destroy();
}

test('a caller who hangs up, at whatever stage, leaves no line of an error', async () => {
  for (const text of Object.values(requests))
    for (const leave of Object.values(ways)) {
      const head = text.indexOf('\r\n\r\n') + 4;
      const stages = [10, head - 10, head, Math.floor((head + text.length) / 2), text.length];
      for (const length of new Set(stages)) await hangUp(text.slice(0, length), leave, 'at once');
      await hangUp(text, leave, 'next turn');
      await hangUp(text, leave, 'first byte');
      await Promise.all(Array.from({ length: 10 }, () => hangUp(text, leave, 'at once')));
    }
  // The aborted requests are done once this many others have passed everything that they wait for: passwords,
  // connections.
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      malote.central.post('/entregas/consultar', {}, { authorization: basic(`ninguém ${index}`, 'x') }),
    ),
  );
  await Promise.all(Array.from({ length: 20 }, () => malote.central.post('/entregas/consultar')));
  assert.deepEqual(
    lines.filter(({ level }) => level >= 40),
    [],
  );
});
