import type { Position } from '../../../platform/kernel/position.ts';
import { UNITS_PER_DEGREE } from './readStreets.ts';
import { tileKey } from './streetsFiles.ts';
import { project, TILE_EXTENT, TILE_MARGIN, VectorTile } from './vectorTile.ts';

/** What lies between the streets. */
export interface Ground {
  areas: readonly { class: 'water' | 'park'; ring: readonly Position[] }[];
  labels: readonly { class: 'district' | 'park'; name: string; at: Position }[];
}

/** Smaller maps show no parks. */
const PARKS_ZOOM_MIN = 11;
const LABELS_ZOOM_MIN = 11;

export const unitsOf = (line: readonly Position[]): Int32Array =>
  Int32Array.from(
    line.flatMap(({ lat, lng }) => [Math.round(lng * UNITS_PER_DEGREE), Math.round(lat * UNITS_PER_DEGREE)]),
  );

/** The tiles of one zoom that show water, parks or names of districts, by their keys: the layers of each. */
export function groundTilesOf({ areas, labels }: Ground, zoom: number): Map<string, VectorTile[]> {
  const tiles = new Map<string, { ground: VectorTile; places: VectorTile }>();
  const tileAt = (x: number, y: number) => {
    const key = tileKey(zoom, x, y);
    let tile = tiles.get(key);
    if (!tile) {
      tile = { ground: new VectorTile('ground'), places: new VectorTile('places') };
      tiles.set(key, tile);
    }
    return tile;
  };
  for (const { class: kind, ring } of areas) {
    if (kind === 'park' && zoom < PARKS_ZOOM_MIN) continue;
    for (const { x, y, line } of cutRing(project(unitsOf(ring), zoom)))
      tileAt(x, y).ground.addPolygon(line, { class: kind });
  }
  if (zoom >= LABELS_ZOOM_MIN)
    for (const { class: kind, name, at } of labels) {
      const [x = 0, y = 0] = project(unitsOf([at]), zoom);
      const [column, row] = [Math.floor(x / TILE_EXTENT), Math.floor(y / TILE_EXTENT)];
      const inTile = [Math.round(x - column * TILE_EXTENT), Math.round(y - row * TILE_EXTENT)] as const;
      tileAt(column, row).places.addPoint(inTile, { class: kind, name });
    }
  return new Map([...tiles].map(([key, { ground, places }]) => [key, [ground, places]]));
}

type Corner = readonly [x: number, y: number];

/** The part of a projected ring that each tile shows, clockwise on the screen. */
export function* cutRing(flat: readonly number[]): Generator<{ x: number; y: number; line: number[] }> {
  const corners: Corner[] = [];
  for (let index = 0; index + 1 < flat.length; index += 2) corners.push([flat[index]!, flat[index + 1]!]);
  // On the screen y grows downwards: there a positive area is clockwise.
  const ring = areaOf(corners) < 0 ? corners.reverse() : corners;
  const tileOf = (units: number) => Math.floor(units / TILE_EXTENT);
  const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)];
  for (let x = tileOf(Math.min(...xs)); x <= tileOf(Math.max(...xs)); x++)
    for (let y = tileOf(Math.min(...ys)); y <= tileOf(Math.max(...ys)); y++) {
      const part = clipRing(ring, x * TILE_EXTENT, y * TILE_EXTENT);
      const line = part.flatMap(([px, py]) => [
        Math.round(px - x * TILE_EXTENT),
        Math.round(py - y * TILE_EXTENT),
      ]);
      if (areaOf(part) > 1) yield { x, y, line };
    }
}

const areaOf = (ring: readonly Corner[]): number =>
  ring.reduce((sum, [x, y], index) => {
    const [nextX, nextY] = ring[(index + 1) % ring.length]!;
    return sum + x * nextY - nextX * y;
  }, 0) / 2;

/** Sutherland-Hodgman, one side of the tile after the other. */
function clipRing(ring: readonly Corner[], left: number, top: number): Corner[] {
  const [minX, minY] = [left - TILE_MARGIN, top - TILE_MARGIN];
  const [maxX, maxY] = [left + TILE_EXTENT + TILE_MARGIN, top + TILE_EXTENT + TILE_MARGIN];
  let part = [...ring];
  for (const [axis, limit, sign] of [
    [0, minX, 1],
    [0, maxX, -1],
    [1, minY, 1],
    [1, maxY, -1],
  ] as const)
    part = cutOff(part, (corner) => (corner[axis] - limit) * sign);
  return part;
}

/** The part of a ring where `inside` is not negative. */
function cutOff(ring: readonly Corner[], inside: (corner: Corner) => number): Corner[] {
  const part: Corner[] = [];
  for (const [index, corner] of ring.entries()) {
    const before = ring.at(index - 1)!;
    const [from, to] = [inside(before), inside(corner)];
    if (from < 0 !== to < 0) {
      const share = from / (from - to);
      part.push([before[0] + (corner[0] - before[0]) * share, before[1] + (corner[1] - before[1]) * share]);
    }
    if (to >= 0) part.push(corner);
  }
  return part;
}
