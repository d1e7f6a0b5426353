import type { Address, OrderedStop, Payment } from './order.ts';

/** The two kinds of request: one that awaits its dispatch, and one that a driver carries out. */
export type RequestNoun = 'scheduled' | 'delivery';

/** What a delivery and a scheduled delivery have in common. */
export interface RequestCore {
  id: number;
  companyId: number | null;
  customerId: number;
  categoryId: number;
  tariffId: number;
  payment: Payment;
  returning: boolean;
  note: string | null;
  couponId: number | null;
  discountPercent: string;
  pickup: Address;
  plannedMetres: number;
  plannedSeconds: number;
  grossCents: number;
  netCents: number;
  requestedAt: Temporal.Instant;
  /** The request of the same kind that carries the stops of this one. */
  groupedInto: number | null;
  /** Grows with every change. A plan that was made on an older version is not saved. */
  version: number;
}

/** A stop of a request. It keeps its id through dispatch and grouping. */
export interface Stop extends OrderedStop {
  id: number;
  /** The request that carries it now. */
  carriedBy: number;
  /** The request it was ordered with; differs from `carriedBy` after a grouping. */
  orderedWith: number;
  /** From 0, without gaps, within the carrying request. */
  order: number;
  /** The secret part of its tracking link; only stops of deliveries have a link. */
  trackingToken: string | null;
  concludedAt: Temporal.Instant | null;
}

export const isConcluded = ({ concludedAt }: Pick<Stop, 'concludedAt'>): boolean => concludedAt !== null;

/** Concluded stops first, in the order in which they were visited; then the others, in their planned order. */
export function inVisitOrder<Each extends Pick<Stop, 'order' | 'concludedAt'>>(
  stops: readonly Each[],
): Each[] {
  const done = stops.filter(isConcluded);
  done.sort((a, b) => Temporal.Instant.compare(a.concludedAt!, b.concludedAt!) || a.order - b.order);
  const toVisit = stops.filter((stop) => !isConcluded(stop)).sort((a, b) => a.order - b.order);
  return [...done, ...toVisit];
}
