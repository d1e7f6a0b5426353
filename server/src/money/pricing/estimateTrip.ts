import type { Caller, Scope } from '../../centrals/caller.ts';
import type { Central } from '../../centrals/central.ts';
import { isUnroutable, type Profile, type RoadRoute, type Router } from '../../geo/routing/router.ts';
import { estimatorFor, type Routers } from '../../geo/routing/routers.ts';
import type { Position } from '../../platform/kernel/position.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import type { OperatingArea } from '../../registers/areas/area.ts';
import type { OrderingCompany } from '../../registers/companies/company.ts';
import type { CouponGuard } from './couponGuard.ts';
import { type Coupon, findUsableCoupon, type UsableCoupon } from './couponStore.ts';
import { isUnplannable, planStops } from './planStops.ts';
import { type Price, priceDelivery } from './price.ts';
import {
  chooseCategory,
  defaultCategoryId,
  type PriceBook,
  type PriceBooks,
  tariffFor,
} from './priceBook.ts';
import type { Category, PlacedTariff } from './tariffStore.ts';

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
  /** Indexes into `stops` that come after all others where the order is chosen. */
  last?: readonly number[];
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
    ...(trip.last && { last: trip.last }),
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
  if (isUnplannable(error)) throw new Refusal('estimate-impossible');
  throw error;
}

/** A trip as requested: company, category and coupon are not resolved yet. */
export interface AskedTrip extends Pick<Trip, 'pickup' | 'stops' | 'returning' | 'at'> {
  companyId: number | null;
  /** Without an id and a name, the company's default category applies, or without a company the central's. */
  category: { id?: number | undefined; name?: string | undefined };
  couponCode: string | null;
  /** The coupon that the trip was sold with. It stays valid for this trip, with the percentage of that time. */
  heldCoupon?: Pick<Coupon, 'id' | 'code' | 'percent'> | null;
  /** Whether wrong codes count against the login. False for a login that may read all codes. */
  countsWrongCodes?: boolean;
}

export interface Quote {
  company: OrderingCompany | null;
  category: Category;
  coupon: UsableCoupon | null;
  estimate: Estimate;
}

type QuoteCaller = Scope & { central: Central; userId: number | null };

/** Who orders, and in which category. */
export async function chooseCompanyAndCategory(
  book: PriceBook,
  caller: Scope,
  asked: Pick<AskedTrip, 'companyId' | 'category'>,
): Promise<Pick<Quote, 'company' | 'category'>> {
  const company = asked.companyId === null ? null : await companyInScope(book, caller, asked.companyId);
  if (company === undefined) throw new Refusal('company-not-found');
  if (company?.active === false) throw new Refusal('company-inactive');
  const fallbackId = company ? company.defaultCategoryId : defaultCategoryId(book);
  return { company, category: chooseCategory(book, asked.category, fallbackId) };
}

/**
 * The price of a trip for the caller. Estimates and new deliveries both use this function, so a delivery opened
 * from an estimate costs exactly the estimated amount. Stops keep the given order.
 */
export async function quoteTrip(deps: EstimateDeps, caller: QuoteCaller, asked: AskedTrip): Promise<Quote> {
  const { priceBooks, routers } = deps;
  const { central } = caller;
  const book = await priceBooks.of(central.id);
  const { company, category } = await chooseCompanyAndCategory(book, caller, asked);
  const coupon = await chooseCoupon(deps, caller, asked);

  const { pickup, stops, returning, at } = asked;
  const discountPercent = coupon?.percent ?? '0';
  const trip = { category, pickup, stops, returning, at, discountPercent, optimise: false };
  const estimate = await estimateTrip(deps, routers.forEstimates(central.settings), central, trip);
  return { company, category, coupon, estimate };
}

const companyInScope = async (
  book: PriceBook,
  { companyId }: Scope,
  id: number,
): Promise<OrderingCompany | undefined> =>
  companyId === null || companyId === id ? book.company(id) : undefined;

/** Every fault of a code gives the same refusal. */
async function chooseCoupon(
  { db, clock, couponGuard }: EstimateDeps,
  { central, userId }: QuoteCaller,
  { couponCode, heldCoupon, companyId, countsWrongCodes }: AskedTrip,
): Promise<UsableCoupon | null> {
  if (couponCode === null) return null;
  if (heldCoupon?.code.toUpperCase() === couponCode.toUpperCase()) return heldCoupon;
  const find = () => findUsableCoupon(db, central.id, couponCode, companyId, clock.now());
  const login = { centralId: central.id, userId };
  const coupon = countsWrongCodes
    ? await couponGuard.attempt(login, central.settings.wrongCouponsMax, find)
    : await find();
  if (!coupon) throw new Refusal('coupon-invalid');
  return coupon;
}

/** The line through some places for a map: along the roads where they are known, otherwise straight. */
export async function drawRoute(
  { routers }: Pick<EstimateDeps, 'routers'>,
  { central: { settings } }: Pick<Caller, 'central'>,
  points: readonly Position[],
  profile: Profile,
): Promise<RoadRoute> {
  try {
    return await routers.forEstimates(settings).route(points, profile);
  } catch (error) {
    if (!isUnroutable(error)) throw error;
    return estimatorFor(settings).route(points, profile);
  }
}
