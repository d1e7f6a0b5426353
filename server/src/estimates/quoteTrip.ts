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

/** A trip as people ask for it: the company, the category and the coupon are still only named. */
export interface AskedTrip extends Pick<Trip, 'pickup' | 'stops' | 'returning' | 'at'> {
  companyId: number | null;
  /** Neither: the company's default one; without a company the central's. */
  category: { id?: number | undefined; name?: string | undefined };
  couponCode: string | null;
  /** One that the trip was sold with: it stays good for it, at the percentage of that time. */
  heldCoupon?: Pick<Coupon, 'id' | 'code' | 'percent'> | null;
  /** Wrong codes count against the login. Not for those who may read all codes anyway. */
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
 * What a trip costs whoever asks. Estimates and new deliveries both come through here, so that a delivery
 * opened from an estimate costs what was said, to the cent. Stops are taken in the order given.
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

/** Whatever is wrong with a code, the refusal is the same. */
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

/** The way through some places as a line to look at: along the roads where they are known, otherwise straight. */
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
