import { type Caller, type Scope, wholeCentral } from '../../centrals/caller.ts';
import type { Central } from '../../centrals/central.ts';
import { isReasonActive } from '../../centrals/reasonStore.ts';
import type { Actor } from '../../events/record/event.ts';
import { chargeCancelled } from '../../money/billing/enterCharges.ts';
import { enterCancelled } from '../../money/earnings/enterEarnings.ts';
import type { EstimateDeps } from '../../money/pricing/estimateTrip.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { ChangedMeanwhile, retryOnConflict } from '../../platform/kernel/retryOnConflict.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { isConcluded } from '../orders/request.ts';
import type { Delivery } from './delivery.ts';
import { findDelivery, lockDelivery } from './deliveryStore.ts';
import { leaveCarrier, planStopDeparture, type StopDeparture } from './leaveCarrier.ts';
import { withdrawOffers } from './offerStore.ts';
import { chargeFee, type DonePrice, giveBack, priceOfDone } from './reserveCredit.ts';
import { assertStep, isCarried, isCurrent, isOver } from './status.ts';
import { clearReserved, markCancellationFee, markReason } from './stepStore.ts';
import { resumeNext } from './steps.ts';
import { takeSteps } from './takeSteps.ts';

/** Contract 4.8. */
export const cancelDelivery = (
  deps: EstimateDeps,
  caller: Caller,
  id: number,
  reasonId: number,
): Promise<void> =>
  retryOnConflict(async () => {
    const { db, clock } = deps;
    const { centralId } = caller;
    const before = await findDelivery(db, caller, id);
    const cancellation = await planCancellation(deps, caller.central, before);
    await db.begin(async (tx) => {
      const actor = { at: clock.now(), by: caller.userId };
      await lockCancelled(tx, wholeCentral(centralId), cancellation);
      if (!(await isReasonActive(tx, centralId, reasonId))) throw new Refusal('reason-not-found');
      await cancelLocked(tx, caller.central, cancellation, reasonId, actor);
    });
  });

/**
 * Cancels a delivery that lockCancelled locked. Wallets are locked last, so a caller that locks more deliveries does so
 * before.
 */
export async function cancelLocked(
  tx: Tx,
  central: Central,
  cancellation: Cancellation,
  reasonId: number | null,
  actor: Actor,
): Promise<void> {
  const { delivery, departure, done } = cancellation;
  assertStep('cancel', delivery.status);
  if (departure?.remaining.length) await leaveCarrier(tx, central, delivery, departure, reasonId, actor);
  // A carrier whose own stops were all removed has no stops left, and is cancelled with it.
  else await cancelCarriers(tx, central.id, [departure?.carrier ?? delivery], reasonId, actor);
  await chargeCancellation(tx, central, delivery, done, actor);
}

/**
 * Cancels deliveries with all deliveries grouped into them: reserved credit is given back, open offers are withdrawn,
 * and the driver's next delivery resumes. At most one of them has a driver.
 */
export async function cancelCarriers(
  tx: Tx,
  centralId: number,
  deliveries: readonly Delivery[],
  reasonId: number | null,
  actor: Actor,
): Promise<void> {
  const ids = deliveries.map(({ id }) => id);
  const held = await clearReserved(tx, centralId, ids);
  await takeSteps(tx, centralId, deliveries, 'cancel', actor, () => ({ reasonId }));
  await markReason(tx, centralId, ids, reasonId);
  await withdrawOffers(tx, centralId, ids, ['open'], actor.at);
  for (const { driverId, status } of deliveries)
    if (driverId !== null && isCurrent(status)) await resumeNext(tx, centralId, driverId, actor.at);
  await giveBack(tx, centralId, held, actor);
}

/** The part of a cancellation that needs the router. */
export interface Cancellation {
  /** The delivery at the time of planning. */
  delivery: Delivery;
  /** For a grouped delivery: the plan of its carrier without the open stops of this delivery. */
  departure: StopDeparture | null;
  /**
   * The price of the part that was carried out; null when there is none, and for a grouped delivery, whose concluded
   * stops stay with its carrier and are paid there.
   */
  done: DonePrice | null;
}

/** Asks the router, so it runs before any lock is taken. */
export async function planCancellation(
  deps: EstimateDeps,
  central: Central,
  delivery: Delivery,
): Promise<Cancellation> {
  if (delivery.groupedInto === null || isOver(delivery.status))
    return {
      delivery,
      departure: null,
      done: delivery.status === 'in_progress' ? await priceOfDone(deps, central, delivery) : null,
    };
  const carrier = await findDelivery(deps.db, wholeCentral(central.id), delivery.groupedInto);
  const departure = await planStopDeparture(
    deps,
    central,
    carrier,
    (stop) => stop.orderedWith === delivery.id && !isConcluded(stop),
    { optimise: true },
  );
  return { delivery, departure, done: null };
}

/**
 * Locks the carrier of a grouped delivery and then the delivery, in the order of every step and grouping. Throws
 * ChangedMeanwhile if either has changed since planning: a concluded stop, a grouping and every step raise the version.
 */
export async function lockCancelled(
  tx: Tx,
  scope: Scope,
  { delivery, departure }: Cancellation,
): Promise<void> {
  const planned = departure ? [departure.carrier, delivery] : [delivery];
  for (const { id, version } of planned)
    if ((await lockDelivery(tx, scope, id)).version !== version) throw new ChangedMeanwhile();
}

/**
 * Charges the central's fee for a cancellation after a driver accepted. Once a stop was concluded, the fee is at least
 * the price of the part carried out, and never more than the agreed price. The fee is stored with the delivery. A
 * company that pays by credit wallet is charged at once, up to its balance. The driver gets the share of the fee before
 * the coupon. Wallets and accounts are locked last, so this is the last part of a cancellation.
 */
async function chargeCancellation(
  tx: Tx,
  central: Central,
  delivery: Delivery,
  done: DonePrice | null,
  actor: Actor,
): Promise<void> {
  if (!isCarried(delivery.status)) return;
  const centralId = central.id;
  const fee = central.settings.cancellationFeeCents;
  const chargedCents = done ? Math.min(Math.max(fee, done.netCents), delivery.netCents) : fee;
  const grossCents = done ? Math.min(Math.max(fee, done.grossCents), delivery.grossCents) : fee;
  if (grossCents === 0) return;
  if (chargedCents > 0) await markCancellationFee(tx, centralId, delivery.id, chargedCents);
  const walletCents = await chargeFee(tx, centralId, delivery, chargedCents, actor);
  const shareCents = await enterCancelled(tx, central, delivery, grossCents, actor);
  const amounts = { chargedCents, grossCents, shareCents, walletCents };
  await chargeCancelled(tx, central, delivery, amounts, actor);
}
