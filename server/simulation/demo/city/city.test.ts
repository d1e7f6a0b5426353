import assert from 'node:assert/strict';
import { test } from 'node:test';
import { demoCity } from './city.ts';
import { cityText, readCityText } from './cityFile.ts';
import { makeCity } from './makeCity.ts';
import { strongParts } from './oneWay.ts';
import { lake } from './plan.ts';
import { isInside } from './plane.ts';

test('the generator draws the same city each time: that of the file', (t) => {
  const start = performance.now();
  const text = cityText(makeCity());
  t.diagnostic(`generated in ${Math.round(performance.now() - start)} ms`);
  assert.ok(text === readCityText(), 'run node scripts/makeCity.ts');
});

test('every crossing is reached from every other, along one-way streets as they allow', () => {
  const { nodes, ways } = demoCity();
  const edges = ways.map((way) => ({ ...way, road: 0 }));
  const parts = strongParts(
    { nodes: [...nodes], edges },
    ways.map(({ street }) => street.oneWay ?? false),
  );
  assert.equal(new Set(parts).size, 1);
});

test('it has avenues, lanes, one-way streets, bridges, parks and squares, and no street in the lake', () => {
  const { streets, ways, nodes, greens } = demoCity();
  assert.ok(ways.length > 3_000 && nodes.length > 2_000, `${ways.length} ways`);
  for (const kind of ['main', 'avenue', 'street', 'lane'] as const)
    assert.ok(
      streets.some((street) => street.class === kind),
      kind,
    );
  const oneWay = streets.filter((street) => street.oneWay);
  assert.ok(oneWay.length > 80 && oneWay.length < streets.length / 2, `${oneWay.length} of one direction`);
  assert.ok(greens.filter(({ name }) => name.startsWith('Praça')).length > 20);
  assert.deepEqual(
    nodes.filter((node) => isInside(node, lake)),
    [],
  );
});

test('streets have names of their own', () => {
  const districtsOf = new Map<string, number>();
  for (const { name } of demoCity().streets) districtsOf.set(name, (districtsOf.get(name) ?? 0) + 1);
  assert.ok(districtsOf.size > 350, `${districtsOf.size} names`);
  assert.ok(districtsOf.has('Rua dos Andradas'));
});
