import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Endpoint } from '../../server/src/api/http/endpoint.ts';
import type { Answer, Json } from '../support/client.ts';
import { assertFailure } from '../support/envelope.ts';
import {
  bodiesOf,
  clientFor,
  everyEndpoint,
  type PlacedEndpoint,
  pathWith,
} from '../support/everyEndpoint.ts';
import { startMalote } from '../support/malote.ts';
import { order, scheduledOrder } from '../support/orders.ts';
import { assertOk } from '../support/steps.ts';

const { central, manager, operator, db } = await startMalote({ allowPrivateWebhooks: true });

test('fields of a webhook that are not the caller’s to set change nothing', async () => {
  const given = { url: 'https://example.com/eventos', tipos: ['entrega.status'] };
  const foreign = {
    id: '999',
    empresa_id: '2',
    company_id: 2,
    central_id: 2,
    falhas: 7,
    segredo: 'whsec_AAAA',
  };
  const honest = assertOk(await manager.post('/webhooks', given)).body.data;
  const answer = await manager.post('/webhooks', { ...given, ...foreign });
  const made = assertOk(answer).body.data;
  assert.equal(made.empresa_id, honest.empresa_id);
  assert.equal(made.falhas, 0);
  assert.notEqual(made.segredo, foreign.segredo);
  assert.notEqual(made.id, foreign.id);
  const [elsewhere] = await db<{ count: number }>`select count(*) from webhooks where central_id <> 1`;
  assert.equal(elsewhere!.count, 0);
});

test('fields of a delivery that the service decides cannot be given', async () => {
  const foreign = { id_mch: 999_999, status: 'F', central_id: 2, valor_corrida: '0.01', condutor_id: 1 };
  const honest = assertOk(await manager.post('/entregas', order())).body.data;
  const made = assertOk(await manager.post('/entregas', { ...order(), ...foreign })).body.data;
  assert.equal(Number(made.id_mch), Number(honest.id_mch) + 1);
  const rows = await db<{ status: string; price: number; driver: number | null }>`
    select status, net_cents as price, driver_id as driver from deliveries
    where central_id = 1 and id in (${honest.id_mch}::bigint, ${made.id_mch}::bigint)`;
  assert.deepEqual(rows[0], rows[1]);
});

test('no answer about users, keys or webhooks holds a hash, a digest or a secret', async () => {
  for (const login of [central, manager]) {
    const text = JSON.stringify(assertOk(await login.get('/webhooks')).body);
    assert.doesNotMatch(text, /whsec_|"segredo"/);
  }
  for (const path of ['/usuarios', '/chaves']) {
    const text = JSON.stringify(assertOk(await operator.get(path)).body);
    assert.doesNotMatch(text, /argon2|hash|sha256|"senha"|demo-chave/i);
  }
});

const malote = await startMalote();
await malote.manager.post('/entregas', order({}, 2));
await malote.manager.post('/entregas/programadas', scheduledOrder({}, 3));
await malote.manager.post('/entregas/programadas', scheduledOrder({}, 1));

const ids = fc.constantFrom(1, 2, 3, 999_999, 10_000_001, 2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER);
/** Called only with an id that does not exist: a random change of a login could lock out later runs. */
const SPARED = new Set(['PUT /configuracoes (operacao)', 'PUT /usuarios/:id (operacao)']);

function send(placed: PlacedEndpoint, id: number, body: unknown): Promise<Answer> {
  const { endpoint } = placed;
  return clientFor(malote, placed).send(
    pathWith(endpoint.path, () => id),
    {
      method: endpoint.method,
      ...(endpoint.body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    },
  );
}

/** Methods of every JavaScript object. Calling one on a caller's object calls what the caller sent. */
const METHODS = [
  'toString',
  'valueOf',
  'constructor',
  'hasOwnProperty',
  'toJSON',
  'length',
  'then',
  '__proto__',
];

/** Gives every object of an example this field, and adds a second object to each list. */
function withMethod(example: Json, method: string): unknown {
  const odd = Object.fromEntries([[method, null]]);
  if (Array.isArray(example)) return [{}, odd, ...example.map((item) => withMethod(item, method))];
  if (typeof example !== 'object' || example === null) return odd;
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, withMethod(value, method)]),
  );
}

for (const placed of everyEndpoint.filter(({ endpoint }) => endpoint.body && endpoint.bodyExample))
  test(`${placed.name}: no field named like a method makes it fail`, async () => {
    for (const method of METHODS) {
      const answer = await send(placed, 1, withMethod(placed.endpoint.bodyExample, method));
      assert.ok(answer.status < 500, `${method}: ${answer.status} ${answer.text}`);
    }
  });

/** Some of the endpoint's query parameters, with unexpected values. */
const queriesOf = ({ query, queryExample }: Endpoint) =>
  fc.dictionary(
    fc.constantFrom(
      'pagina',
      'limite',
      '__proto__',
      'x',
      ...Object.keys((query as { properties?: object })?.properties ?? {}),
    ),
    fc.oneof(
      fc.constantFrom(
        '',
        '1',
        '100',
        '-1',
        '1e3',
        'true',
        'null',
        '2026-11-16',
        '\u0000',
        '9'.repeat(30),
        "' or 1=1",
      ),
      fc.constantFrom('x', ...Object.values(queryExample ?? {}).map(String)),
      fc.string({ unit: 'binary' }),
    ),
  );

for (const placed of everyEndpoint.filter(({ endpoint }) => !endpoint.isLive)) {
  const { endpoint, name } = placed;
  const numRuns = endpoint.path === '/entregas' ? 250 : endpoint.body ? 60 : 20;
  const bodies = endpoint.body ? bodiesOf(endpoint.body, endpoint.bodyExample) : fc.constant(undefined);
  const inputs = endpoint.method === 'GET' ? queriesOf(endpoint) : bodies;

  test(`${name}: no id, query or body whatever makes it fail`, async () => {
    await fc.assert(
      fc.asyncProperty(SPARED.has(name) ? fc.constant(999_999) : ids, inputs, async (id, body) => {
        const answer = await send(placed, id, body);
        assert.ok(answer.status < 500, `${answer.status} ${answer.text}`);
        if (answer.status !== 200) assertFailure(answer, answer.status);
      }),
      { numRuns },
    );
  });
}
