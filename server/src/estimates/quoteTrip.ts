import type { Sight } from '../centrals/caller.ts';
import type { Central } from '../centrals/central.ts';
import type { Company } from '../companies/company.ts';
import { findCompany } from '../companies/companyStore.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Category } from './category.ts';
import { type Coupon, findUsableCoupon, type UsableCoupon } from './couponStore.ts';
import { type Estimate, type EstimateNeeds, estimateTrip, type Trip } from './estimateTrip.ts';
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

type QuoteCaller = Sight & { central: Central; userId: number | null };

/**
 * What a trip costs whoever asks. Estimates and new deliveries both come through here, so that a delivery
 * opened from an estimate costs what was said, to the cent. Stops are taken in the order given.
 */
export async function quoteTrip(needs: EstimateNeeds, caller: QuoteCaller, asked: AskedTrip): Promise<Quote> {
  const { db, priceBooks, routers } = needs;
  const { central } = caller;
  const company = asked.companyId === null ? null : await findCompany(db, caller, asked.companyId);
  if (company === undefined) throw new Refusal('company-not-found');
  if (company?.active === false) throw new Refusal('company-inactive');

  const book = await priceBooks.of(central.id);
  const fallbackId = company ? company.defaultCategoryId : defaultCategoryId(book);
  const category = chooseCategory(book, asked.category, fallbackId);
  const coupon = await chooseCoupon(needs, caller, asked);

  const { pickup, stops, returning, at } = asked;
  const discountPercent = coupon?.percent ?? '0';
  const trip = { category, pickup, stops, returning, at, discountPercent, optimise: false };
  const estimate = await estimateTrip(needs, routers.forEstimates(central.settings), central, trip);
  return { company, category, coupon, estimate };
}

/** Whatever is wrong with a code, the refusal is the same. */
async function chooseCoupon(
  { db, clock, couponGuard }: EstimateNeeds,
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
