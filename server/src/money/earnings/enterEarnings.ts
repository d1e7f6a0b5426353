import type { Central } from '../../centrals/central.ts';
import type { Actor } from '../../events/record/event.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { cancelledShare, centralShare, driverShare, splitShare } from '../pricing/share.ts';
import {
  addFinished,
  deferDriverEntry,
  findShareTerms,
  localDay,
  lockAccount,
  type ShareTerms,
} from './earningStore.ts';

/*
 * Enters the earnings of a delivery's driver in the transaction that ends the delivery. The caller holds the delivery's
 * lock and takes no other lock afterwards: accounts come last in the order of locks, each before the totals of its
 * days. Everything is sent with the commit.
 */

/** The fields of a delivery that its driver's account depends on. */
export interface EarnedDelivery {
  id: number;
  driverId: number | null;
  payment: string;
  netCents: number;
}

/**
 * Enters a finished delivery: its driver gets the agreed share, including that of deliveries grouped into it. If it was
 * reassigned on the way, the drivers split the share by the stops that each concluded.
 *
 * If it is paid in cash, with no amount to collect and none recorded at any stop, the driver now holds its price.
 * Returns both amounts. The terms were read under the delivery's lock, after its last stop was concluded.
 */
export async function enterFinished(
  tx: Tx,
  central: Central,
  delivery: EarnedDelivery,
  terms: ShareTerms,
  actor: Actor,
): Promise<{ shareCents: number; cashCents: number }> {
  const centralId = central.id;
  const share = driverShare(terms.rule ?? centralShare(central.settings), terms) ?? 0;
  const lastDriver = delivery.driverId!;
  await enterShare(tx, central, { id: delivery.id, driverId: lastDriver }, share, terms, actor);
  await addFinished(tx, centralId, lastDriver, localDay(actor.at, central.timeZone), terms.deliveries);
  // If nothing was handed over, nothing was paid. Cash recorded at a stop was entered at that stop.
  const isAskedAtStops = terms.collectCents > 0 || terms.isRecorded;
  const isPaidInCash = delivery.payment === 'cash' && !isAskedAtStops && terms.isDelivered;
  const cashCents = isPaidInCash ? delivery.netCents : 0;
  await enterCollected(tx, central, lastDriver, { id: delivery.id }, cashCents, actor);
  return { shareCents: share, cashCents };
}

/** Splits by the stops that each driver concluded. The last driver's account is locked even without a share. */
async function enterShare(
  tx: Tx,
  central: Central,
  { id, driverId: lastDriver }: { id: number; driverId: number },
  shareCents: number,
  { done }: ShareTerms,
  actor: Actor,
): Promise<void> {
  const parts = splitShare(shareCents, done ?? [{ driverId: lastDriver, stops: 1 }]);
  const paid = parts.filter(({ cents }) => cents > 0);
  const accounts = new Set([lastDriver, ...paid.map((part) => part.driverId)]);
  // In the order of their ids, so that two transactions never deadlock. A single entry locks its account itself.
  if (accounts.size > 1 || paid.length === 0)
    for (const driverId of [...accounts].toSorted((a, b) => a - b))
      await lockAccount(tx, central.id, driverId);
  for (const { driverId, cents } of paid) {
    const entry = { driverId, kind: 'share', amountCents: cents, deliveryId: id } as const;
    await deferDriverEntry(tx, central.id, central, entry, actor);
  }
}

/**
 * Enters a cancelled delivery whose completed part costs `grossCents` before the coupon: its drivers get their share of
 * that. Returns the share.
 */
export async function enterCancelled(
  tx: Tx,
  central: Central,
  { id, driverId }: EarnedDelivery,
  grossCents: number,
  actor: Actor,
): Promise<number> {
  if (driverId === null) return 0;
  const terms = await findShareTerms(tx, central.id, id);
  const share = cancelledShare(terms.rule ?? centralShare(central.settings), terms, grossCents);
  if (!share) return 0;
  await enterShare(tx, central, { id, driverId }, share, terms, actor);
  return share;
}

/** Enters cash that a driver received, at a stop or for the whole delivery, and owes to the central. */
export async function enterCollected(
  tx: Tx,
  central: Central,
  driverId: number,
  { id, stopId = null, reason = null }: { id: number; stopId?: number | null; reason?: string | null },
  cents: number,
  actor: Actor,
): Promise<void> {
  if (cents === 0) return;
  const of = { driverId, deliveryId: id, stopId, note: reason };
  await deferDriverEntry(tx, central.id, central, { ...of, kind: 'collected', amountCents: -cents }, actor);
}
