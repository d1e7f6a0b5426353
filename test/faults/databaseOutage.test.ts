import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, client } from '../support/client.ts';
import { assertFailure } from '../support/envelope.ts';
import { type DatabaseDoor, doorTo } from '../support/faultyProxy.ts';
import { startMalote } from '../support/malote.ts';
import { waitUntil } from '../support/waitUntil.ts';

let door: DatabaseDoor;
const malote = await startMalote({
  limits: true,
  connect: async (connection) => {
    door = await doorTo(connection);
    return door.connection;
  },
});
const { central, manager, manager2, operator, url } = malote;

const logIn = () =>
  fetch(`${url}/console/sessao`, {
    method: 'POST',
    headers: { 'x-malote-console': '1', 'content-type': 'application/json' },
    body: JSON.stringify({ central: 'Central Demonstração', usuario: 'central', senha: 'demo' }),
  });
const session = (cookie: string) => fetch(`${url}/api/v2/operacao/resumo`, { headers: { cookie } });

/** A browser asks whether a page of another origin may send a request. */
const PANEL = 'https://painel.example';
const askFromPanel = () =>
  fetch(`${url}/api/v2/integracao/entregas`, {
    method: 'OPTIONS',
    headers: { origin: PANEL, 'access-control-request-method': 'POST' },
  });

/** More than the limits per minute for requests of strangers and for failed logins of a user. */
const COUNT = 150;
const many = <Result>(ask: () => Promise<Result>) => Promise.all(Array.from({ length: COUNT }, ask));

const assertUnavailable = (answer: Answer) => {
  assertFailure(answer, 503, 0);
  assert.equal(answer.body.errors[0].message, 'serviço temporariamente indisponível; tente novamente');
  assert.ok(
    Number(answer.headers.get('retry-after')) <= 10,
    `retry after ${answer.headers.get('retry-after')}`,
  );
  for (const header of ['x-ratelimit-limit', 'x-ratelimit-remaining'])
    assert.match(String(answer.headers.get(header)), /^[1-9]\d*$/);
};

test('while the database is unreachable every caller gets 503, and no request counts afterwards', async () => {
  const cookie = String((await logIn()).headers.get('set-cookie')).split(';')[0]!;
  assert.equal((await session(cookie)).status, 200);
  assert.equal((await central.post('/entregas/consultar')).status, 200);
  await malote.configure({ browserOrigins: [PANEL] });
  assert.equal((await askFromPanel()).status, 204);
  const badKey = client(`${url}/api/v2/integracao`, { key: 'unknown', user: 'x', password: 'y' });

  door.close();
  await waitUntil('what was remembered is void', async () => {
    return (await central.post('/entregas/consultar')).status === 503;
  });
  for (const who of [central, manager, manager2])
    for (const answer of await many(() => who.post('/entregas/consultar'))) assertUnavailable(answer);
  for (const answer of await many(() => badKey.get('/entregas/1'))) assertUnavailable(answer);
  assert.equal((await askFromPanel()).status, 204);
  const seenFromPanel = await central.get('/entregas/1', { origin: PANEL });
  assertUnavailable(seenFromPanel);
  assert.equal(seenFromPanel.headers.get('access-control-allow-origin'), PANEL);
  for (const { status } of await many(() => session(cookie))) assert.equal(status, 503);
  for (const { status } of await many(logIn)) assert.equal(status, 503);

  await door.open();
  await waitUntil('it is back', async () => (await fetch(`${url}/readyz`)).status === 200);
  // Also for a login that was not verified before the outage, with its whole allowance.
  const back = await manager2.post('/entregas/consultar');
  assert.equal(back.status, 200, back.text);
  assert.ok(Number(back.headers.get('x-ratelimit-remaining')) >= 790, String(back.headers));
  assert.equal((await operator.get('/resumo')).status, 200);
  assert.equal((await session(cookie)).status, 200);
  assert.equal((await logIn()).status, 200);
  const stranger = await badKey.get('/entregas/1');
  assertFailure(stranger, 401, 0);
  assert.equal(stranger.headers.get('x-ratelimit-remaining'), '119');
});
