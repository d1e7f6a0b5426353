import { inSlices } from '../../platform/kernel/inSlices.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { AreaShape } from './area.ts';
import {
  type CheckBudget,
  type GridPoint,
  type PolygonFault,
  polygonFault,
  samePoint,
  signedArea,
  toDegrees,
  toGrid,
  turn,
} from './polygonFault.ts';

export type ShapeFault =
  | PolygonFault
  | 'not-a-polygon'
  | 'bad-position'
  | 'out-of-range'
  | 'over-antimeridian'
  | 'too-many-positions'
  | 'too-few-positions'
  | 'ring-open'
  | 'no-area';

/** More than the outline of any city needs; bounds the cost of checking it. */
export const POSITIONS_MAX = 20_000;

/** For all areas of one file together. */
const CHECKS_MAX = 1_000_000;

export interface NamedShape {
  name: string;
  input: unknown;
}

/**
 * Reads untrusted GeoJSON as the shapes of areas without blocking other requests. The check is bounded: a shape
 * that would take too long is refused as too complex.
 */
export function readShapes(shapes: readonly NamedShape[]): Promise<AreaShape[]> {
  return inSlices(readEach(shapes, { left: CHECKS_MAX }));
}

function* readEach(shapes: readonly NamedShape[], budget: CheckBudget): Generator<void, AreaShape[], void> {
  const read: AreaShape[] = [];
  for (const shape of shapes) read.push(yield* readShape(shape, budget));
  return read;
}

/**
 * Reads one shape: rounded to seven decimals (a centimetre), without repeated points, the outer ring counter-
 * clockwise and holes clockwise, as RFC 7946 requires. Refuses with invalid-shape, naming the fault and the area.
 * The polygons of a MultiPolygon may overlap: together they are one area.
 */
function* readShape({ name, input }: NamedShape, budget: CheckBudget): Generator<void, AreaShape, void> {
  const refuse = (reason: ShapeFault) => new Refusal('invalid-shape', { reason, area: name });
  const { type, coordinates } = isRecord(input) ? input : {};
  const polygons = type === 'MultiPolygon' ? coordinates : [coordinates];
  if ((type !== 'Polygon' && type !== 'MultiPolygon') || !isFilledList(polygons))
    throw refuse('not-a-polygon');

  let positions = 0;
  const read: GridPoint[][][] = [];
  for (const rings of polygons) {
    if (!isFilledList(rings)) throw refuse('not-a-polygon');
    const polygon: GridPoint[][] = [];
    for (const [index, ring] of rings.entries()) {
      yield;
      if (!Array.isArray(ring)) throw refuse('not-a-polygon');
      positions += ring.length;
      if (positions > POSITIONS_MAX) throw refuse('too-many-positions');
      const points = yield* readRing(ring, index === 0 ? 1 : -1);
      if (typeof points === 'string') throw refuse(points);
      polygon.push(points);
    }
    read.push(polygon);
  }
  for (const rings of read) {
    const fault = yield* polygonFault(rings, budget);
    if (fault) throw refuse(fault);
  }

  yield;
  const written = read.map((rings) => rings.map((ring) => [...ring, ring[0]!].map(toDegrees)));
  return type === 'Polygon'
    ? { type, coordinates: written[0]! }
    : { type: 'MultiPolygon', coordinates: written };
}

/** The ring without its closing point, in the requested direction. Each pass over a long ring takes a millisecond. */
function* readRing(
  ring: readonly unknown[],
  direction: 1 | -1,
): Generator<void, GridPoint[] | ShapeFault, void> {
  if (!ring.every(isPosition)) return 'bad-position';
  if (!ring.every(([lng, lat]) => Math.abs(lng) <= 180 && Math.abs(lat) <= 90)) return 'out-of-range';
  if (ring.length < 4) return 'too-few-positions';
  yield;
  const points = ring.map(([lng, lat]) => toGrid(lng, lat));
  if (!samePoint(points[0]!, points.at(-1)!)) return 'ring-open';
  if (ring.some(([lng], index) => isOverAntimeridian(lng - (ring[index - 1] ?? ring[0]!)[0])))
    return 'over-antimeridian';
  yield;
  const open = points.slice(0, -1).filter((point, index) => !samePoint(point, points[index + 1]!));
  if (open.every((point) => turn(open[0]!, open[1] ?? point, point) === 0)) return 'no-area';
  yield;
  return signedArea(open) === direction ? open : [open[0]!, ...open.slice(1).reverse()];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const isFilledList = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > 0;

/**
 * An edge from 179 to -179 means either two degrees across the antimeridian or the rest of the earth, and only the
 * second can be stored. RFC 7946 requires such areas to be cut in two. An edge from -180 to 180 spans the whole
 * earth.
 */
const isOverAntimeridian = (degrees: number): boolean => Math.abs(degrees) > 180 && Math.abs(degrees) < 360;

/** A third number, the altitude, is allowed and ignored. */
const isPosition = (value: unknown): value is [lng: number, lat: number] =>
  Array.isArray(value) &&
  value.length >= 2 &&
  value.every((part) => typeof part === 'number' && Number.isFinite(part));
