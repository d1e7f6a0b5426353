import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutRing, groundTilesOf } from './drawGround.ts';
import { TILE_EXTENT, TILE_MARGIN } from './vectorTile.ts';

const areaOf = (line: readonly number[]): number => {
  let sum = 0;
  for (let index = 0; index < line.length; index += 2) {
    const next = (index + 2) % line.length;
    sum += line[index]! * line[next + 1]! - line[next]! * line[index + 1]!;
  }
  return sum / 2;
};

const SQUARE = [1000, 1000, 9000, 1000, 9000, 5000, 1000, 5000];

test('each tile shows its part of an area, within its margin and clockwise, whichever way the ring goes', () => {
  const turned = SQUARE.toReversed().flatMap((_value, index, all) =>
    index % 2 === 0 ? [all[index + 1]!, all[index]!] : [],
  );
  for (const ring of [SQUARE, turned]) {
    const parts = [...cutRing(ring)];
    assert.deepEqual(parts.map(({ x, y }) => `${x}/${y}`).sort(), ['0/0', '0/1', '1/0', '1/1', '2/0', '2/1']);
    for (const { line } of parts) {
      assert.ok(areaOf(line) > 0);
      assert.ok(line.every((value) => value >= -TILE_MARGIN && value <= TILE_EXTENT + TILE_MARGIN));
    }
    const middle = parts.find(({ x, y }) => x === 1 && y === 0)!;
    assert.equal(areaOf(middle.line), (TILE_EXTENT + 2 * TILE_MARGIN) * (TILE_EXTENT + TILE_MARGIN - 1000));
  }
});

test('small maps show water, and parks and names only from some zooms on', () => {
  const ring = [
    { lat: -30, lng: -51.2 },
    { lat: -30, lng: -51.1 },
    { lat: -30.1, lng: -51.1 },
  ];
  const park = { areas: [{ class: 'park' as const, ring }], labels: [] };
  const water = { areas: [{ class: 'water' as const, ring }], labels: [] };
  assert.equal(groundTilesOf(park, 8).size, 0);
  assert.equal(groundTilesOf(water, 8).size, 1);
  const label = { areas: [], labels: [{ class: 'district' as const, name: 'Centro', at: ring[0]! }] };
  assert.equal(groundTilesOf(label, 10).size, 0);
  const [tile] = groundTilesOf(label, 11).values();
  assert.match(Buffer.concat(tile!.map((part) => part.encode())).toString('latin1'), /Centro/);
});
