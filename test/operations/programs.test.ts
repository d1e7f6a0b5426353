import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { INTEGRATION_BASE } from '../../server/src/api/integration/endpoints.ts';
import { COMPANY_SCOPES, SCOPE_LABELS } from '../../server/src/api/json/labels.ts';
import { buildApp } from '../../server/src/app.ts';
import { newSecret, possibleScopes } from '../../server/src/centrals/program.ts';
import { estimatorRouters } from '../../server/src/geo/routing/routers.ts';
import { belongings } from '../support/belongings.ts';
import { type Client, client, type Json } from '../support/client.ts';
import { everyEndpoint, type PlacedEndpoint, pathWith, queryOf } from '../support/everyEndpoint.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { openEventSource } from '../support/rawHttp.ts';
import { assertOk, assertRefused, newDriver, openDelivery } from '../support/steps.ts';
import { waitUntil } from '../support/waitUntil.ts';

const lines: string[] = [];
const malote = await startMalote({
  allowPrivateWebhooks: true,
  log: new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  }),
});
const { operator, url, clock, db } = malote;
const mine = belongings(malote);

const integration = (token: string, at = url): Client => client(`${at}/api/v2/integracao`, { token });
const operation = (token: string, at = url): Client => client(`${at}/api/v2/operacao`, { token });

let count = 0;
async function newProgram(fields: Record<string, unknown> = {}): Promise<Json> {
  count += 1;
  const body = { descricao: `Programa ${count}`, permissoes: ['watch', 'order'], ...fields };
  return assertOk(await operator.post('/programas', body)).body.data;
}

/** A second process on the same database. */
async function anotherProcess(t: TestContext): Promise<string> {
  const app = await buildApp({ db, clock, log: pino({ level: 'silent' }), routers: estimatorRouters });
  t.after(() => app.close());
  return app.server.listen({ port: 0, host: '127.0.0.1' });
}

test('a token is shown once, works at once, and is stored only as a digest', async () => {
  const { token, ...shown } = await newProgram({ descricao: 'Loja virtual', validade_dias: 30 });
  assert.match(token, /^malote_1_[\w-]{49}$/);
  assert.deepEqual(shown, {
    id: shown.id,
    descricao: 'Loja virtual',
    empresa_id: null,
    permissoes: ['watch', 'order'],
    criado_em: '2026-11-16T15:00:00Z',
    criado_por: 'central',
    expira_em: '2026-12-16T15:00:00Z',
    revogado_em: null,
    token_anterior_ate: null,
    ultimo_uso_em: null,
    enderecos: [],
  });
  assertOk(await integration(token).post('/entregas/consultar', {}));
  const read = assertOk(await operator.get(`/programas/${shown.id}`));
  for (const { text } of [read, await operator.get('/programas'), await operator.get('/auditoria')])
    assert.ok(!text.includes(token));
  const [row] = await db<{ text: string }>`
    select (select jsonb_agg(to_jsonb(s)) from program_secrets s)::text ||
      (select jsonb_agg(to_jsonb(u)) from users u)::text as text`;
  assert.ok(!row!.text.includes(token));
  assert.ok(!lines.join('').includes(token));
});

test('a repeated creation is the same program, and its token was not kept for the answer', async () => {
  const headers = { 'idempotency-key': 'one-program' };
  const body = { descricao: 'Um só', permissoes: ['watch'] };
  const first = assertOk(await operator.post('/programas', body, headers)).body.data;
  const second = assertOk(await operator.post('/programas', body, headers)).body.data;
  assert.deepEqual(second, { ...first, token: null });
});

test('every endpoint of the integration answers a program as it answers a login', async () => {
  await malote.configure({ managerTopUp: true });
  const all = await newProgram({
    permissoes: everyEndpoint
      .filter(({ base }) => base === INTEGRATION_BASE)
      .map(({ endpoint }) => endpoint.permission)
      .filter((permission) => possibleScopes(null).includes(permission))
      .filter((permission, index, list) => list.indexOf(permission) === index),
  });
  // A program sees its own requests, and a person who keeps keys those of all.
  const isOwn = ({ endpoint }: PlacedEndpoint) => endpoint.path === '/requisicoes/:id';
  for (const { base, endpoint, name } of everyEndpoint.filter(
    (each) => each.base === INTEGRATION_BASE && !isOwn(each) && !each.endpoint.isLive,
  )) {
    const [asPerson, asProgram] = [malote.central, integration(all.token)];
    const ask = async (login: Client) => {
      const ids = endpoint.path.includes(':') ? await mine.idsFor(endpoint.path) : {};
      const body: Json = structuredClone(endpoint.bodyExample);
      if (body?.programadas_agrupadas) body.programadas_agrupadas = [(await mine.scheduled()).id];
      if (body?.solicitacoes_agrupadas) body.solicitacoes_agrupadas = [(await mine.deliveryInProgress()).id];
      return login.send(pathWith(endpoint.path, (each) => ids[each]!) + queryOf(endpoint), {
        method: endpoint.method,
        ...(body !== undefined && {
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
      });
    };
    const [expected, answer] = [await ask(asPerson), await ask(asProgram)];
    assert.equal(
      answer.status,
      expected.status,
      `${base} ${name}: ${answer.text} instead of ${expected.text}`,
    );
    assert.deepEqual(Object.keys(answer.body), Object.keys(expected.body), name);
    assert.equal(answer.headers.get('x-ratelimit-limit'), expected.headers.get('x-ratelimit-limit'), name);
  }
});

test('a status read by a program is the same text as one read by a login', async () => {
  const { token } = await newProgram();
  const { id } = await openDelivery(malote);
  const read = (login: Client) => login.get(`/entregas/${id}/status`);
  assert.equal((await read(integration(token))).text, (await read(malote.central)).text);
});

test('what is wrong with a token is not told: one answer for all', async () => {
  const { token, id } = await newProgram();
  assertOk(await operator.delete(`/programas/${id}`));
  const expiring = await newProgram({ validade_dias: 1 });
  assertOk(await integration(expiring.token).post('/entregas/consultar', {}));
  clock.advance({ hours: 24 });
  const kinds = {
    revoked: token,
    expired: expiring.token,
    unknown: newSecret(1),
    'of a central that does not exist': newSecret(777),
    'with a typing mistake': `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
    malformed: 'abc',
  };
  for (const [kind, each] of Object.entries(kinds))
    for (const answer of [
      await integration(each).get('/entregas/1/status'),
      await operation(each).get('/empresas'),
    ]) {
      assertRefused(
        answer,
        401,
        /^token inválido: ele pode estar incompleto, ter vencido ou ter sido revogado/,
      );
      assert.equal(answer.headers.get('x-error-kind'), 'token-not-valid', kind);
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer realm="Malote", error="invalid_token"');
    }
});

test('guesses are counted like wrong passwords, and a token that was right before goes on working', async () => {
  const { token } = await newProgram();
  assertOk(await integration(token).post('/entregas/consultar', {}));
  const kinds = new Map<string | null, number>();
  for (let guess = 0; guess < 140; guess += 1) {
    const answer = await integration(newSecret(1)).get('/entregas/1/status');
    const kind = answer.headers.get('x-error-kind');
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    if (kind === 'too-many-attempts') assert.ok(answer.headers.get('retry-after'));
    if (kind !== 'token-not-valid') break;
  }
  assert.ok((kinds.get('token-not-valid') ?? 0) <= 120, JSON.stringify([...kinds]));
  assert.ok(kinds.has('too-many-attempts') || kinds.has('rate-limited'), JSON.stringify([...kinds]));
  // Beyond what is remembered of it.
  clock.advance({ seconds: 20 });
  assertOk(await integration(token).post('/entregas/consultar', {}));
  clock.advance({ minutes: 20 });
});

test('without a scope, 403 says which one is missing', async () => {
  const { token } = await newProgram({ permissoes: ['watch'] });
  const answer = await integration(token).post('/entregas', order());
  assertRefused(answer, 403, /não tem a permissão order/);
  assert.equal(answer.headers.get('x-error-kind'), 'scope-missing');
  assert.equal(
    answer.headers.get('www-authenticate'),
    'Bearer realm="Malote", error="insufficient_scope", scope="order"',
  );
});

test('no program reaches what is for people, whatever it is given', async () => {
  for (const scope of ['users', 'keys', 'settings', 'nothing'])
    assert.equal(
      (await operator.post('/programas', { descricao: scope, permissoes: [scope] })).status,
      400,
      scope,
    );
  const company = { descricao: 'Da empresa', empresa_id: 1 };
  assertRefused(
    await operator.post('/programas', { ...company, permissoes: ['dispatch'] }),
    422,
    /de um gerente/,
  );
  const { token } = await newProgram({ permissoes: possibleScopes(null) });
  for (const answer of [
    await operation(token).get('/usuarios'),
    await operation(token).post('/usuarios', { usuario: 'x', senha: 'uma senha boa', perfil: 'supervisor' }),
    await operation(token).get('/chaves'),
    await operation(token).post('/programas', { descricao: 'Mais um', permissoes: ['watch'] }),
    await operation(token).put('/configuracoes', { operadores_so_conduzem_o_dia: true }),
  ])
    assertRefused(answer, 403, /não tem a permissão (users|keys|settings)/);
  assertOk(await operation(token).get('/empresas'));
});

test('whoever may not make keys makes no programs', async () => {
  const body = { descricao: 'Meu', permissoes: ['watch'] };
  for (const login of [
    malote.driver(1),
    client(`${url}/api/v2/operacao`, { key: 'demo-chave', user: 'gerente', password: 'demo' }),
  ]) {
    assertRefused(await login.get('/programas'), 403, /permissão/);
    assertRefused(await login.post('/programas', body), 403, /permissão/);
  }
});

test('a program cannot become a driver by an invitation', async () => {
  const { token } = await newProgram({ permissoes: ['drivers'] });
  assertRefused(await operation(token).post('/condutores/1/convites'), 403, /permissão/);
});

test('a program of a company sees that company only, and no other central', async () => {
  const own = await newProgram({ empresa_id: 1, permissoes: ['watch', 'order'] });
  const other = await newProgram({ empresa_id: 2, permissoes: ['watch', 'order'] });
  const { id } = await openDelivery(malote);
  assertOk(await integration(own.token).get(`/entregas/${id}`));
  const hidden = await integration(other.token).get(`/entregas/${id}`);
  assertRefused(hidden, 404, /./);
  assert.equal(
    hidden.text,
    (await integration(other.token).get('/entregas/999999')).text.replace('999999', String(id)),
  );
  const neighbour = client(`${url}/api/v2/operacao`, {
    key: 'demo-vizinha',
    user: 'vizinha',
    password: 'demo',
  });
  const strange = await neighbour.post('/programas', { descricao: 'Vizinho', permissoes: ['watch'] });
  if (strange.status === 200)
    assertRefused(await integration(strange.body.data.token).get(`/entregas/${id}`), 404, /./);
  assertRefused(await neighbour.get(`/programas/${own.id}`), 404, /./);
  assertRefused(await neighbour.delete(`/programas/${own.id}`), 404, /./);
});

test('events name the program, its requests are repeated safely, and it is no user', async () => {
  const one = await newProgram({ descricao: 'Pedidos' });
  const two = await newProgram({ descricao: 'Pedidos' });
  const headers = { 'idempotency-key': 'the-same' };
  const place = (token: string) => integration(token).post('/entregas', order({ empresa_id: 1 }), headers);
  const first = assertOk(await place(one.token)).body.data.id_mch;
  assert.equal(assertOk(await place(one.token)).body.data.id_mch, first);
  assert.notEqual(assertOk(await place(two.token)).body.data.id_mch, first);
  const history = assertOk(await operator.get(`/entregas/${first}/historico`));
  assert.match(history.text, new RegExp(`Pedidos #${one.id}`));
  const users = assertOk(await operator.get('/usuarios?limite=100')).text;
  assert.ok(!users.includes('Pedidos'));
  assertRefused(await operator.get(`/usuarios/${one.id}`), 404, /./);
  assertRefused(await operator.delete(`/usuarios/${one.id}`), 404, /./);
  const asPerson = client(`${url}/api/v2/integracao`, {
    key: 'demo-chave',
    user: `Pedidos #${one.id}`,
    password: 'demo',
  });
  await db`update users set password_hash = (select password_hash from users where central_id = 1 and username = 'central')
    where central_id = 1 and id = ${Number(one.id)}`;
  assertRefused(await asPerson.post('/entregas/consultar', {}), 401, /usuário/);
});

test('a new token leaves the old one working for as long as wanted', async () => {
  const { id, token } = await newProgram();
  const ask = async (each: string) => (await integration(each).post('/entregas/consultar', {})).status;
  const rotated = assertOk(await operator.post(`/programas/${id}/token`, { sobreposicao_horas: 2 })).body
    .data;
  assert.notEqual(rotated.token, token);
  assert.deepEqual([await ask(token), await ask(rotated.token)], [200, 200]);
  clock.advance({ hours: 1, minutes: 59 });
  assert.equal(await ask(token), 200);
  clock.advance({ minutes: 1 });
  assert.deepEqual([await ask(token), await ask(rotated.token)], [401, 200]);
  const last = assertOk(
    await operator.post(`/programas/${id}/token`, { sobreposicao_horas: 0, validade_dias: 1 }),
  ).body.data;
  assert.deepEqual([await ask(rotated.token), await ask(last.token)], [401, 200]);
  clock.advance({ hours: 24 });
  assert.equal(await ask(last.token), 401);
});

test('a revoked program is out at once in every process, and its live streams end', async (t) => {
  const elsewhere = await anotherProcess(t);
  const { id, token } = await newProgram();
  const other = await newProgram();
  const watch = (each: string, at: string) =>
    openEventSource(t, `${at}/api/v2/operacao/eventos`, { authorization: `Bearer ${each}` });
  const own = [await watch(token, url), await watch(token, elsewhere)];
  const staying = await watch(other.token, elsewhere);
  for (const stream of [...own, staying]) assert.equal(stream.status, 200);
  assertOk(await operator.delete(`/programas/${id}`));
  assert.equal((await integration(token).post('/entregas/consultar', {})).status, 401);
  await waitUntil('the other process has heard of it', async () => {
    const { status } = await integration(token, elsewhere).post('/entregas/consultar', {});
    return status === 401;
  });
  for (const stream of own) await waitUntil('the stream ends', () => stream.isOver());
  assert.equal(staying.isOver(), false);
  assertRefused(await operator.post(`/programas/${id}/token`, {}), 409, /revogado/);
  assertOk(await operator.delete(`/programas/${id}`));
});

test('the last use and its addresses are written together, not with each request', async () => {
  const { id, token } = await newProgram();
  const written = async () => {
    const [row] = await db<{ count: number }>`
      select count(*) from program_uses where central_id = 1 and program_id = ${Number(id)}`;
    return row!.count;
  };
  for (let index = 0; index < 20; index += 1)
    assertOk(await integration(token).post('/entregas/consultar', {}));
  await waitUntil('the use is written', async () => (await written()) === 1);
  const shown = assertOk(await operator.get(`/programas/${id}`)).body.data;
  assert.equal(shown.enderecos.length, 1);
  assert.match(shown.enderecos[0].endereco, /127\.0\.0\.1$/);
  assert.equal(shown.ultimo_uso_em, shown.enderecos[0].em);
});

test('each program has a limit of its own', async (t) => {
  await malote.configureFor(t, { limitDeliveries: 3 });
  const [one, two] = [await newProgram(), await newProgram()];
  const ask = async (token: string) => (await integration(token).get('/entregas/999999/status')).status;
  for (let index = 0; index < 8; index += 1) await ask(one.token);
  assert.equal(await ask(one.token), 429);
  assert.equal(await ask(two.token), 404);
});

test('a program may call for a driver what its scopes allow', async () => {
  const { token } = await newProgram({ permissoes: ['watch', 'dispatch', 'drive'] });
  const { id } = await openDelivery(malote);
  assertOk(await operation(token).post(`/entregas/${id}/aceitar`, { condutor_id: await newDriver(malote) }));
});

test('people read a label for each scope that they may give', () => {
  assert.deepEqual(Object.keys(SCOPE_LABELS), possibleScopes(null));
  assert.deepEqual(COMPANY_SCOPES, possibleScopes(1));
});
