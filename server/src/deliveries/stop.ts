import type { Address } from './address.ts';

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
