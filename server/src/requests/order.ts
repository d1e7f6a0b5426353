import type { Person } from '../companies/company.ts';
import type { Category } from '../estimates/categoryStore.ts';
import type { Estimate } from '../estimates/estimateTrip.ts';
import type { Position } from '../kernel/position.ts';

export interface Address {
  address: string;
  complement: string | null;
  reference: string | null;
  district: string;
  city: string;
  state: string;
  position: Position;
}

/**
 * A destination as it is ordered. Written down it gets an id, which it keeps for life: from the scheduled
 * delivery it may have been ordered with, through dispatch, to whatever delivery it is grouped into.
 */
export interface OrderedStop extends Address {
  orderNumber: string | null;
  externalId: string | null;
  recipientName: string | null;
  recipientPhone: string | null;
  note: string | null;
  /** What the driver collects from the recipient. */
  collectCents: number | null;
  /** What the recipient tells the driver, where whoever ordered chose it; otherwise one is made when it is needed. */
  confirmationCode: number | null;
}

export const PAYMENTS = [
  'cash',
  'voucher',
  'ticket',
  'third_party_wallet',
  'credit_card',
  'debit_card',
  'app_card',
  'instant_transfer',
  'third_party_app',
  'messaging_app',
  'credit_wallet',
  'invoiced',
] as const;
export type Payment = (typeof PAYMENTS)[number];

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
