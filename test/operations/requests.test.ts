import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { pino } from 'pino';
import { buildApp } from '../../server/src/app.ts';
import { estimatorRouters } from '../../server/src/geo/routing/routers.ts';
import { openDatabase } from '../../server/src/platform/postgres/database.ts';
import { type Answer, type Client, client, type Json } from '../support/client.ts';
import { assertFailure } from '../support/envelope.ts';
import { startMalote } from '../support/malote.ts';
import { order, stop } from '../support/orders.ts';
import { openEventSource } from '../support/rawHttp.ts';
import { assertOk, openDelivery } from '../support/steps.ts';

const lines: string[] = [];
const malote = await startMalote({
  log: new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  }),
});
const { operator, central, manager, manager2, neighbour, url, clock, db, app } = malote;
const MISSING = '/entregas/999999';
// A sample would be there or not.
await malote.configure({ requestsSampledOneIn: 0 });

/** The recorded requests that this login sees. Each call begins a new minute, in which credentials have room again. */
async function recorded(login: Client, query = ''): Promise<Json[]> {
  await app.recorder.write();
  clock.advance({ minutes: 1 });
  return assertOk(await login.get(`/requisicoes?limite=100${query}`)).body.data.requisicoes;
}
const idOf = (answer: Answer): string => answer.headers.get('x-request-id')!;
async function detailOf(login: Client, answer: Answer): Promise<Json> {
  const [found] = await recorded(login, `&request_id=${idOf(answer)}`);
  assert.ok(found, 'the request was recorded');
  return assertOk(await login.get(`/requisicoes/${found.id}`)).body.data;
}
const integration = (token: string): Client => client(`${url}/api/v2/integracao`, { token });
const login = (user: string, password: string, key = 'demo-chave'): Client =>
  client(`${url}/api/v2/integracao`, { key, user, password });
const stored = async (answer: Answer): Promise<string> => {
  const rows = await db<{ text: string }>`
    select coalesce(jsonb_agg(to_jsonb(r)), '[]')::text as text from api_requests r where request_id = ${idOf(answer)}`;
  return rows[0]!.text;
};

test('a refused request is listed with its kind, time, duration and request id', async () => {
  const at = clock.now();
  const answer = await manager.get(`${MISSING}/status`);
  assert.equal(answer.status, 404);
  const [found] = await recorded(manager, `&request_id=${idOf(answer)}`);
  assert.equal(typeof found.duracao_ms, 'number');
  assert.ok(Math.abs(Date.parse(found.data_hora) - at.epochMilliseconds) < 60_000, found.data_hora);
  assert.match(found.data_hora, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.deepEqual(found, {
    id: found.id,
    data_hora: found.data_hora,
    metodo: 'GET',
    caminho: '/api/v2/integracao/entregas/999999/status',
    status: 404,
    tipo: 'delivery-not-found',
    duracao_ms: found.duracao_ms,
    request_id: idOf(answer),
    credencial: 'chave',
    usuario_id: found.usuario_id,
    usuario: 'gerente',
    chave_id: '1',
    chave: found.chave,
    empresa_id: '1',
  });
  assert.match(found.id, /^\d+$/);
  const detail = await detailOf(manager, answer);
  assert.deepEqual(detail, {
    ...found,
    consulta: null,
    corpo: null,
    erros: [{ code: 0, message: answer.body.errors[0].message }],
  });
});

test('nothing personal and no secret of a refused creation is stored or logged', async () => {
  const before = lines.length;
  const secrets = [
    ...['Maria Aparecida', 'Rua Secreta', 'Bairro Oculto', 'Cidade Velada', '51987654321', '52998224725'],
    ...[
      '-10.1234567',
      '-20.7654321',
      '4111111111111111',
      'CUPOM-SECRETO',
      'senha-secreta',
      'fundos',
      'EXT-99',
    ],
  ];
  const [name, street, district, city, phone, cpf, lat, lng, card, coupon, password, note, number] = secrets;
  const body = order({
    cliente: { nome: name, cpf, telefone: phone },
    partida: { endereco: street, bairro: district, cidade: city, estado: 'RS', lat, lng },
    paradas: [
      {
        ...stop(),
        ...{ endereco_parada: street, bairro_parada: district, nome_cliente_parada: name, lat_parada: lat },
        ...{ lng_parada: lng, telefone_cliente_parada: phone, numero_pedido: number },
        observacao_parada: note,
      },
    ],
    observacao: card,
    codigo_cupom: coupon,
    senha: password,
    [`${name}`]: street,
  });
  const query = `?nome=${encodeURIComponent(name!)}&cpf=${cpf}`;
  const withoutCoupon = { ...body, codigo_cupom: undefined };
  const refused = [
    await central.post(`/entregas${query}`, withoutCoupon),
    await central.post('/entregas', body),
    await central.post('/entregas', { ...body, forma_pagamento: name, data: phone }),
    await central.post('/entregas', body, { prefer: 'handling=strict' }),
    await central.put(`/entregas/${encodeURIComponent(name!)}`, body),
    await central.put(`/entregas/${cpf}`, body),
    await central.send('/entregas', {
      method: 'POST',
      body: `{"nome": "${name}"`,
      headers: { 'content-type': 'application/json' },
    }),
    await central.get(`/entregas/empresas/creditos/saldo?tipo_identificacao=F&identificacao=${cpf}`),
    await operator.post('/usuarios', { usuario: name, senha: password, perfil: 'operador' }),
  ];
  await app.recorder.write();
  for (const answer of refused) {
    assert.ok(answer.status >= 400, answer.text);
    const row = await stored(answer);
    assert.notEqual(row, '[]');
    for (const secret of secrets) assert.ok(!row.includes(secret), `${secret} in ${row}`);
  }
  const logged = lines.slice(before).join('');
  for (const secret of secrets) assert.ok(!logged.includes(secret), secret);
  assert.ok(!logged.includes('texto('), 'bodies are not logged, masked neither');
  const detail = await detailOf(operator, refused[0]!);
  assert.equal(detail.tipo, 'outside-operating-areas');
  assert.deepEqual(detail.corpo.partida, {
    ...{ endereco: 'texto(11)', bairro: 'texto(13)', cidade: 'texto(13)', estado: 'texto(2)' },
    ...{ lat: 'texto(11)', lng: 'texto(11)' },
  });
  assert.equal(detail.corpo.forma_pagamento, 'D');
  assert.equal(detail.erros.length, 1);
  const strict = await detailOf(operator, refused[3]!);
  assert.equal(strict.erros.length, refused[3]!.body.errors.length);
});

test('errors are kept in the language in which they were answered', async () => {
  const english = await manager.get('/entregas/0/status', { 'accept-language': 'en' });
  const { erros } = await detailOf(manager, english);
  assert.deepEqual(erros, [{ code: 2, message: "'id': must be a positive integer" }]);
});

test('of the others a share is recorded: all, none, or none at all when nothing is kept', async (t) => {
  const { id } = await openDelivery(malote);
  const ask = () => manager.get(`/entregas/${id}/status`);
  await malote.configureFor(t, { requestsSampledOneIn: 1 });
  const answer = assertOk(await ask());
  const detail = await detailOf(manager, answer);
  assert.deepEqual([detail.status, detail.tipo, detail.erros], [200, null, []]);
  await malote.configure({ requestsSampledOneIn: 0 });
  const unseen = assertOk(await ask());
  const refused = await manager.get(`${MISSING}/status`);
  await app.recorder.write();
  assert.equal(await stored(unseen), '[]');
  assert.notEqual(await stored(refused), '[]');
  await malote.configure({ requestsSampledOneIn: 1, requestsKeptDays: 0 });
  const [off, refusedOff] = [await ask(), await manager.get(`${MISSING}/status`)];
  await app.recorder.write();
  assert.deepEqual([await stored(off), await stored(refusedOff)], ['[]', '[]']);
});

test('of refused requests a credential has so many recorded that it does not fill the log', async () => {
  const { id } = await openDelivery(malote);
  for (let round = 0; round < 20; round += 1)
    await Promise.all(Array.from({ length: 50 }, () => manager2.get(`/entregas/${id}/status`)));
  await app.recorder.write();
  const [count] = await db<{ refused: number }>`
    select count(*) as refused from api_requests r join users u on u.central_id = r.central_id and u.id = r.user_id
    where u.username = 'gerente2' and status = 404`;
  assert.equal(count!.refused, 30);
  const { nao_registradas: dropped } = assertOk(await operator.get('/requisicoes')).body.data;
  assert.ok(dropped >= 970, `${dropped}`);
});

test('a wrong password under a known key is stored under the key, without the login; an unknown key nowhere', async () => {
  const wrong = await login('segredo-digitado', 'senha-errada').get('/entregas/1/status');
  assert.equal(wrong.status, 401);
  const unknown = await login('central', 'demo', 'chave-que-nao-existe').get('/entregas/1/status');
  assert.equal(unknown.status, 401);
  const [found] = await recorded(operator, `&request_id=${idOf(wrong)}`);
  assert.deepEqual(
    [found.tipo, found.usuario_id, found.usuario, found.chave_id, found.credencial],
    ['bad-credentials', null, null, '1', 'chave'],
  );
  assert.doesNotMatch(await stored(wrong), /segredo-digitado|senha-errada|demo-chave/);
  assert.equal(await stored(unknown), '[]');
  assert.deepEqual(await recorded(manager, `&request_id=${idOf(wrong)}`), []);
  const byKey = await recorded(operator, '&chave_id=1&tipo=bad-credentials');
  assert.ok(byKey.some((each) => each.request_id === idOf(wrong)));
});

test('a login sees its own requests; who keeps keys sees all of the central; for others they do not exist', async () => {
  const answer = await manager.get(`${MISSING}/status`);
  const [own] = await recorded(manager, `&request_id=${idOf(answer)}`);
  assert.ok(assertOk(await central.get(`/requisicoes/${own.id}`)).body.data.erros.length > 0);
  assertOk(await operator.get(`/requisicoes/${own.id}`));
  const missing = await manager2.get('/requisicoes/999999999');
  for (const other of [manager2, neighbour, malote.driver(1), login('gerente2', 'demo')]) {
    const answer = await other.get(`/requisicoes/${own.id}`);
    assertFailure(answer, 404, 0);
    assert.equal(answer.body.errors[0].message, missing.body.errors[0].message);
    assert.deepEqual(await recorded(other, `&request_id=${own.request_id}`), []);
    assert.deepEqual(await recorded(other, `&usuario_id=${own.usuario_id}`), []);
  }
  assert.ok((await recorded(manager)).every(({ usuario }) => usuario === 'gerente'));
  const seen = assertOk(await manager.get('/requisicoes')).body.data;
  assert.equal(seen.nao_registradas, null);
  assert.ok(new Set((await recorded(operator)).map(({ usuario }) => usuario)).size > 1);
});

test('a request to the sandbox names the login and the key, which the real side keeps', async () => {
  const made = assertOk(await operator.post('/ambiente-de-teste/chaves', { descricao: 'Loja de teste' })).body
    .data;
  const ofBox = login('central', 'demo', made.chave);
  await ofBox.get(MISSING);
  const box = client(`${url}/api/v2/operacao`, { key: made.chave, user: 'central', password: 'demo' });
  const [request] = await recorded(box, '&tipo=delivery-not-found');
  assert.deepEqual([request.usuario, request.chave], ['central', 'Loja de teste']);
  assert.deepEqual(await recorded(operator, `&request_id=${request.request_id}`), []);
});

test('a program sees its own requests, whatever scopes it has', async () => {
  const body = { descricao: 'Só recarga', permissoes: ['top-up'] };
  const { token, id } = assertOk(await operator.post('/programas', body)).body.data;
  const program = integration(token);
  const answer = await program.get('/entregas/1/status');
  assert.equal(answer.headers.get('x-error-kind'), 'scope-missing');
  const [own, ...more] = await recorded(program);
  assert.deepEqual(more, []);
  assert.deepEqual(
    [own.request_id, own.credencial, own.usuario_id, own.usuario, own.chave_id],
    [idOf(answer), 'programa', id, 'Só recarga', null],
  );
  assert.equal((await recorded(operator, `&usuario_id=${id}`)).length, 1);
  const detail = await detailOf(program, answer);
  assert.match(detail.erros[0].message, /watch/);
});

test('filters and pages: each request once, newest first', async () => {
  const body = { descricao: 'Páginas', permissoes: ['watch', 'order'] };
  const program = integration(assertOk(await operator.post('/programas', body)).body.data.token);
  for (let index = 0; index < 12; index += 1) {
    await program.get(`/entregas/${index % 2 ? 'x' : 999_999}/status`);
    clock.advance({ seconds: 10 });
  }
  await program.post('/entregas/0/cancelar', { motivo_id: 1 });
  const all = await recorded(program);
  assert.equal(all.length, 13);
  const times = all.map(({ data_hora }) => Date.parse(data_hora));
  assert.deepEqual(
    times,
    times.toSorted((a, b) => b - a),
  );
  const seen: string[] = [];
  for (let cursor = ''; ; ) {
    const page = assertOk(await program.get(`/requisicoes?limite=5${cursor}`)).body.data;
    seen.push(...page.requisicoes.map(({ id }: Json) => id));
    if (page.proximo === null) break;
    assert.equal(page.requisicoes.length, 5);
    cursor = `&cursor=${page.proximo}`;
  }
  assert.deepEqual(
    seen,
    all.map(({ id }) => id),
  );
  const count = async (query: string) => (await recorded(program, query)).length;
  assert.equal(await count('&tipo=delivery-not-found'), 6);
  assert.equal(await count('&status=4xx'), 13);
  assert.equal(await count('&status=5xx'), 0);
  assert.equal(await count('&status=recusadas'), 13);
  assert.equal(await count('&status=2xx'), 0);
  assert.equal(await count('&metodo=POST'), 1);
  assert.equal(await count('&caminho=/cancelar'), 1);
  assert.equal(await count('&caminho=%25'), 0);
  const [newest, oldest] = [all[1].data_hora, all.at(-1).data_hora];
  assert.equal(await count(`&de=${newest}`), 2);
  assert.equal(await count(`&de=${oldest}&ate=${newest}`), 11);
  const days = (query: string) => recorded(operator, `${query}&metodo=POST&caminho=/cancelar`);
  assert.ok((await days('&de=2026-11-16&ate=2026-11-16')).length > 0);
  assert.deepEqual(await days('&ate=2026-11-15'), []);
  for (const [query, field] of [
    ['cursor=abc', 'cursor'],
    ['limite=101', 'limite'],
    ['status=6xx', 'status'],
    ['de=ontem', 'de'],
    [`de=${newest}&ate=${oldest}`, 'ate'],
    ['usuario_id=0', 'usuario_id'],
  ]) {
    const answer = await program.get(`/requisicoes?${query}`);
    assertFailure(answer, 400, 2);
    assert.match(answer.body.errors[0].message, new RegExp(`^'${field}': `));
  }
});

test('streams, pages and strangers are not recorded, and of a token request only that it was made', async (t) => {
  await malote.configureFor(t, { requestsSampledOneIn: 1 });
  const { token, id } = assertOk(
    await operator.post('/programas', { descricao: 'OAuth', permissoes: ['watch'] }),
  ).body.data;
  const before = await recorded(operator);
  const stream = await openEventSource(t, `${url}/api/v2/operacao/eventos`, {
    authorization: `Bearer ${token}`,
  });
  stream.close();
  for (const path of ['/console', '/docs/erros', '/metrics', '/rastreio/nada', '/api/v2/integracao/nada'])
    await fetch(url + path);
  const form = { grant_type: 'client_credentials', client_id: id, client_secret: token };
  const asked = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: String(new URLSearchParams(form)),
  });
  assert.equal(asked.status, 200);
  const refused = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: String(new URLSearchParams({ ...form, scope: 'drive' })),
  });
  assert.equal(refused.status, 400);
  const known = new Set(before.map((each) => each.id));
  const fresh = (await recorded(operator)).filter((each) => !known.has(each.id));
  const others = fresh.filter(({ caminho }) => caminho !== '/api/v2/operacao/requisicoes');
  assert.deepEqual(others.map(({ metodo, caminho, status }) => `${metodo} ${caminho} ${status}`).sort(), [
    'POST /oauth/token 200',
    'POST /oauth/token 400',
  ]);
  for (const { id } of others) {
    const detail = assertOk(await operator.get(`/requisicoes/${id}`));
    assert.equal(detail.body.data.corpo, 'não registrado');
    assert.equal(detail.body.data.consulta, null);
    assert.ok(!detail.text.includes(token));
  }
});

test('what is noted is written when the service stops', async () => {
  const own = openDatabase({ connection: malote.connection, poolSize: 4, onError: () => undefined });
  const second = await buildApp({
    db: own,
    clock,
    log: pino({ level: 'silent' }),
    routers: estimatorRouters,
  });
  const address = await second.server.listen({ port: 0, host: '127.0.0.1' });
  const there = client(`${address}/api/v2/integracao`, {
    key: 'demo-chave',
    user: 'gerente',
    password: 'demo',
  });
  const answer = await there.get(`${MISSING}/status`);
  await second.close();
  await own.close();
  assert.notEqual(await stored(answer), '[]');
});

test('a body of another type, a large one and one that is no JSON are described by their size', async () => {
  const large = order({ observacao: 'x'.repeat(30_000) });
  const [big, list] = [await manager.post('/entregas', large), await manager.post('/entregas', [1, 2, 3])];
  assert.match((await detailOf(manager, big)).corpo, /^corpo\(\d+ bytes\)$/);
  assert.equal((await detailOf(manager, list)).corpo, 'lista(3)');
  const broken = await manager.send('/entregas', {
    method: 'POST',
    body: '{"nome":',
    headers: { 'content-type': 'application/json' },
  });
  assert.equal((await detailOf(manager, broken)).corpo, 'ilegível(8 bytes)');
});

test('a request id of the caller is found, and no more than the metrics say was recorded', async () => {
  const id = `erp-${randomUUID()}`;
  await manager.get(`${MISSING}/status`, { 'x-request-id': id });
  assert.equal((await recorded(manager, `&request_id=${id}`)).length, 1);
  const metrics = await app.metrics.registry.metrics();
  const [row] = await db<{
    count: number;
  }>`select count(*) as count from api_requests where request_id <> ''`;
  assert.ok(row!.count >= app.recorder.figures().written);
  assert.match(metrics, /malote_requests_recorded \d+/);
  assert.match(metrics, /malote_requests_not_recorded \d+/);
});
