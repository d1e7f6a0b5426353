import { amountIn, arrayIn, matrixIn, nonsense, objectIn, textIn } from './engineOverHttp.ts';
import { wholeRoute } from './osmBlock.ts';
import type { Matrix, RoadRoute } from './router.ts';

const METRES_PER_KM = 1000;

/** Newer servers answer two tables in concise mode; older ones always answer a table of cells. */
export function matrixFromValhalla(answer: unknown, size: { rows: number; columns: number }): Matrix {
  const { sources_to_targets: table, units } = objectIn(answer, 'the matrix');
  assertKilometres(units);
  if (!Array.isArray(table)) {
    const { distances, durations } = objectIn(table, 'the table');
    return matrixIn(distances, durations, size, METRES_PER_KM);
  }
  const rows = table.map((row) => (Array.isArray(row) ? row : []).map((cell) => objectIn(cell, 'a cell')));
  return matrixIn(
    rows.map((row) => row.map(({ distance }) => distance)),
    rows.map((row) => row.map(({ time }) => time)),
    size,
    METRES_PER_KM,
  );
}

export function routeFromValhalla(answer: unknown, legCount: number): RoadRoute {
  const { legs, units } = objectIn(objectIn(answer, 'the route').trip, 'the trip');
  assertKilometres(units);
  const parsed = arrayIn(legs, legCount, 'the legs').map((value) => {
    const leg = objectIn(value, 'a leg');
    const { length, time } = objectIn(leg.summary, 'the summary');
    const line = decodePolyline(textIn(leg.shape, 'the shape'));
    if (line === null || line.length < 2) throw nonsense('the shape is no line');
    const metres = amountIn(length, 'the length', METRES_PER_KM);
    return { leg: { metres, seconds: amountIn(time, 'the time') }, line };
  });
  return wholeRoute(
    parsed.map(({ leg }) => leg),
    parsed.map(({ line }) => line),
  );
}

/** The first point that lies on no road, or null when all do. */
export function offRoadFromValhalla(answer: unknown, count: number): number | null {
  const index = arrayIn(answer, count, 'the located points').findIndex(
    (point) => !Array.isArray(objectIn(point, 'a located point').edges),
  );
  return index === -1 ? null : index;
}

function assertKilometres(units: unknown): void {
  if (units !== 'kilometers') throw nonsense(`its unit is ${String(units)}`);
}

const UNITS_PER_DEGREE = 1e6;

/**
 * [lng, lat] pairs from an encoded polyline of six decimals, the form of Valhalla's shapes. Null when the text is
 * invalid.
 */
export function decodePolyline(text: string): [number, number][] | null {
  const line: [number, number][] = [];
  const at = [0, 0] as [lat: number, lng: number];
  let axis: 0 | 1 = 0;
  let value = 0;
  let shift = 0;
  for (let index = 0; index < text.length; index++) {
    const chunk = text.charCodeAt(index) - 63;
    if (chunk < 0 || chunk > 63 || shift > 30) return null;
    value += (chunk & 31) * 2 ** shift;
    shift += 5;
    if (chunk >= 32) continue;
    at[axis] += value % 2 === 1 ? -(value + 1) / 2 : value / 2;
    if (axis === 1) line.push([at[1] / UNITS_PER_DEGREE, at[0] / UNITS_PER_DEGREE]);
    axis = axis === 0 ? 1 : 0;
    value = 0;
    shift = 0;
  }
  const isWhole = axis === 0 && shift === 0;
  return isWhole && line.every(isOnEarth) ? line : null;
}

const isOnEarth = ([lng, lat]: [number, number]): boolean => Math.abs(lat) <= 90 && Math.abs(lng) <= 180;
