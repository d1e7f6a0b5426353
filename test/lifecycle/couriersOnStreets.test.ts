import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cityRouter, streets } from '../../server/simulation/demo/city/cityRouter.ts';
import { toPoint } from '../../server/simulation/demo/city/plane.ts';
import { demoDestinations, demoPickups } from '../../server/simulation/demo/demoCentrals.ts';
import { estimatorFor } from '../../server/src/geo/routing/routers.ts';
import { type Position, samePlace } from '../../server/src/platform/kernel/position.ts';
import { startMalote } from '../support/malote.ts';
import { simulation } from '../support/simulation.ts';
import { openDelivery } from '../support/steps.ts';

/** From the middle of the nearest street. The demonstration's doors stand beside it. */
const LIMIT_METRES = { onTheWay: 3, atDoors: 30 };

const malote = await startMalote({
  routers: {
    forEstimates: (settings) => cityRouter(settings, estimatorFor(settings)),
    forPlanning: (settings) => cityRouter(settings, estimatorFor(settings)),
    figures: () => ({ engines: [], fallbacks: 0 }),
  },
});
await malote.configure({ simulatedCouriers: true, simulationSpeed: 10 });
const doors = [...Object.values(demoPickups), ...demoDestinations].map(({ position }) => position);

const awayFromStreets = (position: Position): number =>
  streets().placeOf(toPoint(position))?.away ?? Infinity;

test('a courier that is followed for a minute stays on the streets of the city', async (t) => {
  const { id } = await openDelivery(malote);
  const { positions, letters } = await simulation(malote).follow(id, { seconds: 60 });
  assert.match(letters, /GA/);
  const places = new Set(positions.map((position) => JSON.stringify(position)));
  assert.ok(places.size > 15, `${places.size} places`);
  // Where it stood when the delivery was assigned was given by hand.
  const [first] = positions;
  const farthest = { onTheWay: 0, atDoors: 0 };
  for (const position of positions.filter((each) => !samePlace(each, first!))) {
    const kind = doors.some((door) => samePlace(door, position)) ? 'atDoors' : 'onTheWay';
    const away = awayFromStreets(position);
    farthest[kind] = Math.max(farthest[kind], away);
    assert.ok(
      away < LIMIT_METRES[kind],
      `${JSON.stringify(position)} is ${away} m away from the nearest street`,
    );
  }
  const [way, door] = [farthest.onTheWay, farthest.atDoors].map((metres) => metres.toFixed(2));
  t.diagnostic(`${places.size} places, at most ${way} m from a street, ${door} m at a door`);
});
