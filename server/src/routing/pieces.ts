import type { Matrix, RoadRoute } from './router.ts';

/** Two sides of this size are within the default limits of Valhalla (2,500 pairs) and of OSRM (100 coordinates). */
const BLOCK_SIDE_MAX = 50;
/** Valhalla's default limit for cars, the lowest of all. */
const ROUTE_POINTS_MAX = 20;

/** Computes a matrix of any size from blocks within an engine's limits. Sources and targets are indexes. */
export async function matrixByBlocks(
  size: number,
  ask: (sources: number[], targets: number[]) => Promise<Matrix>,
): Promise<Matrix> {
  const sides = chunks(Array.from({ length: size }, (_, index) => index));
  const bands = await Promise.all(
    sides.map((sources) => Promise.all(sides.map((targets) => ask(sources, targets)))),
  );
  return {
    metres: bands.flatMap((band) => beside(band.map(({ metres }) => metres))),
    seconds: bands.flatMap((band) => beside(band.map(({ seconds }) => seconds))),
  };
}

/** Computes a route over any number of points from pieces, each of which begins where the last one ended. */
export async function routeByPieces<Point>(
  points: readonly Point[],
  ask: (piece: readonly Point[], firstIndex: number) => Promise<RoadRoute>,
): Promise<RoadRoute> {
  const starts: number[] = [];
  for (let start = 0; start < points.length - 1; start += ROUTE_POINTS_MAX - 1) starts.push(start);
  const pieces = await Promise.all(
    starts.map((start) => ask(points.slice(start, start + ROUTE_POINTS_MAX), start)),
  );
  return wholeRoute(
    pieces.flatMap(({ legs }) => legs),
    pieces.map(({ geometry }) => geometry),
  );
}

/** The totals are sums of the rounded legs, so that a receipt that lists the legs adds up. */
export function wholeRoute(legs: RoadRoute['legs'], lines: RoadRoute['geometry'][]): RoadRoute {
  return {
    metres: legs.reduce((sum, { metres }) => sum + metres, 0),
    seconds: legs.reduce((sum, { seconds }) => sum + seconds, 0),
    legs,
    geometry: lines.flatMap((line, index) => (index === 0 ? line : line.slice(1))),
  };
}

function chunks(indexes: number[]): number[][] {
  const parts: number[][] = [];
  for (let start = 0; start < indexes.length; start += BLOCK_SIDE_MAX)
    parts.push(indexes.slice(start, start + BLOCK_SIDE_MAX));
  return parts;
}

const beside = (blocks: (number | null)[][][]): (number | null)[][] =>
  (blocks[0] ?? []).map((_, row) => blocks.flatMap((block) => block[row] ?? []));
