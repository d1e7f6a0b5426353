import type { Payment } from './payment.ts';

interface Place {
  address: string;
  district: string;
  city: string;
  state: string;
}

/** What a finished delivery was, for whoever has to account for it. */
export interface Receipt {
  id: number;
  driver: { name: string; phone: string; vehicle: string; plate: string };
  company: { id: number; name: string; document: string } | null;
  category: { id: number; name: string; description: string };
  tariffName: string;
  payment: Payment;
  /** Before and after the coupon. */
  grossCents: number;
  netCents: number;
  /** Decimal percent. */
  discountPercent: string;
  travelledMetres: number;
  pickup: Place;
  /** Where it ended: the last destination, or the pickup when it returned. */
  end: Place;
  startedAt: Temporal.Instant;
  finishedAt: Temporal.Instant;
}
