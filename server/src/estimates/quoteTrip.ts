import type { Caller, Scope } from '../centrals/caller.ts';
import type { Central } from '../centrals/central.ts';
import type { Company } from '../companies/company.ts';
import { findCompany } from '../companies/companyStore.ts';
import type { Position } from '../kernel/position.ts';
import { Refusal } from '../kernel/refusal.ts';
import { PointOffRoad, type Profile, type RoadRoute, RoutingUnavailable } from '../routing/router.ts';
import { estimatorFor } from '../routing/routers.ts';
import type { Category } from './categoryStore.ts';
import { type Coupon, findUsableCoupon, type UsableCoupon } from './couponStore.ts';
import { type Estimate, type EstimateDeps, estimateTrip, type Trip } from './estimateTrip.ts';
import { chooseCategory, defaultCategoryId } from './priceBook.ts';

/** A trip as requested: company, category and coupon are not resolved yet. */
export interface AskedTrip extends Pick<Trip, 'pickup' | 'stops' | 'returning' | 'at'> {
  companyId: number | null;
  /** Without either: the company's default category, or without a company the central's. */
  category: { id?: number | undefined; name?: string | undefined };
  couponCode: string | null;
  /** The coupon that the trip was sold with: it stays valid for it, at its percentage of that time. */
  heldCoupon?: Pick<Coupon, 'id' | 'code' | 'percent'> | null;
  /** Wrong codes count against the login. Not used for roles that may read all codes. */
  countsWrongCodes?: boolean;
}

export interface Quote {
  company: Company | null;
  category: Category;
  coupon: UsableCoupon | null;
  estimate: Estimate;
}

type QuoteCaller = Scope & { central: Central; userId: number | null };

/**
 * The price of a trip for the caller. Estimates and new deliveries both use this function, so a delivery opened
 * from an estimate costs exactly the estimated amount. Stops keep the given order.
 */
export async function quoteTrip(deps: EstimateDeps, caller: QuoteCaller, asked: AskedTrip): Promise<Quote> {
  const { db, priceBooks, routers } = deps;
  const { central } = caller;
  const company = asked.companyId === null ? null : await findCompany(db, caller, asked.companyId);
  if (company === undefined) throw new Refusal('company-not-found');
  if (company?.active === false) throw new Refusal('company-inactive');

  const book = await priceBooks.of(central.id);
  const fallbackId = company ? company.defaultCategoryId : defaultCategoryId(book);
  const category = chooseCategory(book, asked.category, fallbackId);
  const coupon = await chooseCoupon(deps, caller, asked);

  const { pickup, stops, returning, at } = asked;
  const discountPercent = coupon?.percent ?? '0';
  const trip = { category, pickup, stops, returning, at, discountPercent, optimise: false };
  const estimate = await estimateTrip(deps, routers.forEstimates(central.settings), central, trip);
  return { company, category, coupon, estimate };
}

/** Every fault of a code gives the same refusal. */
async function chooseCoupon(
  { db, clock, couponGuard }: EstimateDeps,
  { central, userId }: QuoteCaller,
  { couponCode, heldCoupon, companyId, countsWrongCodes }: AskedTrip,
): Promise<UsableCoupon | null> {
  if (couponCode === null) return null;
  if (heldCoupon?.code.toUpperCase() === couponCode.toUpperCase()) return heldCoupon;
  const look = () => findUsableCoupon(db, central.id, couponCode, companyId, clock.now());
  const login = { centralId: central.id, userId };
  const coupon = countsWrongCodes
    ? await couponGuard.attempt(login, central.settings.wrongCouponsMax, look)
    : await look();
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
    if (!(error instanceof RoutingUnavailable || error instanceof PointOffRoad)) throw error;
    return estimatorFor(settings).route(points, profile);
  }
}
