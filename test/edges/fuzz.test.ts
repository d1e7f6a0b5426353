import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Endpoint } from '../../server/src/http/endpoint.ts';
import { bodiesOf } from '../support/bodiesOf.ts';
import type { Answer } from '../support/client.ts';
import { assertFailure } from '../support/envelope.ts';
import { clientFor, everyEndpoint, type PlacedEndpoint, pathWith } from '../support/everyEndpoint.ts';
import { startMalote } from '../support/malote.ts';
import { order, scheduledOrder } from '../support/orders.ts';

const malote = await startMalote();
await malote.manager.post('/entregas', order({}, 2));
await malote.manager.post('/entregas/programadas', scheduledOrder({}, 3));
await malote.manager.post('/entregas/programadas', scheduledOrder({}, 1));

const ids = fc.constantFrom(1, 2, 3, 999_999, 10_000_001, 2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER);
/** Codes are given out once, so that one unlucky run does not lock the door for those after it. */
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

/** Some of the names that the route knows, with values that it may not expect. */
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
