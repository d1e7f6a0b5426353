import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import type { Settings } from '../../server/src/centrals/central.ts';
import type { Router } from '../../server/src/geo/routing/router.ts';
import { estimatorFor, estimatorRouters } from '../../server/src/geo/routing/routers.ts';
import { basic } from '../support/client.ts';
import { assertFailure } from '../support/envelope.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';

const asked = Promise.withResolvers<void>();
const gate = Promise.withResolvers<void>();
const pause = async () => {
  asked.resolve();
  await gate.promise;
};
/** Creation asks the router for an estimate, and this router waits there until the test releases it. */
const heldRouter = (settings: Settings): Router => {
  const router = estimatorFor(settings);
  return {
    ...router,
    matrix: (points, profile) => pause().then(() => router.matrix(points, profile)),
    route: (points, profile) => pause().then(() => router.route(points, profile)),
  };
};
const malote = await startMalote({ routers: { ...estimatorRouters, forEstimates: heldRouter } });
const { hostname, port } = new URL(malote.url);
const KEEP_ALIVE = `Host: ${hostname}\r\nConnection: keep-alive\r\n`;
const LOGIN = `api-key: demo-chave\r\nAuthorization: ${basic('gerente', 'demo')}\r\n`;

const open = async () => {
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  return socket;
};

test('a closing server answers what is in flight, closes what is idle and accepts nothing new', async () => {
  const idle = await open();
  idle.write(`GET /healthz HTTP/1.1\r\n${KEEP_ALIVE}\r\n`);
  const [healthy] = await once(idle, 'data');
  assert.match(String(healthy), /^HTTP\/1\.1 200/);
  assert.match(String(healthy), /connection: keep-alive/i);

  const busy = await open();
  const body = JSON.stringify(order());
  busy.write(
    `POST /api/v2/integracao/entregas HTTP/1.1\r\n${KEEP_ALIVE}${LOGIN}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  await asked.promise;

  const closing = malote.app.close();
  await once(idle, 'close');
  const refused = connect(Number(port), hostname);
  const [error] = await once(refused, 'error');
  assert.equal(error.code, 'ECONNREFUSED');

  gate.resolve();
  const [answer] = await once(busy, 'data');
  assert.match(String(answer), /^HTTP\/1\.1 200/);
  assert.match(String(answer), /connection: close/i);
  assert.match(String(answer), /\{"success":true,"data":\{"id_mch":"\d+"\}\}$/);
  await Promise.all([once(busy, 'close'), closing]);

  const [row] = await malote.db<{ count: number }>`select count(*) as count from deliveries`;
  assert.equal(row!.count, 1);
});

/** Long enough for two requests on a busy machine. */
const NOTICE_MS = 3_000;

test('while balancers are given notice, /readyz says 503 and everything else is still answered', async () => {
  const other = await startMalote();
  const anybody = { 'api-key': undefined, authorization: undefined };
  const readyz = () => other.central.send('/../../../readyz', { headers: anybody });
  assert.equal((await readyz()).status, 200);
  const closing = other.app.close(NOTICE_MS);
  const [ready, asked] = await Promise.all([readyz(), other.central.post('/entregas/consultar')]);
  assertFailure(ready, 503, 0);
  assert.equal(asked.status, 200);
  await closing;
});
