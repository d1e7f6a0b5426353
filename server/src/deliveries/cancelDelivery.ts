import { chargeCancelled } from '../billing/enterCharges.ts';
import { type Caller, type Scope, wholeCentral } from '../centrals/caller.ts';
import type { Central } from '../centrals/central.ts';
import { isReasonActive } from '../centrals/reasonStore.ts';
import { enterCancelled } from '../earnings/enterEarnings.ts';
import type { EstimateDeps } from '../estimates/estimateTrip.ts';
import type { Actor } from '../events/event.ts';
import { Refusal } from '../kernel/refusal.ts';
import { ChangedMeanwhile, retryOnConflict } from '../kernel/retryOnConflict.ts';
import type { Tx } from '../postgres/database.ts';
import { isConcluded } from '../requests/request.ts';
import type { Delivery } from './delivery.ts';
import {
  clearReserved,
  findDelivery,
  lockDelivery,
  markCancellationFee,
  markReason,
} from './deliveryStore.ts';
import { leaveCarrier, planStopDeparture, type StopDeparture } from './leaveCarrier.ts';
import { withdrawOpenOffers } from './offerStore.ts';
import { chargeFee, type DonePrice, giveBack, priceOfDone } from './reserveCredit.ts';
import { assertStep, isCarried, isCurrent, isOver } from './status.ts';
import { resumeNext } from './steps.ts';
import { takeStep } from './takeStep.ts';

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
 * Cancels a delivery that lockCancelled locked. Wallets are locked last: a caller that locks others or more
 * deliveries does that first.
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
  // A carrier whose own stops were all removed carries nothing without it, and ends with it.
  else await cancelCarrier(tx, central.id, departure?.carrier ?? delivery, reasonId, actor);
  await chargeCancellation(tx, central, delivery, done, actor);
}

/**
 * With it all that were grouped into it are cancelled: what was reserved is given back, open offers are withdrawn,
 * and its driver goes on to the next one.
 */
async function cancelCarrier(
  tx: Tx,
  centralId: number,
  delivery: Delivery,
  reasonId: number | null,
  actor: Actor,
): Promise<void> {
  const held = await clearReserved(tx, centralId, delivery.id);
  await takeStep(tx, centralId, delivery, 'cancel', actor, { reasonId });
  await markReason(tx, centralId, delivery.id, reasonId);
  await withdrawOpenOffers(tx, centralId, delivery.id, actor.at);
  if (delivery.driverId !== null && isCurrent(delivery.status))
    await resumeNext(tx, centralId, delivery.driverId, actor.at);
  await giveBack(tx, centralId, held, actor);
}

/** What it takes to cancel a delivery, as far as the router must be asked for it. */
export interface Cancellation {
  /** As it was when this was planned. */
  delivery: Delivery;
  /** Of one that was grouped: the delivery that carries its stops, without those that are not concluded. */
  departure: StopDeparture | null;
  /**
   * The price of what was carried out, null when nothing was. Of one that was grouped nothing either: its concluded
   * stops stay with the delivery that carries them, and are paid for there.
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
 * Locks the delivery, after the one that carries its stops, as every step and grouping does; throws ChangedMeanwhile
 * unless both are what was planned with. Concluding a stop, grouping, and every step raise the version.
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
 * What the central asks for a delivery that is cancelled after a driver accepted it, if it asks for anything; once a
 * stop was concluded at least the price of what was carried out, and never more than was agreed.
 * It is written on the delivery; a company that pays by credit wallet is charged at once, as far as its
 * credit goes. Its driver gets the share of it, before the coupon. Wallets and accounts are locked last, so this comes after
 * everything else of the cancellation.
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
