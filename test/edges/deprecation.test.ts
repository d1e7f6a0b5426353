import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { operationsSource } from '../../scripts/clientSource.ts';
import type { Api } from '../../server/src/api/http/api.ts';
import { DEPRECATION_MONTHS_MIN } from '../../server/src/api/http/deprecation.ts';
import { endpoint } from '../../server/src/api/http/endpoint.ts';
import { describeApis, type OpenApiDocument } from '../../server/src/api/http/openapi.ts';
import { INTEGRATION_BASE, integrationApi } from '../../server/src/api/integration/endpoints.ts';
import { everyEndpoint } from '../support/everyEndpoint.ts';
import { startMalote } from '../support/malote.ts';

/** Exists in this test only. */
const oldEndpoint = endpoint({
  method: 'GET',
  path: '/antiga',
  operation: 'operacaoAntiga',
  tag: 'Entregas',
  summary: 'Uma operação antiga',
  permission: 'watch',
  limit: 'deliveries',
  deprecated: { since: '2027-03-01', sunset: '2028-03-01', instead: 'listarAreasAtuacao' },
  answer: Type.Object({ success: Type.Boolean(), data: Type.Object({}) }),
  answerExample: { success: true, data: {} },
  handle: async () => ({ data: {} }),
});
const api: Api = { ...integrationApi, endpoints: [...integrationApi.endpoints, oldEndpoint] };
const malote = await startMalote({ apis: [api] });

const announced = {
  // The first second of the day in UTC: `date -u -d 2027-03-01 +%s`.
  deprecation: '@1803859200',
  sunset: 'Wed, 01 Mar 2028 00:00:00 GMT',
  link: '</docs/mudancas>; rel="deprecation"; type="text/html"',
};

test('every answer of a deprecated endpoint says since when, until when, and where to read about it', async () => {
  const answers = [
    await malote.manager.get('/antiga'),
    await malote.manager.get('/antiga', { 'accept-language': 'en', authorization: 'Basic eDp5' }),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 401],
  );
  for (const { headers } of answers)
    for (const [name, value] of Object.entries(announced)) assert.equal(headers.get(name), value);
});

test('other endpoints carry none of these headers', async () => {
  const { status, headers } = await malote.manager.get('/entregas/bandeiras/areas-atuacao');
  assert.equal(status, 200);
  for (const name of Object.keys(announced)) assert.equal(headers.get(name), null);
});

test('the document, the reference and the client mark a deprecated operation', async () => {
  const document = JSON.parse(JSON.stringify(await describeApis([api], undefined))) as OpenApiDocument;
  const operation = document.paths[`${INTEGRATION_BASE}/antiga`]!.get!;
  assert.equal(operation.deprecated, true);
  assert.match(
    String(operation.description),
    /Obsoleta desde 01\/03\/2027.*01\/03\/2028.*`listarAreasAtuacao`/,
  );
  const headers = operation.responses['200']!.headers as object;
  for (const name of ['Deprecation', 'Sunset', 'Link']) assert.ok(name in headers, name);
  const others = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  assert.equal(others.filter(({ deprecated }) => deprecated).length, 1);
  const source = operationsSource(document);
  assert.match(
    source,
    /@deprecated since 2027-03-01, may end on 2028-03-01; use listarAreasAtuacao\n \*\/\nasync operacaoAntiga/,
  );
  assert.equal(source.match(/@deprecated/g)!.length, 1);
});

test('a deprecation lasts as long as docs/compatibility.md promises', () => {
  for (const {
    endpoint: { deprecated },
    name,
  } of everyEndpoint) {
    if (!deprecated) continue;
    const earliest = Temporal.PlainDate.from(deprecated.since).add({ months: DEPRECATION_MONTHS_MIN });
    const sunset = Temporal.PlainDate.from(deprecated.sunset);
    assert.ok(Temporal.PlainDate.compare(sunset, earliest) >= 0, name);
  }
});
