import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutNulls } from '../../server/src/api/http/schemaWalk.ts';
import { entryKindCode, roleCode } from '../../server/src/api/json/codes.ts';
import { eventTypes } from '../../server/src/api/json/eventTypes.ts';
import { readStatementEndpoint } from '../../server/src/api/operations/endpoints/readStatement.ts';
import { userEndpoints } from '../../server/src/api/operations/registers/access.ts';
import { basic, type Json } from '../support/client.ts';
import { assertFailure, complainedFields } from '../support/envelope.ts';
import { everyEndpoint, pathWith } from '../support/everyEndpoint.ts';
import { startMalote } from '../support/malote.ts';
import { estimate, order, pickup, scheduledOrder, stop } from '../support/orders.ts';
import { rawHttp } from '../support/rawHttp.ts';

const malote = await startMalote();
const { central, manager, operator, url } = malote;

interface Schema {
  type?: string;
  format?: string;
  enum?: unknown[];
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
}

/** The example with null in every optional field, at every level. */
function withNulls(schema: Schema, example: Json): Json {
  if (Array.isArray(example)) return example.map((item) => withNulls(schema.items ?? {}, item));
  if (typeof example !== 'object' || example === null || !schema.properties) return example;
  const optional = Object.keys(schema.properties).filter((name) => !schema.required?.includes(name));
  const kept = Object.entries(example).map(([name, value]) => [
    name,
    withNulls(schema.properties![name] ?? {}, value),
  ]);
  return { ...Object.fromEntries(kept), ...Object.fromEntries(optional.map((name) => [name, null])) };
}

/** The example without any optional field. */
function withoutOptional(schema: Schema, example: Json): Json {
  if (Array.isArray(example)) return example.map((item) => withoutOptional(schema.items ?? {}, item));
  if (typeof example !== 'object' || example === null || !schema.properties) return example;
  return Object.fromEntries(
    Object.entries(example)
      .filter(([name]) => schema.required?.includes(name))
      .map(([name, value]) => [name, withoutOptional(schema.properties![name] ?? {}, value)]),
  );
}

test('null in the optional fields is read as leaving them out, on every endpoint', () => {
  for (const { endpoint, name } of everyEndpoint.filter((placed) => placed.endpoint.body)) {
    const schema = endpoint.body as Schema;
    const example = endpoint.bodyExample ?? {};
    const read = withoutNulls(endpoint.body!, withNulls(schema, example));
    assert.deepEqual(read, withoutOptional(schema, example), name);
  }
});

test('null in an optional field: a delivery, an estimate, a query, settings', async () => {
  const created = await central.post('/entregas', {
    ...order({ cliente: { nome: 'Rita', cpf: '529.982.247-25', telefone: null } }),
    empresa_id: null,
    categoria_id: 1,
    categoria_nome: null,
    com_retorno: null,
    observacao: null,
    codigo_cupom: null,
  });
  assert.equal(created.status, 200, created.text);
  const quoted = await manager.post(
    '/entregas/empresas/1/estimativas',
    estimate({ latlng_paradas: null, categoria_id: null, categoria_nome: null, com_retorno: null }),
  );
  assert.equal(quoted.status, 200, quoted.text);
  const found = await central.post('/entregas/consultar', {
    pagina: null,
    limite: null,
    status_solicitacao: null,
    tipo_pagamento: null,
    condutor_id: null,
  });
  assert.equal(found.status, 200, found.text);
  const before = (await operator.get('/configuracoes')).body;
  const nulls = Object.fromEntries(Object.keys(before.data).map((field) => [field, null]));
  assert.deepEqual((await operator.put('/configuracoes', nulls)).body, before);
});

test('null in a required field, or as an unknown setting, is still a mistake', async () => {
  assert.deepEqual(complainedFields(await manager.post('/entregas', order({ forma_pagamento: null }))), [
    'forma_pagamento',
  ]);
  assert.deepEqual(complainedFields(await operator.put('/configuracoes', { desconhecido: null })), [
    'desconhecido',
  ]);
});

test('the same Idempotency-Key with null, or with a trailing slash, is the same request', async () => {
  const key = { 'idempotency-key': 'nulo' };
  const first = await manager.post('/entregas', order(), key);
  assert.equal(first.status, 200, first.text);
  assert.equal((await manager.post('/entregas', order({ observacao: null }), key)).text, first.text);
  assert.equal((await manager.post('/entregas/', order(), key)).text, first.text);
});

test('a trailing slash is the same path', async () => {
  for (const { base, endpoint, name } of everyEndpoint.filter(({ endpoint: each }) => !each.isLive)) {
    // Callers without a login have a limit of their own.
    malote.clock.advance({ seconds: 61 });
    const send = (slash: string, method: string) =>
      fetch(`${url}${base}${pathWith(endpoint.path, () => 1)}${slash}`, { method });
    assert.equal((await send('/', endpoint.method)).status, (await send('', endpoint.method)).status, name);
    const wrong = await send('/?x=/', 'PATCH');
    assert.equal(wrong.status, 405, name);
    assert.equal(wrong.headers.get('allow'), (await send('', 'PATCH')).headers.get('allow'), name);
  }
  assert.equal((await central.get('/entregas/programadas/?limite=1')).status, 200);
  assertFailure(await central.get('/nada/'), 404, 0);
  for (const page of ['/console', '/console/entregas', '/docs/', '/openapi.json', '/readyz'])
    for (const path of [page, `${page.replace(/\/$/, '')}/`])
      assert.equal((await fetch(url + path)).status, 200, path);
});

test('two slashes in a row are no path, and not an empty id', async () => {
  for (const path of ['/entregas/programadas//', '/entregas//status', '/entregas//'])
    assert.equal((await central.get(path)).body.errors?.[0].message, 'rota não encontrada', path);
  const grouping = await central.post('/entregas/programadas//agrupar', { programadas_agrupadas: [1] });
  assertFailure(grouping, 404, 0);
  assert.equal(grouping.headers.get('x-error-kind'), 'route-not-found');
});

test('required texts of spaces alone are refused as empty ones', async () => {
  const blank = ' \t\u00a0\n';
  const cases: [answer: Promise<Json>, fields: string[]][] = [
    [
      manager.post('/entregas', order({ partida: { ...pickup, endereco: blank, bairro: blank } })),
      ['partida.bairro', 'partida.endereco'],
    ],
    [
      manager.post(
        '/entregas',
        order({ paradas: [{ ...stop(), endereco_parada: blank, bairro_parada: blank }] }),
      ),
      ['paradas[0].bairro_parada', 'paradas[0].endereco_parada'],
    ],
    [manager.post('/entregas/programadas', scheduledOrder({ categoria_nome: blank })), ['categoria_nome']],
    [central.post('/entregas', order({ cliente: { nome: blank, cpf: '529.982.247-25' } })), ['cliente.nome']],
    [
      manager.post(
        '/entregas/empresas/1/estimativas',
        estimate({ endereco_partida: blank, estado_desejado: ' ' }),
      ),
      ['endereco_partida', 'estado_desejado'],
    ],
    [operator.post('/chaves', { descricao: blank }), ['descricao']],
    [operator.post('/motivos-cancelamento', { nome: blank }), ['nome']],
  ];
  for (const [sent, fields] of cases) {
    const answer = await sent;
    assert.deepEqual(complainedFields(answer), fields);
    for (const { message } of answer.body.errors) assert.match(message, /: não pode ser vazio$/);
  }
});

/** Sent without `fetch`, which sets its own Sec-Fetch-Mode. */
async function challengeOf(path: string, headers: Record<string, string>): Promise<string | undefined> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const sent = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${lines.join('')}\r\n`;
  const { answers } = await rawHttp(url, sent);
  assert.equal(answers[0]!.status, 401, path);
  return answers[0]!.headers['www-authenticate'];
}

test('a 401 asks for Basic, except from pages in a browser', async () => {
  const status = '/api/v2/integracao/entregas/1/status';
  const wrong = { 'api-key': 'demo-chave', authorization: basic('central', 'errada') };
  malote.clock.advance({ seconds: 61 });
  const asks = 'Basic realm="Malote", charset="UTF-8"';
  assert.equal(await challengeOf(status, {}), asks);
  assert.equal(await challengeOf(status, wrong), asks);
  assert.equal(await challengeOf(status, { ...wrong, 'api-key': 'nenhuma' }), asks);
  assert.equal(await challengeOf('/api/v2/operacao/empresas', {}), asks);
  assert.equal(await challengeOf(status, { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }), asks);
  const session = `malote_sessao=${'x'.repeat(43)}`;
  for (const headers of [
    { 'x-malote-console': '1' },
    { cookie: session },
    { cookie: 'outro=1; malote_sessao=' },
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' },
  ] as Record<string, string>[])
    assert.equal(await challengeOf(status, headers), undefined, JSON.stringify(headers));
  assert.equal(await challengeOf('/console/sessao', { cookie: session }), undefined);
});

test('lat and lng have a decimal point, on every interface', async () => {
  await operator.post('/areas-atuacao', {
    nome: 'Em volta de zero',
    geometria: {
      type: 'Polygon',
      coordinates: [
        [
          [-60, -40],
          [10, -40],
          [10, 10],
          [-60, 10],
          [-60, -40],
        ],
      ],
    },
  });
  const created = await manager.post(
    '/entregas',
    order({
      partida: { ...pickup, lat: '-30', lng: '-51' },
      paradas: [
        { ...stop(), lat_parada: '-30', lng_parada: '-51.20' },
        { ...stop(), lat_parada: '-30.00005', lng_parada: '-51' },
      ],
      com_retorno: true,
    }),
  );
  assert.equal(created.status, 200, created.text);
  const id = created.body.data.id_mch;
  const delivery = (await manager.get(`/entregas/${id}`)).body.data;
  const pair = ({ lat, lng }: Json) => [lat, lng];
  assert.deepEqual(pair(delivery.partida), ['-30.0', '-51.0']);
  assert.deepEqual(pair(delivery.desejado), ['-30.0', '-51.0']);
  assert.deepEqual(delivery.paradas.map(pair), [
    ['-30.0', '-51.2'],
    ['-30.00005', '-51.0'],
  ]);
  const scheduled = await manager.post(
    '/entregas/programadas',
    scheduledOrder({
      data: '17/11/2026',
      partida: { ...pickup, lat: '0', lng: '-51' },
      paradas: [{ ...stop(), lat_parada: '-0.00001', lng_parada: '0.0' }],
    }),
  );
  assert.equal(scheduled.status, 200, scheduled.text);
  const kept = (await manager.get(`/entregas/programadas/${scheduled.body.data.id_mch}`)).body.data;
  assert.deepEqual(pair(kept.coleta), ['0.0', '-51.0']);
  assert.deepEqual(kept.paradas.map(pair), [['-0.00001', '0.0']]);

  await operator.post(`/entregas/${id}/aceitar`, { condutor_id: 1 });
  await operator.post('/condutores/1/posicao', { lat: -30, lng: -51 });
  const position = (await manager.get(`/entregas/${id}/condutor/posicao`)).body.data;
  assert.deepEqual(position, { lat_condutor: '-30.0', lng_condutor: '-51.0' });
});

const enumOf = (schema: Json): string[] => schema.enum ?? schema.anyOf.flatMap(enumOf);

test('an entry of a wallet and a role have one name, in every interface', async () => {
  const kinds = Object.values(entryKindCode).sort();
  const statement = (readStatementEndpoint.answer as Json).properties.data.properties.lancamentos.items;
  assert.deepEqual(enumOf(statement.properties.tipo).toSorted(), kinds);
  assert.deepEqual(enumOf((eventTypes['wallet.entry'].data as Json).properties.tipo).toSorted(), kinds);

  const roles: string[] = Object.values(roleCode);
  const user = userEndpoints.find(({ method }) => method === 'POST')!.body as Json;
  assert.deepEqual(enumOf(user.properties.perfil), roles);
  for (const [usuario, perfil] of [
    ['central', 'operador'],
    ['gerente', 'gerente'],
  ]) {
    const answer = await fetch(`${url}/console/sessao`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-malote-console': '1' },
      body: JSON.stringify({ central: 'Central Demonstração', usuario, senha: 'demo' }),
    });
    const { data } = (await answer.json()) as { data: Json };
    assert.equal(data.perfil, perfil);
    assert.ok(roles.includes(data.perfil));
  }
});
