import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newSecret } from '../../server/src/centrals/program.ts';
import { tidyUp } from '../../server/src/dispatch/rounds/tidyUp.ts';
import { type Client, client, type Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { assertOk, assertRefused } from '../support/steps.ts';

const malote = await startMalote();
const { operator, url, clock, db } = malote;

const integration = (token: string): Client => client(`${url}/api/v2/integracao`, { token });
const consult = async (token: string) => (await integration(token).post('/entregas/consultar', {})).status;

let count = 0;
async function newProgram(fields: Record<string, unknown> = {}): Promise<Json> {
  count += 1;
  const body = { descricao: `Programa ${count}`, permissoes: ['watch', 'order'], ...fields };
  return assertOk(await operator.post('/programas', body)).body.data;
}

const GRANT = { grant_type: 'client_credentials' };
async function ask(
  form: Record<string, string> | string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Json; headers: Headers }> {
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: String(new URLSearchParams(form)),
  });
  const body = JSON.parse(await response.text());
  return { status: response.status, body, headers: response.headers };
}
const byBasic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${encodeURIComponent(secret)}`).toString('base64')}`,
});

test('a program gets an access token by Basic or in the form, for an hour', async () => {
  const { id, token } = await newProgram();
  for (const answer of [
    await ask(GRANT, byBasic(id, token)),
    await ask({ ...GRANT, client_id: id, client_secret: token }),
  ]) {
    const { access_token: access, ...rest } = answer.body;
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 3600, scope: 'watch order' });
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal(await consult(access), 200);
    const [row] = await db<{
      text: string;
    }>`select jsonb_agg(to_jsonb(s))::text as text from program_secrets s`;
    assert.ok(!row!.text.includes(access));
  }
  const { body } = await ask(GRANT, byBasic(id, token));
  clock.advance({ minutes: 59 });
  assert.equal(await consult(body.access_token), 200);
  clock.advance({ minutes: 1 });
  assert.equal(await consult(body.access_token), 401);
  await tidyUp({ db, clock });
  const [left] = await db<{ count: number }>`select count(*) from program_secrets where kind = 'access'`;
  assert.equal(left!.count, 0);
});

test('scopes may be fewer than given, and never more', async () => {
  const { id, token } = await newProgram();
  const { body } = await ask({ ...GRANT, scope: 'watch' }, byBasic(id, token));
  assert.equal(body.scope, 'watch');
  assertRefused(await integration(body.access_token).post('/entregas', order()), 403, /permissão order/);
  for (const scope of ['watch dispatch', 'users', 'nothing']) {
    const refused = await ask({ ...GRANT, scope }, byBasic(id, token));
    assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_scope']);
  }
});

test('errors have the form of the standard', async () => {
  const { id, token } = await newProgram();
  const other = await newProgram();
  const expectError = async (answer: ReturnType<typeof ask>, status: number, error: string) => {
    const { status: got, body, headers } = await answer;
    assert.deepEqual([got, body.error], [status, error], JSON.stringify(body));
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('pragma'), 'no-cache');
    if (status === 401) assert.match(headers.get('www-authenticate')!, /^Basic /);
  };
  await expectError(ask(GRANT, byBasic(id, newSecret(1))), 401, 'invalid_client');
  await expectError(ask(GRANT, byBasic(other.id, token)), 401, 'invalid_client');
  await expectError(ask(GRANT, byBasic('', token)), 401, 'invalid_client');
  await expectError(ask(GRANT), 401, 'invalid_client');
  await expectError(ask(GRANT, { authorization: `Bearer ${token}` }), 401, 'invalid_client');
  await expectError(ask({ grant_type: 'password' }, byBasic(id, token)), 400, 'unsupported_grant_type');
  await expectError(ask({}, byBasic(id, token)), 400, 'invalid_request');
  await expectError(
    ask('grant_type=client_credentials&grant_type=x', byBasic(id, token)),
    400,
    'invalid_request',
  );
  await expectError(ask({ ...GRANT, client_secret: token }, byBasic(id, token)), 400, 'invalid_request');
  await expectError(
    ask(GRANT, { ...byBasic(id, token), 'content-type': 'application/json' }),
    400,
    'invalid_request',
  );
  const { access_token: access } = (await ask(GRANT, byBasic(id, token))).body;
  await expectError(ask(GRANT, byBasic(id, access)), 401, 'invalid_client');
});

test('revoking or replacing the credential ends its access tokens at once', async () => {
  const { id, token } = await newProgram();
  const first = (await ask(GRANT, byBasic(id, token))).body.access_token;
  assert.equal(await consult(first), 200);
  const rotated = assertOk(await operator.post(`/programas/${id}/token`, { sobreposicao_horas: 0 })).body
    .data;
  assert.equal(await consult(first), 401);
  const second = (await ask(GRANT, byBasic(id, rotated.token))).body.access_token;
  assert.equal(await consult(second), 200);
  assertOk(await operator.delete(`/programas/${id}`));
  assert.equal(await consult(second), 401);
});

test('an access token lasts no longer than its program', async () => {
  const { id, token } = await newProgram({ validade_dias: 1 });
  clock.advance({ hours: 23, minutes: 30 });
  assert.equal((await ask(GRANT, byBasic(id, token))).body.expires_in, 1800);
});

test('access tokens are limited for each program, and wrong secrets for each network', async () => {
  const { id, token } = await newProgram();
  let status = 200;
  for (let index = 0; index < 31 && status === 200; index += 1)
    status = (await ask(GRANT, byBasic(id, token))).status;
  assert.equal(status, 429);
  const other = await newProgram();
  assert.equal((await ask(GRANT, byBasic(other.id, other.token))).status, 200);
  let guessed = 401;
  for (let index = 0; index < 130 && guessed === 401; index += 1)
    guessed = (await ask(GRANT, byBasic(id, newSecret(1)))).status;
  assert.equal(guessed, 429);
});

test('programs find the address by RFC 8414', async () => {
  const body = (await (await fetch(`${url}/.well-known/oauth-authorization-server`)).json()) as Json;
  assert.equal(body.token_endpoint, `${url}/oauth/token`);
  assert.deepEqual(body.grant_types_supported, ['client_credentials']);
  assert.ok(body.scopes_supported.includes('watch') && !body.scopes_supported.includes('users'));
});
