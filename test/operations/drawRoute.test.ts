import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimatorFor, estimatorRouters } from '../../server/src/geo/routing/routers.ts';
import type { Position } from '../../server/src/platform/kernel/position.ts';
import { startMalote } from '../support/malote.ts';
import { assertOk } from '../support/steps.ts';

const asked: Position[][] = [];
const { operator } = await startMalote({
  routers: {
    ...estimatorRouters,
    forEstimates(settings) {
      const estimator = estimatorFor(settings);
      return {
        ...estimator,
        route(points, profile) {
          asked.push([...points]);
          return estimator.route(points, profile);
        },
      };
    },
  },
});

test('POST /rotas: ways beyond the operating areas are straight, and the engine is not asked for them', async () => {
  const here = { lat: -30.0305, lng: -51.2303 };
  const near = { lat: -30.0489, lng: -51.2158 };
  const farAway = { lat: -3.1019, lng: -60.025 };
  const far = assertOk(await operator.post('/rotas', { pontos: [here, farAway, near] })).body.data;
  assert.deepEqual(
    far.linha,
    [here, farAway, near].map(({ lat, lng }) => [lng, lat]),
  );
  assert.deepEqual(asked, []);
  assertOk(await operator.post('/rotas', { pontos: [here, near] }));
  assert.deepEqual(asked, [[here, near]]);
});
