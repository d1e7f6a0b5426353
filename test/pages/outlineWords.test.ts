import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOutline, outlineWords } from '../../web/console/src/pages/audit/outlineWords.ts';

/** A square at the equator, a hundredth of a degree (1.1132 km) wide. */
const ring = (from: number, to: number) => [
  [from, from],
  [to, from],
  [to, to],
  [from, to],
  [from, from],
];

test('an outline is told by its points and its area', () => {
  const shape = { type: 'Polygon' as const, coordinates: [ring(0, 0.01)] };
  assert.equal(outlineWords(shape, 'pt'), '4 pontos, 1,24 km²');
  assert.equal(outlineWords(shape, 'en'), '4 points, 1.24 km²');
});

test('a hole is taken away, and several pieces are added', () => {
  const pierced = [ring(0, 0.01), ring(0.002, 0.008)];
  assert.equal(outlineWords({ type: 'Polygon', coordinates: pierced }, 'pt'), '8 pontos, 0,793 km²');
  const twice = { type: 'MultiPolygon' as const, coordinates: [[ring(0, 0.01)], [ring(0.02, 0.03)]] };
  assert.equal(outlineWords(twice, 'en'), '8 points, 2.48 km²');
});

test('only shapes are outlines', () => {
  assert.equal(isOutline({ type: 'Polygon', coordinates: [] }), true);
  for (const value of [null, 'x', { sha256: 'a' }, { coordinates: 'x' }])
    assert.equal(isOutline(value), false);
});
