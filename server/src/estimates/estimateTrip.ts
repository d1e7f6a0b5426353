import type { OperatingArea } from '../areas/area.ts';
import type { Central } from '../centrals/central.ts';
import type { Position } from '../kernel/position.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Deps } from '../postgres/deps.ts';
import { PointOffRoad, type Router, RoutingUnavailable } from '../routing/router.ts';
import type { Routers } from '../routing/routers.ts';
import type { Category } from './categoryStore.ts';
import type { CouponGuard } from './couponGuard.ts';
import { NoWay, planStops } from './planStops.ts';
import { type Price, priceDelivery } from './price.ts';
import { type PriceBook, type PriceBooks, tariffFor } from './priceBook.ts';
import type { PlacedTariff } from './tariffStore.ts';

export interface EstimateDeps extends Deps {
  priceBooks: PriceBooks;
  routers: Routers;
  couponGuard: CouponGuard;
}

export interface Trip {
  category: Category;
  pickup: Position;
  /** For a delivery in progress, only the open stops. */
  stops: readonly Position[];
  /** Concluded stops, in their order; they count for distance, time and price, and keep their places. */
  done?: readonly Position[];
  /** The driver's position: the order of the stops begins there; the way from there is not charged. */
  continuesFrom?: Position;
  returning: boolean;
  /** The departure, which decides the tariff's window. */
  at: Temporal.Instant;
  /** Decimal percent, "0" when there is no coupon. */
  discountPercent: string;
  /** True lets the server choose the order of the stops. */
  optimise: boolean;
}

export interface Estimate extends Price {
  /** The area of the pickup, which decided the tariff. */
  area: OperatingArea;
  tariff: PlacedTariff;
  /** Indexes into the trip's stops, in the order of visiting. */
  order: number[];
  metres: number;
  seconds: number;
}

/** The only function that turns a trip into time, distance and price, so every caller gets the same answer. */
export async function estimateTrip(
  { priceBooks }: Pick<EstimateDeps, 'priceBooks'>,
  router: Router,
  central: Central,
  trip: Trip,
): Promise<Estimate> {
  const book = await priceBooks.of(central.id);
  const area = servedArea(book, trip);
  const tariff = tariffFor(book, trip.category.id, area.id);
  const plan = await planStops(router, {
    start: trip.pickup,
    stops: trip.stops,
    profile: trip.category.profile,
    optimise: trip.optimise,
    ...(trip.done && { done: trip.done }),
    ...(trip.continuesFrom && { continuesFrom: trip.continuesFrom }),
    ...(trip.returning && { end: trip.pickup }),
  }).catch(refuseUnplannable);
  const price = priceDelivery({
    tariff,
    outwardMetres: plan.outwardMetres,
    outwardSeconds: plan.outwardSeconds,
    backMetres: plan.backMetres,
    backSeconds: plan.backSeconds,
    stops: trip.stops.length + (trip.done?.length ?? 0),
    at: trip.at,
    timeZone: central.timeZone,
    discountPercent: trip.discountPercent,
  });
  return {
    ...price,
    area,
    tariff,
    order: plan.order,
    metres: plan.outwardMetres + plan.backMetres,
    seconds: plan.outwardSeconds + plan.backSeconds,
  };
}

/** Every point must be inside an operating area; the area of the pickup decides. */
function servedArea(book: PriceBook, trip: Trip): OperatingArea {
  const points = [trip.pickup, ...(trip.done ?? []), ...trip.stops];
  const areas = points.map((point) => book.areas.areaAt(point));
  const outside = points[areas.indexOf(undefined)];
  if (outside) throw new Refusal('outside-operating-areas', { lat: outside.lat, lng: outside.lng });
  return areas[0]!;
}

/** Every failure of the router gives the caller the same refusal: no estimate (contract 7.2, 422). */
function refuseUnplannable(error: unknown): never {
  if (error instanceof RoutingUnavailable || error instanceof PointOffRoad || error instanceof NoWay)
    throw new Refusal('estimate-impossible');
  throw error;
}
