import { METRES_PER_DEGREE, type Position } from '../../../src/platform/kernel/position.ts';

/** A position in metres east and north of the middle of the city. */
export type Point = readonly [x: number, y: number];
export type Line = readonly Point[];

const MIDDLE: Position = { lat: -30.035, lng: -51.21 };
const METRES_PER_LNG = METRES_PER_DEGREE * Math.cos((MIDDLE.lat * Math.PI) / 180);

export const toPoint = ({ lat, lng }: Position): Point => [
  (lng - MIDDLE.lng) * METRES_PER_LNG,
  (lat - MIDDLE.lat) * METRES_PER_DEGREE,
];

const sixDecimals = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;

export const toPosition = ([x, y]: Point): Position => ({
  lat: sixDecimals(MIDDLE.lat + y / METRES_PER_DEGREE),
  lng: sixDecimals(MIDDLE.lng + x / METRES_PER_LNG),
});

export const distance = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

export const between = (a: Point, b: Point, share: number): Point => [
  a[0] + (b[0] - a[0]) * share,
  a[1] + (b[1] - a[1]) * share,
];

export const lengthOf = (line: Line): number =>
  line.reduce((sum, point, index) => (index === 0 ? 0 : sum + distance(line[index - 1]!, point)), 0);

/** The nearest point of a segment, as a share of its length. */
export function shareOnSegment(point: Point, a: Point, b: Point): number {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const square = dx * dx + dy * dy;
  if (square === 0) return 0;
  return Math.min(1, Math.max(0, ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / square));
}

/** The distance of a point to a line. */
export function distanceTo(point: Point, line: Line): number {
  let nearest = Infinity;
  for (let index = 1; index < line.length; index++) {
    const [a, b] = [line[index - 1]!, line[index]!];
    nearest = Math.min(nearest, distance(point, between(a, b, shareOnSegment(point, a, b))));
  }
  return nearest;
}

/** Asked often, so it reads corners by index: taking them apart as arrays makes it ten times slower. */
export function isInside(point: Point, ring: Line): boolean {
  const [x, y] = point;
  let inside = false;
  for (let index = 0, last = ring.length - 1; index < ring.length; last = index++) {
    const a = ring[index]!;
    const b = ring[last]!;
    if (a[1] > y !== b[1] > y && x < ((b[0] - a[0]) * (y - a[1])) / (b[1] - a[1]) + a[0]) inside = !inside;
  }
  return inside;
}

/** Positive when the ring is counter-clockwise. */
export function areaOf(ring: Line): number {
  let sum = 0;
  for (let index = 0, last = ring.length - 1; index < ring.length; last = index++)
    sum += ring[last]![0] * ring[index]![1] - ring[index]![0] * ring[last]![1];
  return sum / 2;
}

export function middleOf(ring: Line): Point {
  const sum = ring.reduce<Point>(([x, y], point) => [x + point[0], y + point[1]], [0, 0]);
  return [sum[0] / ring.length, sum[1] / ring.length];
}

/** The same line some metres to the right. */
export function toTheRight(line: Line, metres: number): Line {
  return line.map((point, index) => {
    const [before, after] = [line[Math.max(0, index - 1)]!, line[Math.min(line.length - 1, index + 1)]!];
    const length = distance(before, after);
    const [dx, dy] = [(after[0] - before[0]) / length, (after[1] - before[1]) / length];
    return [point[0] + dy * metres, point[1] - dx * metres];
  });
}

/** A curve through all points (Catmull-Rom), with a point about every `step` metres. */
export function smooth(line: Line, step: number): Point[] {
  const curve: Point[] = [line[0]!];
  for (let index = 1; index < line.length; index++) {
    const [a, b] = [line[index - 1]!, line[index]!];
    const [before, after] = [line[Math.max(0, index - 2)]!, line[Math.min(line.length - 1, index + 1)]!];
    const pieces = Math.max(1, Math.round(distance(a, b) / step));
    for (let piece = 1; piece <= pieces; piece++) {
      const t = piece / pieces;
      const at = (axis: 0 | 1): number =>
        0.5 *
        (2 * a[axis] +
          (b[axis] - before[axis]) * t +
          (2 * before[axis] - 5 * a[axis] + 4 * b[axis] - after[axis]) * t * t +
          (3 * a[axis] - before[axis] - 3 * b[axis] + after[axis]) * t * t * t);
      curve.push([at(0), at(1)]);
    }
  }
  return curve;
}

/** Things by place, for finding those near a point. */
export class Cells<Thing> {
  readonly #size: number;
  readonly #cells = new Map<number, Thing[]>();

  constructor(size: number) {
    this.#size = size;
  }

  add([x, y]: Point, thing: Thing): void {
    const key = this.#key(Math.floor(x / this.#size), Math.floor(y / this.#size));
    const cell = this.#cells.get(key);
    if (cell) cell.push(thing);
    else this.#cells.set(key, [thing]);
  }

  /** All things of the cells that a square of this half-width touches: some are farther away. */
  *near([x, y]: Point, reach: number): Generator<Thing> {
    const cellOf = (metres: number) => Math.floor(metres / this.#size);
    for (let column = cellOf(x - reach); column <= cellOf(x + reach); column++)
      for (let row = cellOf(y - reach); row <= cellOf(y + reach); row++)
        yield* this.#cells.get(this.#key(column, row)) ?? [];
  }

  #key(column: number, row: number): number {
    return (column + 5_000) * 10_000 + row + 5_000;
  }
}
