import Flatbush from 'flatbush';
import { capacityWith, isKnownToLack } from '../../platform/kernel/load.ts';
import { haversineMetres, METRES_PER_DEGREE, type Position } from '../../platform/kernel/position.ts';
import type { FreeDriver, Searching } from './distributionStore.ts';

export interface Reach {
  metresMax: number;
  /** How near to the end of a driver's delivery its next one must begin; 0 when there is no next one. */
  nextPickupMetresMax: number;
  /** How many drivers are considered for one delivery. */
  limit: number;
}

type FindNearest = (delivery: Searching, reach: Reach) => FreeDriver[];

/**
 * Finds the drivers nearest to a place without examining all of them. Each category has a separate index: deliveries of
 * a category without free drivers cost nothing.
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
  // Degrees of longitude shrink with the latitude. Scaled, a plane is accurate enough within a city.
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
    mayCarry(driver, delivery) &&
    (driver.carrying === null || mayCarryNext(driver.carrying.companyId, driver.from, delivery, reach))
  );
}

/** Drivers who are known to lack what the delivery demands are not asked. */
const mayCarry = ({ capacity }: FreeDriver, { demands }: Searching): boolean =>
  demands === null || !isKnownToLack(capacityWith(capacity, demands.ofCategory), demands.needed);

/** A driver bound to companies gets only their deliveries. */
const worksFor = ({ companyIds }: FreeDriver, companyId: number | null): boolean =>
  companyIds.length === 0 || (companyId !== null && companyIds.includes(companyId));

/** Whether the delivery is of the same company and begins near the end of the driver's current one. */
function mayCarryNext(companyId: number | null, end: Position, delivery: Searching, reach: Reach): boolean {
  return (
    companyId !== null &&
    companyId === delivery.companyId &&
    haversineMetres(end, delivery.pickup) <= reach.nextPickupMetresMax
  );
}

/** A column that is allowed for a row, and its cost. */
export interface Choice {
  column: number;
  cost: number;
}

/**
 * Minimum-cost assignment of rows to columns (shortest augmenting paths, as in Jonker and Volgenant's method): as many
 * pairs as possible, and among those the ones of least total cost. Only allowed pairs are given, so the cost of a row
 * depends on its choices and not on the whole matrix. Returns the column of each row, or null. Yields after each row.
 */
export function* assign(
  rows: readonly (readonly Choice[])[],
  columns: number,
): Generator<void, (number | null)[], void> {
  // Every row has a private column that means unpaired. It costs more than any pairing of all other rows, so a row
  // stays unpaired only if no pairing with one more pair exists.
  const dearest = rows.reduce(
    (most, choices) => choices.reduce((max, { cost }) => Math.max(max, cost), most),
    0,
  );
  const alone = (dearest + 1) * (rows.length + 1);
  const width = columns + rows.length;

  // Potentials keep all reduced costs at or above zero, so each row is added by one shortest path.
  const rowPotential = new Float64Array(rows.length);
  const columnPotential = new Float64Array(width);
  const rowOf = new Int32Array(width).fill(-1);
  const distance = new Float64Array(width).fill(Number.POSITIVE_INFINITY);
  const cameFrom = new Int32Array(width).fill(-1);
  const isSettled = new Uint8Array(width);

  for (let start = 0; start < rows.length; start += 1) {
    const settled: number[] = [];
    /** Reached and not settled: so few that the nearest is found by a linear search. */
    const reached: number[] = [];
    const reach = (column: number, length: number, via: number): void => {
      if (isSettled[column] || length >= distance[column]!) return;
      if (distance[column] === Number.POSITIVE_INFINITY) reached.push(column);
      distance[column] = length;
      cameFrom[column] = via;
    };
    let row = start;
    let way = 0;
    let via = -1;
    let end = -1;
    while (end === -1) {
      const base = way - rowPotential[row]!;
      for (const { column, cost } of rows[row]!) reach(column, base + cost - columnPotential[column]!, via);
      reach(columns + row, base + alone - columnPotential[columns + row]!, via);
      const nearest = takeNearest(reached, distance);
      way = distance[nearest]!;
      isSettled[nearest] = 1;
      settled.push(nearest);
      if (rowOf[nearest] === -1) end = nearest;
      row = rowOf[nearest]!;
      via = nearest;
    }
    for (const column of settled) {
      if (column === end) continue;
      columnPotential[column]! += distance[column]! - way;
      rowPotential[rowOf[column]!]! += way - distance[column]!;
    }
    rowPotential[start]! += way;
    for (let at = end; at !== -1; ) {
      const previous: number = cameFrom[at]!;
      rowOf[at] = previous === -1 ? start : rowOf[previous]!;
      at = previous;
    }
    for (const column of [...settled, ...reached]) {
      distance[column] = Number.POSITIVE_INFINITY;
      cameFrom[column] = -1;
      isSettled[column] = 0;
    }
    yield;
  }

  const columnOf: (number | null)[] = rows.map(() => null);
  for (let column = 0; column < columns; column += 1)
    if (rowOf[column] !== -1) columnOf[rowOf[column]!] = column;
  return columnOf;
}

/** Never empty, because every row can use its private column. */
function takeNearest(reached: number[], distance: Float64Array): number {
  let at = 0;
  for (let index = 1; index < reached.length; index += 1)
    if (distance[reached[index]!]! < distance[reached[at]!]!) at = index;
  const nearest = reached[at]!;
  reached[at] = reached.at(-1)!;
  reached.pop();
  return nearest;
}
