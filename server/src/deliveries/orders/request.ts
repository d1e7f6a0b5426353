import type { Precision } from '../../geo/geocoding/geocoder.ts';
import type { Estimate } from '../../money/pricing/estimateTrip.ts';
import type { Category } from '../../money/pricing/tariffStore.ts';
import type { Position } from '../../platform/kernel/position.ts';
import type { PostalAddress } from '../../platform/kernel/postalAddress.ts';
import type { Payment } from '../../platform/kernel/states.ts';
import type { Person } from '../../registers/companies/company.ts';
import type { Demands } from './demands.ts';

export interface Address extends PostalAddress {
  position: Position;
  /** Null: the coordinates came with the order. */
  located: Located | null;
}

/** How the coordinates of an address were found. */
export interface Located {
  by: string;
  precision: Precision;
  /** Whether it was found less precisely than the central demands, so that an operator should check it. */
  toCheck: boolean;
}

/**
 * A destination of an order. When it is stored it gets an id, which it keeps from the scheduled delivery it may have
 * been ordered with, through dispatch, to any delivery it is grouped into.
 */
export interface OrderedStop extends Address {
  orderNumber: string | null;
  externalId: string | null;
  recipientName: string | null;
  recipientPhone: string | null;
  note: string | null;
  /** The amount that the driver collects from the recipient. */
  collectCents: number | null;
  /** The confirmation code chosen with the order; null: generated when it is needed. */
  confirmationCode: number | null;
  /** Null: nothing beside its place. */
  demands: Demands | null;
}

export type { Payment };

/** An order: the same for an immediate delivery, a scheduled one, and an edit. */
export interface Order {
  companyId: number | null;
  /** The person who orders when no company does. */
  person: Person | null;
  category: { id?: number | undefined; name?: string | undefined };
  payment: Payment;
  returning: boolean;
  note: string | null;
  couponCode: string | null;
  pickup: Address;
  stops: readonly OrderedStop[];
  /** The quote whose price it takes; undefined: the price of the moment. */
  quoteId?: string;
  /** Set by `createOnce` alone, so that an edit neither gives nor changes it. */
  external?: ExternalKey;
}

/** The caller's own key of an order. */
export interface ExternalKey {
  id: string;
  /** Digest of what the creation that named it asked for. */
  content: Buffer;
}

/** The plan and the price with which a request is stored. */
export type PlannedPrice = Pick<Estimate, 'metres' | 'seconds' | 'grossCents' | 'netCents'> & {
  tariff: Pick<Estimate['tariff'], 'id'>;
};

/** An order with its company, category, coupon and price determined, ready to be stored. */
export interface PreparedOrder {
  order: Order;
  companyId: number | null;
  /** The company's customer record. Null: a person orders, whose record may have to be created first. */
  customerId: number | null;
  needsRelease: boolean;
  category: Category;
  couponId: number | null;
  discountPercent: string;
  estimate: PlannedPrice;
}

/** Whether one statement can store it: it needs no person's record, coupon, wallet or quote. */
export const isOneStatement = ({ order, customerId, couponId }: PreparedOrder): boolean =>
  customerId !== null &&
  couponId === null &&
  order.payment !== 'credit_wallet' &&
  order.quoteId === undefined;

/** The quotes that orders use, with the ids under which they are stored. */
export const quoteUses = (orders: readonly PreparedOrder[], ids: readonly number[]) =>
  orders.flatMap(({ order: { quoteId } }, index) =>
    quoteId === undefined ? [] : [{ quoteId, requestId: ids[index]! }],
  );

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
  /** For a grouper: the sum of the separate routes of all members. Null: never grouped. */
  separateMetres: number | null;
  grossCents: number;
  netCents: number;
  requestedAt: Temporal.Instant;
  /** The request of the same kind that carries the stops of this one. */
  groupedInto: number | null;
  /** Grows with every change. A plan made on an older version is not saved. */
  version: number;
}

/** The total of the routes of a request and of those grouped into it, if they were not grouped. */
export const separateMetresOf = ({
  separateMetres,
  plannedMetres,
}: Pick<RequestCore, 'separateMetres' | 'plannedMetres'>): number => separateMetres ?? plannedMetres;

/**
 * The separate routes of those that stay in a group, if the joint route cannot be measured as the routes of the group
 * were. Chosen so that the proportion saved by the group stays the same.
 */
export function separateInProportion(
  group: { separateMetres: number; plannedMetres: number },
  leavingMetres: number,
  jointMetres: number,
): number {
  const savedMetres = group.separateMetres - group.plannedMetres;
  const staying = 1 - leavingMetres / group.separateMetres;
  return jointMetres + Math.round(savedMetres * staying);
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
  /** When the stop was concluded: handed over, or given up. */
  concludedAt: Temporal.Instant | null;
  /** Whether it was given up without a hand-over. */
  isNotDelivered: boolean;
}

/** Visited, whether or not something was handed over: it keeps its place and counts for the price. */
export const isConcluded = ({ concludedAt }: Pick<Stop, 'concludedAt'>): boolean => concludedAt !== null;

/** The stops that were visited and those to visit, each in the given order. */
export const splitByVisit = <Each extends Pick<Stop, 'concludedAt'>>(
  stops: readonly Each[],
): { done: Each[]; open: Each[] } => ({
  done: stops.filter(isConcluded),
  open: stops.filter((stop) => !isConcluded(stop)),
});

/** Concluded stops first, in the order in which they were visited; then the others, in their planned order. */
export function inVisitOrder<Each extends Pick<Stop, 'order' | 'concludedAt'>>(
  stops: readonly Each[],
): Each[] {
  const { done, open } = splitByVisit(stops);
  done.sort((a, b) => Temporal.Instant.compare(a.concludedAt!, b.concludedAt!) || a.order - b.order);
  open.sort((a, b) => a.order - b.order);
  return [...done, ...open];
}
