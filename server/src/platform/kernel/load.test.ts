import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Capacity, capacityWith, isKnownToLack, UNKNOWN_CAPACITY } from './load.ts';

const needed = { weightGrams: 5_000, volumeMl: null, packages: 2, equipment: null };
const of = (capacity: Partial<Capacity>): Capacity => ({ ...UNKNOWN_CAPACITY, ...capacity });

test('a vehicle lacks only what is known', () => {
  assert.ok(!isKnownToLack(UNKNOWN_CAPACITY, { ...needed, equipment: ['thermal_box'] }));
  assert.ok(!isKnownToLack(of({ weightGrams: 5_000, packages: 2, volumeMl: 1 }), needed));
  assert.ok(isKnownToLack(of({ weightGrams: 4_999 }), needed));
  assert.ok(isKnownToLack(of({ packages: 1 }), needed));
  assert.ok(isKnownToLack(of({ volumeMl: 1 }), { ...needed, volumeMl: 2 }));
});

test('a thermal box serves as a box and as a thermal bag, and neither of them as a thermal box', () => {
  const lacks = (has: Capacity['equipment'], equipment: Capacity['equipment']) =>
    isKnownToLack(of({ equipment: has }), { ...needed, equipment });
  assert.ok(!lacks(['thermal_box'], ['thermal_bag', 'box']));
  assert.ok(lacks(['thermal_bag', 'box'], ['thermal_box']));
  assert.ok(lacks([], ['box']));
  assert.ok(!lacks([], []));
});

test('what is known of the own vehicle counts before what is known of its category', () => {
  const own = of({ weightGrams: 8_000, equipment: [] });
  const ofCategory = of({ weightGrams: 2_000, packages: 4, equipment: ['box'] });
  assert.deepEqual(capacityWith(own, ofCategory), of({ weightGrams: 8_000, packages: 4, equipment: [] }));
  assert.deepEqual(capacityWith(null, null), UNKNOWN_CAPACITY);
});
