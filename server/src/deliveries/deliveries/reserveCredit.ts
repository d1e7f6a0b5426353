import type { Central } from '../../centrals/central.ts';
import type { Actor } from '../../events/record/event.ts';
import { estimatorFor } from '../../geo/routing/routers.ts';
import type { EstimateDeps } from '../../money/pricing/estimateTrip.ts';
import { isUnplannable, type Plan, type PlannedTrip, planStops } from '../../money/pricing/planStops.ts';
import { type Price, priceDelivery } from '../../money/pricing/price.ts';
import { categoryOf } from '../../money/pricing/priceBook.ts';
import {
  type EntryKind,
  insertEntries,
  lockBalances,
  type NewEntry,
} from '../../money/wallet/walletStore.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { inVisitOrder, isConcluded, type PreparedOrder } from '../orders/request.ts';
import { findStops } from '../orders/stopStore.ts';
import type { Delivery } from './delivery.ts';
import { markReserved } from './deliveryStore.ts';
import type { Reserved } from './stepStore.ts';

/** The amount that is to be held for a delivery. */
export interface Hold {
  delivery: Reserved;
  cents: number;
}

/**
 * Makes the amounts held for deliveries equal to `cents`, in this order: reserves what is missing, or gives back the
 * surplus. The caller holds the deliveries' locks. Refuses with insufficient-balance.
 */
export async function holdCredits(
  tx: Tx,
  centralId: number,
  holds: readonly Hold[],
  actor: Actor,
): Promise<void> {
  const changed = holds
    .map(({ delivery, cents }) => ({ delivery, cents: delivery.payment === 'credit_wallet' ? cents : 0 }))
    .filter(({ delivery, cents }) => cents !== delivery.reservedCents);
  const entries = changed.map(({ delivery, cents }) => {
    const difference = cents - delivery.reservedCents;
    return entryOf(delivery, difference > 0 ? 'reserve' : 'release', -difference);
  });
  await insertEntries(tx, centralId, entries, actor);
  await markReserved(
    tx,
    centralId,
    changed.map(({ delivery: { id }, cents }) => ({ id, cents })),
  );
}

/** The same for one delivery. */
export const holdCredit = (
  tx: Tx,
  centralId: number,
  delivery: Reserved,
  cents: number,
  actor: Actor,
): Promise<void> => holdCredits(tx, centralId, [{ delivery, cents }], actor);

/** Reserves the price of a delivery that was inserted just now. */
export const holdForNew = (
  tx: Tx,
  centralId: number,
  id: number,
  { companyId, order: { payment }, estimate }: PreparedOrder,
  actor: Actor,
): Promise<void> =>
  holdCredit(tx, centralId, { id, companyId, payment, reservedCents: 0 }, estimate.netCents, actor);

/**
 * Like holdCredit, but without a refusal: if the balance is too small, it holds the whole balance. Goods must go back,
 * and stops must be able to leave a delivery, even without credit.
 */
export async function holdAvailable(
  tx: Tx,
  centralId: number,
  delivery: Reserved,
  cents: number,
  actor: Actor,
): Promise<void> {
  const available = await availableCents(tx, centralId, delivery);
  await holdCredit(tx, centralId, delivery, Math.min(cents, delivery.reservedCents + available), actor);
}

/** The balance of the wallet that pays for a delivery; 0 if it is paid otherwise. Locks the wallet. */
async function availableCents(tx: Tx, centralId: number, { payment, companyId }: Reserved): Promise<number> {
  if (payment !== 'credit_wallet' || companyId === null) return 0;
  const [wallet] = await lockBalances(tx, centralId, [companyId]);
  return Math.max(0, wallet?.balanceCents ?? 0);
}

/** Locks the wallets that pay for these deliveries, in the order of their companies. */
export async function lockWallets(tx: Tx, centralId: number, deliveries: readonly Reserved[]): Promise<void> {
  const payers = deliveries.filter(({ payment }) => payment === 'credit_wallet');
  const companyIds = new Set(payers.flatMap(({ companyId }) => companyId ?? []));
  if (companyIds.size > 0) await lockBalances(tx, centralId, [...companyIds]);
}

/**
 * Gives the amounts that `clearReserved` cleared back to the wallets. The two are separate steps: the amount is cleared
 * before the status of the delivery changes, and wallets are locked after everything else.
 */
export async function giveBack(
  tx: Tx,
  centralId: number,
  unreserved: readonly Reserved[],
  actor: Actor,
): Promise<void> {
  // Wallets are locked in the order of their companies, so that two transactions cannot deadlock.
  const ordered = unreserved.toSorted((a, b) => Number(a.companyId) - Number(b.companyId) || a.id - b.id);
  const released = ordered.map((delivery) => entryOf(delivery, 'release', delivery.reservedCents));
  await insertEntries(tx, centralId, released, actor);
}

/**
 * Charges the price of a finished delivery, after its reserve was given back. If less was reserved, as after a return
 * that was not ordered, it charges at most the balance. Returns the amount charged.
 */
export async function chargePrice(
  tx: Tx,
  centralId: number,
  delivery: Reserved,
  priceCents: number,
  actor: Actor,
): Promise<number> {
  if (delivery.payment !== 'credit_wallet') return 0;
  const chargedCents =
    delivery.reservedCents < priceCents
      ? Math.min(priceCents, await availableCents(tx, centralId, delivery))
      : priceCents;
  if (chargedCents > 0)
    await insertEntries(tx, centralId, [entryOf(delivery, 'settlement', -chargedCents)], actor);
  return chargedCents;
}

/** Charges at most the company's balance: a fee never overdraws a wallet. Returns the amount charged. */
export async function chargeFee(
  tx: Tx,
  centralId: number,
  delivery: Reserved,
  feeCents: number,
  actor: Actor,
): Promise<number> {
  const cents = Math.min(feeCents, await availableCents(tx, centralId, delivery));
  if (cents > 0) await insertEntries(tx, centralId, [entryOf(delivery, 'cancellation_fee', -cents)], actor);
  return cents;
}

function entryOf({ id, companyId }: Reserved, kind: EntryKind, amountCents: number): NewEntry {
  if (companyId === null) throw new Error('only a company pays by credit wallet');
  return { companyId, kind, amountCents, deliveryId: id };
}

/** Before and after the coupon. */
export type DonePrice = Pick<Price, 'grossCents' | 'netCents'>;

/**
 * The price of the part of a delivery that was carried out: the way from the pickup along the concluded stops, in the
 * order of their visits, by the tariff of the order. The way back is not included. Null when no stop was
 * concluded. Asks the router, so it runs before any lock is taken.
 */
export async function priceOfDone(
  deps: EstimateDeps,
  central: Central,
  delivery: Delivery,
): Promise<DonePrice | null> {
  const stops = await findStops(deps.db, central.id, 'delivery', [delivery.id]);
  const done = inVisitOrder(stops).filter(isConcluded);
  if (done.length === 0) return null;
  const book = await deps.priceBooks.of(central.id);
  const tariff = book.tariffs.find(({ id }) => id === delivery.tariffId);
  if (!tariff) throw new Error(`tariff ${delivery.tariffId} is not in the price book`);
  const plan = await planDriven(deps, central, {
    start: delivery.pickup.position,
    stops: done.map(({ position }) => position),
    profile: categoryOf(book, delivery).profile,
    optimise: false,
  });
  return priceDelivery({
    tariff,
    outwardMetres: plan.outwardMetres,
    outwardSeconds: plan.outwardSeconds,
    backMetres: 0,
    backSeconds: 0,
    stops: done.length,
    at: delivery.requestedAt,
    timeZone: central.timeZone,
    discountPercent: delivery.discountPercent,
  });
}

/** Falls back to straight lines, so that a router without an answer does not block a cancellation. */
async function planDriven(
  { routers }: EstimateDeps,
  { settings }: Central,
  driven: PlannedTrip,
): Promise<Plan> {
  try {
    return await planStops(routers.forEstimates(settings), driven);
  } catch (error) {
    if (!isUnplannable(error)) throw error;
    return planStops(estimatorFor(settings), driven);
  }
}
