import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Demands, demandsAgain, jointDemands, NO_DEMANDS, orNone } from './demands.ts';

const now = Temporal.Instant.from('2026-11-16T15:00:00Z');
const demanding = (demands: Partial<Demands>) => ({ demands: { ...NO_DEMANDS, ...demands } });

test('loads add up, and the goods that are ready last count', () => {
  const joint = jointDemands([
    demanding({ readyAt: now.add({ minutes: 20 }), weightGrams: 500, equipment: ['box'], priority: 1 }),
    { demands: null },
    demanding({ readyAt: now, weightGrams: 700, packages: 2, equipment: ['box', 'thermal_bag'] }),
  ]);
  assert.deepEqual(joint, {
    readyAt: now.add({ minutes: 20 }),
    pickupSeconds: null,
    priority: 1,
    equipment: ['box', 'thermal_bag'],
    weightGrams: 1_200,
    volumeMl: null,
    packages: 2,
  });
});

test('an order without demands has none together', () => {
  assert.ok(Object.values(jointDemands([{ demands: null }])).every((value) => value === null));
  assert.equal(orNone(NO_DEMANDS), null);
});

test('what is ordered again keeps its demands, except a window that is over', () => {
  const { demands } = demanding({
    windowFrom: now,
    windowUntil: now.add({ minutes: 5 }),
    windowIsHard: true,
  });
  assert.deepEqual(demandsAgain(demands, now), demands);
  assert.equal(demandsAgain(demands, now.add({ minutes: 5 })), null);
  const heavy = { ...demands, weightGrams: 900 };
  assert.deepEqual(demandsAgain(heavy, now.add({ hours: 1 })), { ...NO_DEMANDS, weightGrams: 900 });
});
