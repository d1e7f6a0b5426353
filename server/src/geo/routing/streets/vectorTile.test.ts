import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { UNITS_PER_DEGREE } from './readStreets.ts';
import { cutIntoTiles, project, simplify, TILE_EXTENT } from './vectorTile.ts';

const MARGIN = 64;
const coordinate = fc.integer({ min: 0, max: TILE_EXTENT * 4 });
const lines = fc
  .array(fc.tuple(coordinate, coordinate), { minLength: 2, maxLength: 12 })
  .map((all) => all.flat());

const lengthOf = (line: readonly number[]): number => {
  let length = 0;
  for (let index = 2; index < line.length; index += 2)
    length += Math.hypot(line[index]! - line[index - 2]!, line[index + 1]! - line[index - 1]!);
  return length;
};

test('the equator and the prime meridian cross in the middle of the world', () => {
  assert.deepEqual(project(Int32Array.of(0, 0), 0), [TILE_EXTENT / 2, TILE_EXTENT / 2]);
});

test('Porto Alegre lies in the tile where every map has it', () => {
  const [x, y] = project(Int32Array.of(-51.23 * UNITS_PER_DEGREE, -30.03 * UNITS_PER_DEGREE), 14);
  assert.deepEqual([Math.floor(x! / TILE_EXTENT), Math.floor(y! / TILE_EXTENT)], [5860, 9625]);
});

test('a simplified line keeps its ends, adds nothing and is never longer', () =>
  fc.assert(
    fc.property(lines, fc.integer({ min: 0, max: 500 }), (line, tolerance) => {
      const simple = simplify(line, tolerance);
      assert.deepEqual(simple.slice(0, 2), line.slice(0, 2));
      assert.deepEqual(simple.slice(-2), line.slice(-2));
      assert.ok(simple.length <= line.length);
      assert.ok(lengthOf(simple) <= lengthOf(line) + 1e-6);
    }),
  ));

test('points on a straight street are left out', () => {
  assert.deepEqual(simplify([0, 0, 10, 1, 20, 0, 30, 0], 4), [0, 0, 30, 0]);
  assert.deepEqual(simplify([0, 0, 10, 9, 20, 0], 4), [0, 0, 10, 9, 20, 0]);
});

test('no part of a tile reaches beyond its margin', () =>
  fc.assert(
    fc.property(lines, (line) => {
      const parts = [...cutIntoTiles(line)];
      assert.ok(parts.length > 0);
      for (const part of parts)
        for (const value of part.line)
          assert.ok(value >= -MARGIN && value <= TILE_EXTENT + MARGIN, `${value} in ${part.x}/${part.y}`);
    }),
  ));

test('tiles together show the whole line: each of its points is in the tile that it lies in', () =>
  fc.assert(
    fc.property(lines, (line) => {
      const whole = [...cutIntoTiles(line)];
      for (let index = 0; index < line.length; index += 2) {
        const [x, y] = [line[index]!, line[index + 1]!];
        const [tileX, tileY] = [Math.floor(x / TILE_EXTENT), Math.floor(y / TILE_EXTENT)];
        const parts = whole.filter((part) => part.x === tileX && part.y === tileY);
        const isShown = parts.some(({ line: part }) =>
          part.some(
            (value, at) =>
              at % 2 === 0 &&
              value === Math.round(x - tileX * TILE_EXTENT) &&
              part[at + 1] === Math.round(y - tileY * TILE_EXTENT),
          ),
        );
        // A line that is a single point over and over has no length to show.
        assert.ok(isShown || lengthOf(line) === 0, `${x},${y}`);
      }
    }),
  ));

test('a street that leaves a tile and comes back is drawn in two parts there', () => {
  const line = [1000, 1000, 6000, 1000, 6000, 2000, 1000, 2000];
  const here = [...cutIntoTiles(line)].filter(({ x, y }) => x === 0 && y === 0);
  assert.deepEqual(
    here.map((part) => part.line),
    [
      [1000, 1000, TILE_EXTENT + MARGIN, 1000],
      [TILE_EXTENT + MARGIN, 2000, 1000, 2000],
    ],
  );
});
