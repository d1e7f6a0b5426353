import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyBytesMax } from '../../server/src/api/http/endpoint.ts';
import type { Answer, Json } from '../support/client.ts';
import { assertFailure, complainedFields } from '../support/envelope.ts';
import { clientFor, everyEndpoint, pathWith } from '../support/everyEndpoint.ts';
import { startMalote } from '../support/malote.ts';
import { estimate, order } from '../support/orders.ts';
import { rawHttp } from '../support/rawHttp.ts';
import { assertNothingWritten } from '../support/rows.ts';

const malote = await startMalote();
const { central, manager, operator, url, db } = malote;

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;
const ANSWER_LENGTH_MAX = 100 * 400;

const sendText = (path: string, body: string): Promise<Answer> =>
  manager.send(path, { method: 'POST', body, headers: { 'content-type': 'application/json' } });

/** Repeats the unit as often as a body may hold. */
const filled = (bytes: number, open: string, unit: string, close: string): string =>
  open +
  Array(Math.max(1, Math.floor((bytes - open.length - close.length) / (unit.length + 1))))
    .fill(unit)
    .join(',') +
  close;

/** Fields with distinct names. */
const named = (count: number, value: string): string =>
  Array.from({ length: count }, (_, index) => `"${index.toString(36)}":${value}`).join(',');

/** Bodies of at most so many bytes. */
const extremeBodies = (bytes: number): Record<string, string> => ({
  'many NULs under a long name': filled(bytes, `{"${'n'.repeat(9_000)}":[`, '"\\u0000"', ']}'),
  'NULs under long names at every level': `${`{"${'n'.repeat(bytes / 32 - 10)}":`.repeat(30)}["\\u0000"]${'}'.repeat(30)}`,
  'NULs in names': `{${Array.from({ length: bytes / 18 }, (_, index) => `"${index}\\u0000":1`).join(',')}}`,
  'empty objects': filled(bytes, '{"paradas":[', '{}', ']}'),
  'empty lists': filled(bytes, '{"paradas":[', '[]', ']}'),
  'empty texts': filled(bytes, '{"paradas":[', '""', ']}'),
  'short texts, all different': `{"paradas":[${Array.from({ length: bytes / 7 - 20 }, (_, index) => `"${index.toString(36)}"`).join(',')}]}`,
  nulls: filled(bytes, '{"paradas":[', 'null', ']}'),
  numbers: filled(bytes, '{"paradas":[', '1e999', ']}'),
  'one number of many digits': `{"valor":${'9'.repeat(bytes - 20)}}`,
  'many names': `{${named(bytes / 9 - 20, '1')}}`,
  'one name many times': filled(bytes, '{', '"a":1', '}'),
  'one name as long as the body': `{"${'x'.repeat(bytes - 10)}":1}`,
  'one text as long as the body': `{"forma_pagamento":"${'x'.repeat(bytes - 30)}"}`,
  'objects of all shapes': `{"paradas":[${named(bytes / 11 - 20, '1')
    .replaceAll(',', '},{')
    .replace(/^/, '{')}}]}`,
  'nested as deep as it goes': '['.repeat(bytes),
  'nested and closed': `${'{"a":['.repeat(bytes / 8)}${']}'.repeat(bytes / 8)}`,
});

test('a body of whatever extreme shape is refused in short, and the service lives on', async () => {
  const bodies = Object.entries(extremeBodies(64 * KIBIBYTE));
  await assertNothingWritten(db, async () => {
    for (const path of ['/entregas', '/entregas/consultar', '/entregas/1/cancelar', '/entregas/1/agrupar'])
      for (const [what, body] of bodies) {
        const answer = await sendText(path, body);
        // A body without any known field is valid for this endpoint.
        if (path === '/entregas/consultar' && answer.status === 200) continue;
        assert.equal(answer.status, 400, `${what}: ${answer.text.slice(0, 300)}`);
        assertFailure(answer, 400, 2);
        assert.ok(answer.text.length < ANSWER_LENGTH_MAX, `${what}: ${answer.text.length} characters`);
        assert.ok(answer.body.errors.length <= 100, what);
      }
    assert.equal((await central.post('/entregas/consultar')).status, 200);
  });
});

test('every route with a body takes as much as it may of anything calmly', async () => {
  for (const placed of everyEndpoint.filter(({ endpoint }) => endpoint.body)) {
    const bodies = extremeBodies(bodyBytesMax(placed.endpoint));
    for (const what of ['many NULs under a long name', 'empty objects', 'empty texts']) {
      const answer = await clientFor(malote, placed).send(
        pathWith(placed.endpoint.path, () => 999_999),
        {
          method: placed.endpoint.method,
          body: bodies[what]!,
          headers: { 'content-type': 'application/json' },
        },
      );
      assert.notEqual(answer.status, 413, placed.name);
      assert.ok(answer.status < 500, `${placed.name}: ${answer.text.slice(0, 300)}`);
      assert.ok(answer.text.length < ANSWER_LENGTH_MAX, `${placed.name}: ${answer.text.length} characters`);
    }
  }
});

for (const [what, accepted, item] of [
  ['texts', 18_746, '""'],
  ['numbers', 224_952, '1'],
  ['empty lists', 74_984, '[]'],
  ['objects', 4_686, '{"a":1}'],
  ['things of all kinds', 3_514, '"",{"a":1},[],1'],
] as const)
  test(`a body with too many ${what} is refused before it is parsed, and names the field`, async () => {
    const send = (count: number) =>
      operator.send('/areas-atuacao/importar', {
        method: 'POST',
        body: `{"paradas":[${Array(count).fill(item).join(',')}]}`,
        headers: { 'content-type': 'application/json' },
      });
    const tooMany = await send(accepted + 1);
    assertFailure(tooMany, 400, 2);
    assert.deepEqual(
      tooMany.body.errors.map(({ message }: Json) => message),
      ["'paradas': tem itens ou campos demais"],
    );
    // With one fewer it is parsed, and its other mistakes are reported.
    const parsed = await send(accepted);
    assertFailure(parsed, 400, 2);
    assert.doesNotMatch(parsed.text, /itens ou campos demais/);
  });

test('long names are cut in messages', async () => {
  const answer = await operator.put('/configuracoes', { [`longo ${'𝒜'.repeat(5_000)}`]: 1 });
  assertFailure(answer, 400, 2);
  assert.match(answer.body.errors[0].message, /^'longo (𝒜|�)+…': não é um campo conhecido$/u);
  assert.ok(answer.body.errors[0].message.length < 200);
});

test('at most 100 problems are reported', async () => {
  const unknown = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`campo_${index}`, 1]));
  const many = await operator.put('/configuracoes', unknown);
  assertFailure(many, 400, 2);
  assert.equal(many.body.errors.length, 100);
  const texts = await manager.post('/entregas', { ...order(), x: Array(1_000).fill('\0') });
  assertFailure(texts, 400, 2);
  assert.equal(texts.body.errors.length, 100);
});

test('for a list that is too long only its length is reported', async () => {
  const cases: [path: string, field: string, body: Json, message: RegExp][] = [
    ['/webhooks', 'tipos', { url: 'https://example.com', tipos: Array(3_500).fill('entrega.status') }, /./],
    ['/entregas', 'paradas', order({ paradas: Array(19_000).fill({}) }), /^'paradas': deve ter no máximo 10/],
    [
      '/entregas/1/agrupar',
      'solicitacoes_agrupadas',
      { solicitacoes_agrupadas: Array(30_000).fill(1) },
      /1000 itens$/,
    ],
  ];
  for (const [path, field, body, message] of cases) {
    const answer = await manager.post(path, body);
    assertFailure(answer, 400, 2);
    assert.ok(
      answer.body.errors.some((entry: Json) => entry.message.startsWith(`'${field}': `)),
      answer.text,
    );
    assert.match(answer.body.errors[0].message, message);
    assert.ok(answer.body.errors.length <= 100);
  }
});

test('a list that is too long hides no problem of another field', async () => {
  const answer = await manager.post(
    '/entregas',
    order({
      forma_pagamento: 'Z',
      observacao: 'x'.repeat(50_000),
      paradas: Array(11).fill(order().paradas[0]),
    }),
  );
  assert.deepEqual(complainedFields(answer), ['forma_pagamento', 'observacao', 'paradas']);
});

test('latlng_paradas as long as the body may be is refused by its form', async () => {
  for (const latlng_paradas of ['|'.repeat(60_000), '-30.03,-51.2|'.repeat(4_600)]) {
    const answer = await manager.post('/entregas/empresas/1/estimativas', estimate({ latlng_paradas }));
    assert.deepEqual(complainedFields(answer), ['latlng_paradas']);
  }
});

/** Long parallel edges; each one's bounding box contains all others. */
const zigzag = (teeth: number): number[][] => {
  const edges = Array.from({ length: teeth }, (_, index) => {
    const edge = [
      [Number((index / teeth).toFixed(4)), 0],
      [Number((index / teeth + 10).toFixed(4)), 10],
    ];
    return index % 2 ? edge.toReversed() : edge;
  }).flat();
  return [...edges, [20, -5], [0, -5], edges[0]!];
};

test('an import of many hard outlines is refused as too complex', async () => {
  const features = Array.from({ length: 24 }, (_, index) => ({
    type: 'Feature',
    properties: { nome: `Área ${index}` },
    geometry: { type: 'Polygon', coordinates: [zigzag(800)] },
  }));
  await assertNothingWritten(db, async () => {
    const answer = await operator.post('/areas-atuacao/importar', { type: 'FeatureCollection', features });
    assertFailure(answer, 422, 0);
    assert.match(answer.body.errors[0].message, /^geometria inválida da área 'Área \d+': .*complexo demais/);
  });
});

test('the areas of a central have an end, all together', async (t) => {
  const circle = (at: number) => {
    const ring = Array.from({ length: 15_000 }, (_, index) => {
      const angle = (2 * Math.PI * index) / 15_000;
      return [10 * Math.cos(angle) + at, 10 * Math.sin(angle)].map((part) => Number(part.toFixed(5)));
    });
    return { type: 'Polygon', coordinates: [[...ring, ring[0]]] };
  };
  const made: number[] = [];
  t.after(async () => {
    for (const id of made) await operator.delete(`/areas-atuacao/${id}`);
  });
  for (let count = 0; count < 12; count += 1) {
    const answer = await operator.post('/areas-atuacao', {
      nome: `Grande ${count}`,
      geometria: circle(count),
    });
    if (answer.status === 200) {
      made.push(Number(answer.body.data.id));
      continue;
    }
    assertFailure(answer, 422, 0);
    assert.match(answer.body.errors[0].message, /grandes demais/);
    break;
  }
  assert.ok(made.length > 2 && made.length < 12, `${made.length} areas`);
});

const session = (body: string, headers: string) =>
  rawHttp(
    url,
    `POST /console/sessao HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Malote-Console: 1\r\nContent-Type: application/json\r\n${headers}\r\n${body}`,
  );

test('the login of the console takes 4 KiB, announced or not', async () => {
  const big = JSON.stringify({ central: 'x', usuario: 'x', senha: 'x'.repeat(4_096) });
  const announced = await session('', `Content-Length: ${MEBIBYTE}\r\n`);
  assertFailure(announced.answers[0]!, 413, 0);
  assert.match(announced.answers[0]!.body.errors[0].message, /4 KiB/);
  const streamed = await session(
    `${big.length.toString(16)}\r\n${big}\r\n`,
    'Transfer-Encoding: chunked\r\n',
  );
  assertFailure(streamed.answers[0]!, 413, 0);
  const body = JSON.stringify({ central: '\0', usuario: '\0', senha: '\0' });
  const small = await session(body, `Content-Length: ${body.length}\r\n`);
  assertFailure(small.answers[0]!, 400, 2);
  assert.equal((await central.post('/entregas/consultar')).status, 200);
});

test('headers and queries as long as they may be are read as others', async () => {
  const long: Record<string, string> = {
    'accept-language': 'en;q=0.1,'.repeat(1_700),
    cookie: `malote_sessao=${'; '.repeat(7_000)}`,
    'idempotency-key': 'k'.repeat(15_000),
    'x-request-id': 'r'.repeat(15_000),
    'content-type': `application/${'+'.repeat(15_000)}`,
    authorization: `Basic ${' '.repeat(15_000)}`,
  };
  for (const [name, value] of Object.entries(long)) {
    const answer = await manager.post('/entregas/1/cancelar', { motivo_id: 1 }, { [name]: value });
    assert.ok(answer.status >= 400 && answer.status < 500, `${name}: ${answer.status}`);
    assert.ok(answer.text.length < ANSWER_LENGTH_MAX);
  }
  for (const query of ['a&'.repeat(7_000), 'limite=1&'.repeat(1_600), `limite=${'9'.repeat(15_000)}`]) {
    const answer = await central.get(`/entregas/programadas?${query}`);
    assert.ok([200, 400].includes(answer.status), answer.text.slice(0, 300));
    assert.ok(answer.status === 200 || answer.text.length < ANSWER_LENGTH_MAX);
  }
});
