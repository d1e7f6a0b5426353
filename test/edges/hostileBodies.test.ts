import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyValidator } from '../../server/src/api/http/validation.ts';
import type { Answer, Json } from '../support/client.ts';
import { assertFailure, complainedFields } from '../support/envelope.ts';
import { clientFor, everyEndpoint, type PlacedEndpoint, pathWith } from '../support/everyEndpoint.ts';
import { startMalote } from '../support/malote.ts';
import { order, stop } from '../support/orders.ts';
import { assertNothingWritten } from '../support/rows.ts';

const malote = await startMalote();
const { central, manager, db } = malote;

const withBody = everyEndpoint.filter(({ endpoint }) => endpoint.body);

/**
 * One reader reads the bodies of all endpoints, so these stand for the others: a nested body, a list, and one without
 * required fields, for which a body that is misread would do.
 */
const CHOSEN = [
  'POST /entregas (integracao)',
  'POST /entregas/:id/agrupar (integracao)',
  'POST /entregas/:id/paradas/:parada_id/concluir (operacao)',
];

function sendTo(placed: PlacedEndpoint, body: string | Buffer, headers = {}): Promise<Answer> {
  return clientFor(malote, placed).send(
    pathWith(placed.endpoint.path, () => 1),
    {
      method: placed.endpoint.method,
      body: body as string,
      headers: { 'content-type': 'application/json', ...headers },
    },
  );
}

interface Schema {
  type?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

/** Every named field of the example, in objects and first items of lists, with its place and name. */
function fieldsOf(schema: Schema, example: Json, place: string[] = [], name = ''): Field[] {
  const alternatives = [schema, ...(schema.anyOf ?? [])];
  const inner = alternatives.find(({ type }) => type === (Array.isArray(example) ? 'array' : 'object'));
  if (Array.isArray(example))
    return inner?.items && example.length
      ? fieldsOf(inner.items, example[0], [...place, '0'], `${name}[0]`)
      : [];
  if (typeof example !== 'object' || example === null) return [];
  return Object.entries(inner?.properties ?? {})
    .filter(([field]) => field in example)
    .flatMap(([field, property]) => {
      const here = [...place, field];
      const called = name ? `${name}.${field}` : field;
      return [
        {
          place: here,
          name: called,
          schema: property,
          isRequired: inner?.required?.includes(field) ?? false,
        },
        ...fieldsOf(property, example[field], here, called),
      ];
    });
}

interface Field {
  place: string[];
  name: string;
  schema: Schema;
  isRequired: boolean;
}

/** The example with another value, or no value, in one place. */
function changed(example: Json, place: string[], value: unknown): Json {
  const copy = structuredClone(example);
  const last = place.at(-1)!;
  const holder = place.slice(0, -1).reduce((value, step) => value[step], copy);
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return copy;
}

const ODD_VALUES = [{ odd: true }, ['odd'], true, -1.5, 'ímpar ✗', null];

/** Whether a complaint is about the field or about something in it. */
const isAbout = (field: string) => (complaint: string) =>
  complaint === field || complaint.startsWith(`${field}.`) || complaint.startsWith(`${field}[`);

/** Bodies with one value of another type, and the field that is wrong. */
function* oddBodies({ endpoint }: PlacedEndpoint): Generator<[body: Json, field: string]> {
  for (const { place, name: field, schema, isRequired } of fieldsOf(
    endpoint.body as Schema,
    endpoint.bodyExample,
  )) {
    const isFine = bodyValidator(schema as never);
    for (const value of ODD_VALUES) {
      // Null in an optional field counts as absent.
      if (isFine(value).length === 0 || (value === null && !isRequired)) continue;
      yield [changed(endpoint.bodyExample, place, value), field];
    }
  }
}

test('the schema of every endpoint reports the wrong type in any field by its name', () => {
  for (const placed of withBody) {
    const problemsOf = bodyValidator(placed.endpoint.body!);
    for (const [body, field] of oddBodies(placed)) {
      const complaints = problemsOf(body).map((problem) => problem.field);
      assert.ok(complaints.some(isAbout(field)), `${placed.name}: ${field} of ${JSON.stringify(body)}`);
    }
  }
});

const chosen = withBody.filter(({ name }) => CHOSEN.includes(name));
assert.equal(chosen.length, CHOSEN.length);

/** Checks beyond the schema receive fields of any type: each endpoint that has some is tried. */
const checking = withBody.filter(({ endpoint }) => endpoint.furtherProblems);

for (const placed of new Set([...chosen, ...checking]))
  test(`${placed.name}: the wrong type in any field is reported by its name, and changes nothing`, async () => {
    await assertNothingWritten(db, async () => {
      for (const [body, field] of oddBodies(placed)) {
        const answer = await sendTo(placed, JSON.stringify(body));
        assert.ok(complainedFields(answer).some(isAbout(field)), `${field}: ${answer.text}`);
      }
    });
  });

for (const placed of chosen) {
  const { endpoint, name } = placed;
  const fields = fieldsOf(endpoint.body as Schema, endpoint.bodyExample);

  test(`${name}: all missing fields are reported at once`, async () => {
    const required = fields.filter(({ isRequired }) => isRequired);
    await assertNothingWritten(db, async () => {
      for (const { place, name: field } of required) {
        const answer = await sendTo(placed, JSON.stringify(changed(endpoint.bodyExample, place, undefined)));
        assert.deepEqual(complainedFields(answer), [field]);
        assert.match(answer.body.errors[0].message, /é obrigatório$/);
      }
      const top = required.filter(({ place }) => place.length === 1).map(({ name: field }) => field);
      for (const empty of top.length ? ['', '{}'] : []) {
        const complaints = complainedFields(await sendTo(placed, empty));
        for (const field of top) assert.ok(complaints.includes(field), `${field} of ${complaints}`);
      }
    });
  });

  test(`${name}: what is not JSON, or not an object, is refused and changes nothing`, async () => {
    const example = JSON.stringify(endpoint.bodyExample);
    const bodies: Record<string, string | Buffer> = {
      'broken off': example.slice(0, -1),
      'two bodies': `${example}${example}`,
      'a comment': `/* x */ ${example}`,
      'single quotes': "{'a': 1}",
      NaN: '{"a": NaN}',
      'not UTF-8': Buffer.from(`{"a": "\xff\xfe"}`, 'latin1'),
      'UTF-16': Buffer.from(example, 'utf16le'),
      null: 'null',
      'a list': `[${example}]`,
      'a text': '"text"',
      'a number': '7',
      'a raw NUL': '{"a": "\0"}',
      'an escaped NUL': '{"a": "x\\u0000y"}',
      'an escaped NUL in a name': '{"a\\u0000": 1}',
      'half a surrogate pair': '{"a": "\\ud800"}',
      'the other half': '{"a": ["\\udc00x"]}',
      'deep lists': `{"a": ${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
      'deep objects': `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`,
    };
    await assertNothingWritten(db, async () => {
      for (const [what, body] of Object.entries(bodies)) {
        const answer = await sendTo(placed, body);
        assert.equal(answer.status, 400, `${what}: ${answer.text}`);
        assertFailure(answer, 400, 2);
      }
      for (const contentType of [
        'text/plain',
        'application/xml',
        'multipart/form-data; boundary=x',
        'nonsense',
        'application/jsonp',
      ])
        assert.deepEqual(
          complainedFields(await sendTo(placed, example, { 'content-type': contentType })),
          ['corpo'],
          contentType,
        );
    });
  });

  test(`${name}: integers that lose digits are refused`, async () => {
    const integers = fields.filter(({ schema }) => schema.type === 'integer');
    await assertNothingWritten(db, async () => {
      for (const { place, name: field } of integers) {
        const text = JSON.stringify(changed(endpoint.bodyExample, place, 987_654_321_012));
        for (const huge of ['9007199254740992', '99999999999999999999', '1e300', '-9007199254740993'])
          assert.deepEqual(complainedFields(await sendTo(placed, text.replace('987654321012', huge))), [
            field,
          ]);
      }
    });
  });
}

test('every problem of a body comes back in one answer, one entry per field', async () => {
  const answer = await manager.post('/entregas', {
    forma_pagamento: 'Z',
    partida: { endereco: '', lat: '91', lng: 'x', estado: 'RSX' },
    paradas: [
      { endereco_parada: 7, bairro_parada: 'ok', lat_parada: '-30', lng_parada: '-181' },
      { telefone_cliente_parada: 'x'.repeat(31) },
    ],
    com_retorno: 'sim',
    categoria_id: 0,
  });
  assert.deepEqual(complainedFields(answer), [
    'categoria_id',
    'com_retorno',
    'forma_pagamento',
    'paradas[0].endereco_parada',
    'paradas[0].lng_parada',
    'paradas[1].bairro_parada',
    'paradas[1].endereco_parada',
    'paradas[1].lat_parada',
    'paradas[1].lng_parada',
    'paradas[1].telefone_cliente_parada',
    'partida.bairro',
    'partida.endereco',
    'partida.estado',
    'partida.lat',
    'partida.lng',
  ]);
});

test('problems that depend on the caller or on storage are reported together with the rest', async () => {
  const needed = ['forma_pagamento', 'paradas', 'partida'];
  assert.deepEqual(complainedFields(await manager.post('/entregas', {})), needed);
  assert.deepEqual(complainedFields(await central.post('/entregas', {})), ['cliente', ...needed]);
  assert.deepEqual(complainedFields(await central.post('/entregas', { empresa_id: 1 })), needed);
  assert.deepEqual(complainedFields(await central.post('/entregas', { cliente: 'Rita' })), [
    'cliente',
    ...needed,
  ]);
  assert.deepEqual(complainedFields(await central.post('/entregas/programadas', {})), [
    'cliente',
    'data',
    'forma_pagamento',
    'hora',
    'paradas',
    'partida',
  ]);
  const unstorable = order({ forma_pagamento: '\0', observacao: 'a\0', paradas: [] });
  assert.deepEqual(complainedFields(await manager.post('/entregas', unstorable)), [
    'forma_pagamento',
    'observacao',
    'paradas',
  ]);
  for (const url of ['http://example.com', 'https://user@example.com', 'nonsense', ''])
    assert.deepEqual(complainedFields(await central.post('/webhooks', { url, tipos: [] })), ['tipos', 'url']);
  assert.deepEqual(complainedFields(await central.get('/entregas/programadas?limite=%00')), ['limite']);
});

test('a long text hides no other problem', async () => {
  const answer = await manager.post(
    '/entregas',
    order({ forma_pagamento: 'Z', observacao: 'x'.repeat(50_000), paradas: [] }),
  );
  assert.deepEqual(complainedFields(answer), ['forma_pagamento', 'observacao', 'paradas']);
});

test('for a field of several types, the problem with the sent type is reported', async () => {
  const wordsFor = async (valor_cobrar: unknown) => {
    const answer = await manager.post('/entregas', order({ paradas: [{ ...stop(), valor_cobrar }] }));
    assert.deepEqual(complainedFields(answer), ['paradas[0].valor_cobrar']);
    return answer.body.errors[0].message.split(': ')[1];
  };
  assert.equal(await wordsFor('10,50'), 'deve ser um valor com no máximo 2 casas decimais');
  assert.equal(await wordsFor(-1), 'deve ser no mínimo 0');
  assert.equal(await wordsFor(0.001), 'deve ter no máximo 2 casas decimais');
});

test('problems are reported in English on request', async () => {
  const answer = await manager.post('/entregas', {}, { 'accept-language': 'en' });
  assert.deepEqual(
    answer.body.errors.map(({ message }: { message: string }) => message),
    ["'forma_pagamento': is required", "'partida': is required", "'paradas': is required"],
  );
});

test('names that mean something to JavaScript are just unknown fields', async () => {
  const text = JSON.stringify(order());
  for (const field of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
    const body = `{"${field}": {"polluted": true, "forma_pagamento": "Z"}, ${text.slice(1)}`;
    const answer = await manager.send('/entregas', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'idempotency-key': `with ${field}` },
    });
    assert.equal(answer.status, 200, `${field}: ${answer.text}`);
  }
  assert.equal(Reflect.get({}, 'polluted'), undefined);
});

test('lists without end are refused in short', async () => {
  await assertNothingWritten(db, async () => {
    const stops = await manager.post('/entregas', order({ paradas: Array(20_000).fill({}) }));
    assertFailure(stops, 400, 2);
    assert.ok(stops.body.errors.length <= 100);
    const ids = await manager.post('/entregas/1/agrupar', {
      solicitacoes_agrupadas: Array.from({ length: 11_000 }, (_, index) => index + 1),
    });
    assert.ok(ids.status === 400 || ids.status === 404, ids.text);
    const problems = await manager.post('/entregas/1/agrupar', {
      solicitacoes_agrupadas: Array(15_000).fill('x'),
    });
    assertFailure(problems, 400, 2);
    assert.ok(problems.body.errors.length <= 100);
  });
});

test('other spaces, or a byte order mark, do not make another body', async () => {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'idempotency-key': 'spaces' };
  const first = await manager.send('/entregas', { method: 'POST', body: JSON.stringify(order()), headers });
  const second = await manager.send('/entregas', {
    method: 'POST',
    body: `\ufeff${JSON.stringify(order(), null, 4)}\n`,
    headers,
  });
  assert.equal(first.status, 200);
  assert.equal(second.text, first.text);
});
