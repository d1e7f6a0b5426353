import type { Central } from '../../centrals/central.ts';
import type { EstimateDeps, Trip } from '../../money/pricing/estimateTrip.ts';
import { categoryOf } from '../../money/pricing/priceBook.ts';
import type { Position } from '../../platform/kernel/position.ts';
import { findPosition } from '../../registers/drivers/positionStore.ts';
import type { RequestCore } from '../orders/request.ts';
import { findTried } from '../orders/visitStore.ts';
import type { Delivery } from './delivery.ts';

interface Placed {
  position: Position;
}

/** The rest of a trip: the stops that were visited, and those still to visit from where the driver is. */
export interface RemainingStops {
  done: readonly Placed[];
  open: readonly (Placed & { id: number | null })[];
  /** True lets the server choose the order of the open stops, in which those with failed attempts come last. */
  optimise: boolean;
}

/** The request whose trip is estimated, with the terms that decide its price. */
interface Carrier extends Pick<RequestCore, 'categoryId' | 'pickup' | 'discountPercent' | 'returning'> {
  /** The time that decides the tariff's window. */
  at: Temporal.Instant;
  /** The driver whose position the open stops begin at; null: they begin at the pickup. */
  driverId: number | null;
  /** Whether stops may have failed attempts. */
  isDelivery: boolean;
}

/** The remaining trip of a delivery, for estimateTrip. Only a driver who has the goods continues from its position. */
export const remainingTripOf = (
  deps: EstimateDeps,
  central: Central,
  delivery: Delivery,
  stops: RemainingStops,
): Promise<Trip> =>
  remainingTrip(
    deps,
    central,
    {
      ...delivery,
      at: delivery.requestedAt,
      driverId: delivery.status === 'in_progress' ? delivery.driverId : null,
      isDelivery: true,
    },
    stops,
  );

export async function remainingTrip(
  { db, priceBooks }: EstimateDeps,
  central: Central,
  carrier: Carrier,
  { done, open, optimise }: RemainingStops,
): Promise<Trip> {
  const { driverId, isDelivery, pickup, at, returning, discountPercent } = carrier;
  const category = categoryOf(await priceBooks.of(central.id), carrier);
  const [driverAt, last] = await Promise.all([
    driverId === null ? undefined : findPosition(db, central.id, driverId),
    optimise && isDelivery ? findTried(db, central.id, open) : [],
  ]);
  return {
    category,
    pickup: pickup.position,
    done: done.map(({ position }) => position),
    stops: open.map(({ position }) => position),
    last,
    returning,
    at,
    discountPercent,
    optimise,
    ...(driverAt && { continuesFrom: driverAt }),
  };
}
