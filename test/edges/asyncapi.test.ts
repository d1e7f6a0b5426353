import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describeEvents } from '../../server/src/api/http/asyncapi.ts';
import { integrationApi } from '../../server/src/api/integration/endpoints.ts';
import { eventTypes, formatEvent } from '../../server/src/api/json/eventTypes.ts';
import type { Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';

const malote = await startMalote();
const response = await fetch(`${malote.url}/asyncapi.json`);
const document: Json = await response.json();
const names = Object.values(eventTypes).map(({ name }) => name);

/** Follows a reference within the document. */
const resolve = ({ $ref }: { $ref: string }): Json =>
  $ref
    .slice('#/'.length)
    .split('/')
    .reduce((part: Json, step) => part[step.replaceAll('~1', '/')], document);

const ajv = new Ajv2020({ strict: false, allErrors: true });

const schemaFile = fileURLToPath(import.meta.resolve('@asyncapi/specs/schemas/3.0.0.json'));
// The bundle brings the schema of schemas itself.
const isAsyncApi = new Ajv({
  strict: false,
  allErrors: true,
  validateFormats: false,
  meta: false,
  validateSchema: false,
}).compile(JSON.parse(readFileSync(schemaFile, 'utf8')));

test('it is served as JSON, with a tag by which it is not read again', async () => {
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
  const again = await fetch(`${malote.url}/asyncapi.json`, {
    headers: { 'if-none-match': response.headers.get('etag')! },
  });
  assert.equal(again.status, 304);
});

for (const [what, described] of [
  ['as served', document],
  [
    'of a service with an address',
    describeEvents([integrationApi], 'https://malote.example/api-de-entregas'),
  ],
] as const)
  test(`the document ${what} is valid AsyncAPI 3.0`, () => {
    const isValid = isAsyncApi(JSON.parse(JSON.stringify(described)));
    assert.ok(isValid, JSON.stringify(isAsyncApi.errors?.slice(0, 5), null, 1));
  });

test('the schema that it is checked against refuses what is no AsyncAPI', () => {
  const { channels, ...rest } = document;
  assert.equal(isAsyncApi({ ...rest, channels: { webhook: { ...channels.webhook, messages: [] } } }), false);
  assert.equal(isAsyncApi({ ...rest, operations: { enviar: { action: 'envia' } } }), false);
});

test('the address of the service is its server', () => {
  const { servers } = describeEvents([integrationApi], 'https://malote.example:8443/entregas/');
  assert.deepEqual(servers?.malote, {
    host: 'malote.example:8443',
    protocol: 'https',
    pathname: '/entregas',
    security: [{ $ref: '#/components/securitySchemes/bearer' }],
  });
  assert.equal(document.servers, undefined);
});

test('every type of event is in it, by webhook and in the stream', () => {
  for (const channel of ['webhook', 'eventos'])
    assert.deepEqual(Object.keys(document.channels[channel].messages), names);
  assert.equal(document.channels.webhook.address, null);
  assert.equal(document.channels.eventos.address, '/api/v2/integracao/eventos');
});

test('every reference leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"(#[^"]+)"/g)].map(([, $ref]) => $ref!);
  assert.ok(references.length > 2 * names.length);
  for (const $ref of references) assert.equal(typeof resolve({ $ref }), 'object', $ref);
});

for (const [type, { name }] of Object.entries(eventTypes))
  test(`the sample of ${name}, and what is sent as a test, fit its schema, and others do not`, () => {
    const message = document.channels.webhook.messages[name];
    const fits = ajv.compile(resolve(message.payload));
    for (const { payload } of message.examples) assert.ok(fits(payload), JSON.stringify(fits.errors));
    const test = formatEvent(
      {
        type: 'webhook.test',
        companyId: null,
        deliveryId: null,
        scheduledId: null,
        sequence: null,
        payload: { webhookId: 3, ...(type !== 'webhook.test' && { sampleOf: type as 'delivery.status' }) },
        occurredAt: Temporal.Instant.from('2026-11-16T15:00:00Z'),
        timeZone: 'America/Sao_Paulo',
      },
      { publicUrl: '' },
    );
    assert.ok(fits(test), JSON.stringify(fits.errors));
    assert.equal(test.type, name);
    const [{ payload }] = message.examples;
    assert.equal(fits({ ...payload, type: 'entrega.outra' }), false);
    assert.equal(fits({ ...payload, data: {} }), false);
  });

test('the headers of a webhook are described', () => {
  const { headers } = document.components.messageTraits.assinado;
  assert.deepEqual(headers.required, ['webhook-id', 'webhook-timestamp', 'webhook-signature']);
});
