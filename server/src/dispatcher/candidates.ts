import Flatbush from 'flatbush';
import { haversineMetres, type Position } from '../kernel/position.ts';
import type { FreeDriver, Searching } from './distributionStore.ts';

export interface Reach {
  metresMax: number;
  /** How near to the end of a driver's delivery its next one must begin; 0 when there is no next one. */
  nextPickupMetresMax: number;
  /** How many drivers are looked at for one delivery. */
  most: number;
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
      .neighbors(lng * scale, lat, reach.most, (reach.metresMax * 1.02) / METRES_PER_DEGREE, (at) =>
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
