import { createHash, randomBytes } from 'node:crypto';
import type { Caller } from '../../centrals/caller.ts';
import {
  type AskedTrip,
  chooseCompanyAndCategory,
  type EstimateDeps,
  type Quote,
  quoteTrip,
} from '../../money/pricing/estimateTrip.ts';
import { categoryOf } from '../../money/pricing/priceBook.ts';
import type { Position } from '../../platform/kernel/position.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { assertPayable, prepareOrder } from './prepareOrder.ts';
import { findQuote, insertQuote, markQuoteUsed, type StoredQuote } from './quoteStore.ts';
import type { Order, PreparedOrder, RequestNoun } from './request.ts';

/** What of an order decides its price and its route. */
type QuotedOrder = Pick<Order, 'companyId' | 'person' | 'category' | 'couponCode' | 'returning'> & {
  pickup: { position: Position };
  stops: readonly { position: Position }[];
};

/** A price that holds until `expiresAt`. */
export interface MadeQuote extends Quote {
  id: string;
  /** When the delivery sets off: now, or at its dispatch. */
  setsOffAt: Temporal.Instant;
  expiresAt: Temporal.Instant;
}

const askedTripOf = (
  order: QuotedOrder,
  at: Temporal.Instant,
): Omit<AskedTrip, 'heldCoupon' | 'countsWrongCodes'> => ({
  companyId: order.companyId,
  category: order.category,
  couponCode: order.couponCode,
  pickup: order.pickup.position,
  stops: order.stops.map((stop) => stop.position),
  returning: order.returning,
  at,
});

/** Promises a price for `quoteMinutes` of the central. `dispatchAt` is null for an immediate delivery. */
export async function quoteOrder(
  deps: EstimateDeps,
  caller: Caller,
  order: QuotedOrder,
  dispatchAt: Temporal.Instant | null,
): Promise<MadeQuote> {
  const { central, centralId } = caller;
  const createdAt = deps.clock.now();
  const setsOffAt = dispatchAt ?? createdAt;
  const quote = await quoteTrip(deps, caller, { ...askedTripOf(order, setsOffAt), countsWrongCodes: true });
  const { company, category, coupon, estimate } = quote;
  const id = `cot_${randomBytes(16).toString('base64url')}`;
  const expiresAt = createdAt.add({ minutes: central.settings.quoteMinutes });
  await deps.db.begin((tx) =>
    insertQuote(tx, centralId, {
      id,
      companyId: company?.id ?? null,
      content: contentOf(order, category.id, dispatchAt),
      categoryId: category.id,
      tariffId: estimate.tariff.id,
      couponId: coupon?.id ?? null,
      discountPercent: coupon?.percent ?? '0',
      plannedMetres: estimate.metres,
      plannedSeconds: estimate.seconds,
      grossCents: estimate.grossCents,
      netCents: estimate.netCents,
      createdAt,
      expiresAt,
    }),
  );
  return { ...quote, id, setsOffAt, expiresAt };
}

/** What was looked up for several orders together. */
interface KnownForOrder {
  /** The coupon of the order's code. */
  coupon?: AskedTrip['heldCoupon'];
  quotes?: ReadonlyMap<string, StoredQuote>;
}

/** Prepares a new order: by its quote if it names one, else by today's prices. */
export async function prepareNewOrder(
  deps: EstimateDeps,
  caller: Caller,
  order: Order,
  dispatchAt: Temporal.Instant | null,
  known: KnownForOrder = {},
): Promise<PreparedOrder> {
  const { quoteId } = order;
  if (quoteId === undefined)
    return prepareOrder(deps, caller, order, dispatchAt ?? deps.clock.now(), known.coupon);
  assertPayable(order.payment, order.companyId);
  const quote = known.quotes
    ? known.quotes.get(quoteId)
    : await findQuote(deps.db, caller.centralId, quoteId);
  // Another company's quote is not to be told from one that does not exist.
  if (!quote || (caller.companyId !== null && quote.companyId !== caller.companyId))
    throw new Refusal('quote-not-found');
  if (quote.companyId !== order.companyId) throw new Refusal('quote-of-other-company');
  if (quote.usedAt) throw new Refusal('quote-used');
  if (Temporal.Instant.compare(quote.expiresAt, deps.clock.now()) <= 0) throw new Refusal('quote-expired');
  const book = await deps.priceBooks.of(caller.centralId);
  const { company, category } = await chooseCompanyAndCategory(book, caller, order);
  if (!contentOf(order, category.id, dispatchAt).equals(quote.content)) throw new Refusal('quote-differs');
  return {
    order,
    companyId: quote.companyId,
    customerId: company?.customerId ?? null,
    needsRelease: caller.central.settings.releaseRequired || company?.needsRelease === true,
    category: categoryOf(book, quote),
    couponId: quote.couponId,
    discountPercent: quote.discountPercent,
    estimate: {
      tariff: { id: quote.tariffId },
      metres: quote.plannedMetres,
      seconds: quote.plannedSeconds,
      grossCents: quote.grossCents,
      netCents: quote.netCents,
    },
  };
}

/** Uses up the quote of an order in the transaction that inserted the request. */
export async function useQuote(
  tx: Tx,
  centralId: number,
  { order: { quoteId } }: PreparedOrder,
  noun: RequestNoun,
  requestId: number,
  at: Temporal.Instant,
): Promise<void> {
  if (quoteId === undefined) return;
  if (!(await markQuoteUsed(tx, centralId, quoteId, noun, requestId, at))) throw new Refusal('quote-used');
}

/**
 * A digest of what decides price and route. What does not, as the payment, recipients and notes, may be given with the
 * order only. Places are compared to five decimals, about a metre.
 */
function contentOf(order: QuotedOrder, categoryId: number, dispatchAt: Temporal.Instant | null): Buffer {
  const placeOf = ({ position: { lat, lng } }: { position: Position }): string =>
    `${lat.toFixed(5)},${lng.toFixed(5)}`;
  const content = [
    order.companyId,
    order.person?.cpf ?? null,
    categoryId,
    order.couponCode?.toUpperCase() ?? null,
    order.returning,
    placeOf(order.pickup),
    order.stops.map(placeOf),
    dispatchAt?.epochMilliseconds ?? null,
  ];
  return createHash('sha256').update(JSON.stringify(content)).digest();
}
