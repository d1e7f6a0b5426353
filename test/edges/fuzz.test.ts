import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Route } from '../../server/src/http/route.ts';
import { bodiesOf } from '../support/bodiesOf.ts';
import type { Answer } from '../support/client.ts';
import { assertFailure } from '../support/envelope.ts';
import { clientFor, everyRoute, type PlacedRoute, pathWith } from '../support/everyRoute.ts';
import { startMalote } from '../support/malote.ts';
import { order, scheduledOrder } from '../support/orders.ts';

const malote = await startMalote();
await malote.manager.post('/entregas', order({}, 2));
await malote.manager.post('/entregas/programadas', scheduledOrder({}, 3));
await malote.manager.post('/entregas/programadas', scheduledOrder({}, 1));

const ids = fc.constantFrom(1, 2, 3, 999_999, 10_000_001, 2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER);
/** Codes are given out once, so that one unlucky run does not lock the door for those after it. */
const SPARED = new Set(['PUT /configuracoes (operacao)', 'PUT /usuarios/:id (operacao)']);

function send(placed: PlacedRoute, id: number, body: unknown): Promise<Answer> {
  const { route } = placed;
  return clientFor(malote, placed).send(
    pathWith(route.path, () => id),
    {
      method: route.method,
      ...(route.body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    },
  );
}

/** Some of the names that the route knows, with values that it may not expect. */
const queriesOf = ({ query, queryExample }: Route) =>
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

for (const placed of everyRoute.filter(({ route }) => !route.isLive)) {
  const { route, name } = placed;
  const numRuns = route.path === '/entregas' ? 250 : route.body ? 60 : 20;
  const bodies = route.body ? bodiesOf(route.body, route.bodyExample) : fc.constant(undefined);
  const inputs = route.method === 'GET' ? queriesOf(route) : bodies;

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
