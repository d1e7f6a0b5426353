import type { Address } from './address.ts';

/** A destination as it is ordered. */
export interface OrderedStop extends Address {
  orderNumber: string | null;
  externalId: string | null;
  recipientName: string | null;
  recipientPhone: string | null;
  note: string | null;
  /** What the driver collects from the recipient. */
  collectCents: number | null;
}

/**
 * A destination of a delivery. It keeps its id for life: from the scheduled delivery it may have been
 * ordered with, through dispatch, to whatever delivery it is grouped into.
 */
export interface Stop extends OrderedStop {
  id: number;
  /** The delivery it was ordered with; differs from the carrying one after a grouping. */
  orderedWith: number;
  /** From 0, without gaps. */
  order: number;
  concludedAt: Temporal.Instant | null;
}
