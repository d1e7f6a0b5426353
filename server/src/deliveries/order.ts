import type { Person } from '../companies/company.ts';
import type { Category } from '../estimates/category.ts';
import type { Estimate } from '../estimates/estimateTrip.ts';
import type { Address } from './address.ts';
import type { Payment } from './payment.ts';
import type { OrderedStop } from './stop.ts';

/** What somebody asks for: the same for an immediate delivery, a scheduled one, and an edit. */
export interface Order {
  companyId: number | null;
  /** Who it is for when no company orders it. */
  person: Person | null;
  category: { id?: number | undefined; name?: string | undefined };
  payment: Payment;
  returning: boolean;
  note: string | null;
  couponCode: string | null;
  pickup: Address;
  stops: readonly OrderedStop[];
}

/** An order whose company, category, coupon and price are settled; only writing it down is left. */
export interface PreparedOrder {
  order: Order;
  companyId: number | null;
  needsRelease: boolean;
  category: Category;
  couponId: number | null;
  discountPercent: string;
  estimate: Estimate;
}
