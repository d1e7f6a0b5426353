import { UNITS_PER_DEGREE } from './street.ts';

/** x, y, x, y … */
export type Line = readonly number[];

/** The side of a tile in its own units, as is usual for vector tiles. */
export const TILE_EXTENT = 4096;
/** Lines continue this far beyond a tile's edge, so that their ends are not visible. */
const MARGIN = 64;

/** Projects onto the square world map (Web Mercator), in units of the tiles of one zoom. */
export function project(line: Int32Array, zoom: number): number[] {
  const size = TILE_EXTENT * 2 ** zoom;
  const projected: number[] = [];
  for (let index = 0; index < line.length; index += 2) {
    const lng = line[index]! / UNITS_PER_DEGREE;
    const sine = Math.sin(((line[index + 1]! / UNITS_PER_DEGREE) * Math.PI) / 180);
    projected.push(
      size * (lng / 360 + 0.5),
      size * (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)),
    );
  }
  return projected;
}

/** Douglas-Peucker: omits points within `tolerance` of the simplified line. */
export function simplify(line: Line, tolerance: number): number[] {
  const last = line.length / 2 - 1;
  const keeps = new Uint8Array(last + 1);
  keeps[0] = 1;
  keeps[last] = 1;
  const open: [number, number][] = [[0, last]];
  for (let span = open.pop(); span; span = open.pop()) {
    const [from, to] = span;
    let farthest = 0;
    let largest = tolerance * tolerance;
    for (let index = from + 1; index < to; index++) {
      const distance = squaredDistance(line, index, from, to);
      if (distance <= largest) continue;
      farthest = index;
      largest = distance;
    }
    if (farthest === 0) continue;
    keeps[farthest] = 1;
    open.push([from, farthest], [farthest, to]);
  }
  const kept: number[] = [];
  for (let index = 0; index <= last; index++)
    if (keeps[index]) kept.push(line[index * 2]!, line[index * 2 + 1]!);
  return kept;
}

function squaredDistance(line: Line, index: number, from: number, to: number): number {
  const [x, y] = [line[index * 2]!, line[index * 2 + 1]!];
  const [x1, y1] = [line[from * 2]!, line[from * 2 + 1]!];
  const [dx, dy] = [line[to * 2]! - x1, line[to * 2 + 1]! - y1];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / length));
  return (x - x1 - share * dx) ** 2 + (y - y1 - share * dy) ** 2;
}

export interface TilePart {
  x: number;
  y: number;
  /** In the tile's own whole units. */
  line: number[];
}

/** The part of a projected line that each tile shows. */
export function* cutIntoTiles(line: Line): Generator<TilePart> {
  const [west, north, east, south] = boundsOf(line);
  const tileOf = (units: number) => Math.floor(units / TILE_EXTENT);
  for (let x = tileOf(west - MARGIN); x <= tileOf(east + MARGIN); x++)
    for (let y = tileOf(north - MARGIN); y <= tileOf(south + MARGIN); y++)
      for (const part of clip(line, x * TILE_EXTENT, y * TILE_EXTENT)) {
        const whole = rounded(part, x * TILE_EXTENT, y * TILE_EXTENT);
        if (whole.length >= 4) yield { x, y, line: whole };
      }
}

function boundsOf(line: Line): [west: number, north: number, east: number, south: number] {
  let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let index = 0; index < line.length; index += 2) {
    west = Math.min(west, line[index]!);
    east = Math.max(east, line[index]!);
    north = Math.min(north, line[index + 1]!);
    south = Math.max(south, line[index + 1]!);
  }
  return [west, north, east, south];
}

/** Liang-Barsky for each segment; a line that leaves and returns gives several parts. */
function clip(line: Line, left: number, top: number): number[][] {
  const [minX, minY] = [left - MARGIN, top - MARGIN];
  const [maxX, maxY] = [left + TILE_EXTENT + MARGIN, top + TILE_EXTENT + MARGIN];
  const parts: number[][] = [];
  let part: number[] = [];
  for (let index = 0; index + 3 < line.length; index += 2) {
    const [x1, y1, x2, y2] = [line[index]!, line[index + 1]!, line[index + 2]!, line[index + 3]!];
    const [dx, dy] = [x2 - x1, y2 - y1];
    let [enters, leaves] = [0, 1];
    for (const [step, room] of [
      [-dx, x1 - minX],
      [dx, maxX - x1],
      [-dy, y1 - minY],
      [dy, maxY - y1],
    ] as const) {
      if (step === 0) {
        if (room < 0) leaves = -1;
      } else if (step < 0) enters = Math.max(enters, room / step);
      else leaves = Math.min(leaves, room / step);
    }
    if (enters > leaves) continue;
    if (enters > 0 || part.length === 0) {
      if (part.length) parts.push(part);
      part = [x1 + enters * dx, y1 + enters * dy];
    }
    part.push(x1 + leaves * dx, y1 + leaves * dy);
    if (leaves === 1) continue;
    parts.push(part);
    part = [];
  }
  if (part.length) parts.push(part);
  return parts;
}

/** Equal consecutive points count once. */
function rounded(line: Line, left: number, top: number): number[] {
  const whole: number[] = [];
  for (let index = 0; index < line.length; index += 2) {
    const [x, y] = [Math.round(line[index]! - left), Math.round(line[index + 1]! - top)];
    if (whole.length === 0 || whole.at(-2) !== x || whole.at(-1) !== y) whole.push(x, y);
  }
  return whole;
}
