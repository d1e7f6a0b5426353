import Flatbush from 'flatbush';
import { haversineMetres, type Position } from '../kernel/position.ts';
import type { FreeDriver, Searching } from './distributionStore.ts';

export interface Reach {
  metresMax: number;
  /** How near to the end of a driver's delivery its next one must begin; 0 when there is no next one. */
  nextPickupMetresMax: number;
  /** How many drivers are looked at for one delivery. */
  limit: number;
}

const METRES_PER_DEGREE = 111_195;

type FindNearest = (delivery: Searching, reach: Reach) => FreeDriver[];

/**
 * Finds the drivers nearest to a place without looking at all of them. Each category has its own index: where nobody of
 * a category is free, those who wait for one cost nothing.
 */
export function indexDrivers(drivers: readonly FreeDriver[]): FindNearest {
  const categories = new Set(drivers.flatMap(({ categoryIds }) => categoryIds));
  const indexes = new Map(
    [...categories].map((id) => [
      id,
      indexPlaces(drivers.filter((driver) => driver.categoryIds.includes(id))),
    ]),
  );
  return (delivery, reach) => indexes.get(delivery.categoryId)?.(delivery, reach) ?? [];
}

function indexPlaces(drivers: readonly FreeDriver[]): FindNearest {
  // Degrees of longitude shrink with the latitude: scaled, the plane is near enough within a city.
  const scale = Math.cos((drivers[0]!.from.lat * Math.PI) / 180);
  const index = new Flatbush(drivers.length);
  for (const { from } of drivers) index.add(from.lng * scale, from.lat, from.lng * scale, from.lat);
  index.finish();
  return (delivery, reach) => {
    const { lat, lng } = delivery.pickup;
    return index
      .neighbors(lng * scale, lat, reach.limit, (reach.metresMax * 1.02) / METRES_PER_DEGREE, (at) =>
        mayBeAsked(drivers[at]!, delivery, reach),
      )
      .map((at) => drivers[at]!);
  };
}

function mayBeAsked(driver: FreeDriver, delivery: Searching, reach: Reach): boolean {
  return (
    worksFor(driver, delivery.companyId) &&
    !delivery.asked.includes(driver.id) &&
    haversineMetres(driver.from, delivery.pickup) <= reach.metresMax &&
    (driver.carrying === null || mayCarryNext(driver.carrying.companyId, driver.from, delivery, reach))
  );
}

/** One that is bound to companies is offered only theirs. */
const worksFor = ({ companyIds }: FreeDriver, companyId: number | null): boolean =>
  companyIds.length === 0 || (companyId !== null && companyIds.includes(companyId));

/** Of the same company, and on the driver's way: it begins near where the current one ends. */
function mayCarryNext(companyId: number | null, end: Position, delivery: Searching, reach: Reach): boolean {
  return (
    companyId !== null &&
    companyId === delivery.companyId &&
    haversineMetres(end, delivery.pickup) <= reach.nextPickupMetresMax
  );
}

/**
 * Minimum-cost assignment of rows to columns (shortest augmenting paths, as in Jonker and Volgenant's
 * method): as many pairs as possible, and among those the ones of least total cost. A null cell is a pair
 * that may not be. Answers, for each row, its column or null. O(rows² × columns).
 */
export function assign(cost: readonly (readonly (number | null)[])[]): (number | null)[] {
  const rows = cost.length;
  const columns = cost[0]?.length ?? 0;
  if (rows === 0 || columns === 0) return cost.map(() => null);

  // Every row has a column of its own to stay alone in, dearer than any real pairing of all the others:
  // so a row stays alone only where no pairing could spare it.
  const dearest = Math.max(0, ...cost.flat().filter((cell) => cell !== null));
  const alone = (dearest + 1) * (rows + 1);
  const width = columns + rows;
  const cellAt = (row: number, column: number): number => {
    if (column >= columns) return column - columns === row ? alone : Number.POSITIVE_INFINITY;
    return cost[row]![column] ?? Number.POSITIVE_INFINITY;
  };

  // Potentials keep all reduced costs at or above zero, so each row is added by one shortest path.
  const rowPotential = new Float64Array(rows);
  const columnPotential = new Float64Array(width);
  const rowOf = new Int32Array(width).fill(-1);
  const distance = new Float64Array(width);
  const cameFrom = new Int32Array(width);
  const settled = new Uint8Array(width);

  for (let start = 0; start < rows; start += 1) {
    distance.fill(Number.POSITIVE_INFINITY);
    settled.fill(0);
    cameFrom.fill(-1);
    let row = start;
    let reached = 0;
    let column = -1;
    let via = -1;
    for (;;) {
      for (let to = 0; to < width; to += 1) {
        if (settled[to]) continue;
        const length = reached + cellAt(row, to) - rowPotential[row]! - columnPotential[to]!;
        if (length < distance[to]!) {
          distance[to] = length;
          cameFrom[to] = via;
        }
      }
      column = nearestUnsettled(distance, settled);
      reached = distance[column]!;
      settled[column] = 1;
      if (rowOf[column] === -1) break;
      row = rowOf[column]!;
      via = column;
    }
    for (let to = 0; to < width; to += 1) {
      if (!settled[to] || to === column) continue;
      columnPotential[to]! += distance[to]! - reached;
      rowPotential[rowOf[to]!]! += reached - distance[to]!;
    }
    rowPotential[start]! += reached;
    for (let at = column; at !== -1; ) {
      const previous = cameFrom[at]!;
      rowOf[at] = previous === -1 ? start : rowOf[previous]!;
      at = previous;
    }
  }

  const columnOf: (number | null)[] = cost.map(() => null);
  for (let column = 0; column < columns; column += 1)
    if (rowOf[column] !== -1) columnOf[rowOf[column]!] = column;
  return columnOf;
}

function nearestUnsettled(distance: Float64Array, settled: Uint8Array): number {
  let nearest = -1;
  for (let column = 0; column < distance.length; column += 1)
    if (!settled[column] && (nearest === -1 || distance[column]! < distance[nearest]!)) nearest = column;
  return nearest;
}
