import type { Caller } from '../../centrals/caller.ts';
import type { Central } from '../../centrals/central.ts';
import { type Actor, serviceActor } from '../../events/record/event.ts';
import { chargeFinished } from '../../money/billing/enterCharges.ts';
import { findShareTerms } from '../../money/earnings/earningStore.ts';
import { enterFinished } from '../../money/earnings/enterEarnings.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { inOrder } from '../../platform/postgres/transaction.ts';
import { lockDriver, worksFor } from '../../registers/drivers/driverStore.ts';
import { countOpenStops } from '../orders/visitStore.ts';
import type { Delivery, Stepping } from './delivery.ts';
import {
  lockDelivery,
  lockNextOnHold,
  markDriverSpecified,
  markHeld,
  markTravelled,
} from './deliveryStore.ts';
import {
  hasOpenOffer,
  insertGivenUp,
  insertOffers,
  type RefusalReason,
  refuseOffers,
  withdrawOffers,
} from './offerStore.ts';
import { chargePrice, giveBack, lockWallets } from './reserveCredit.ts';
import { assertStep, isCurrent, type Status, steps } from './status.ts';
import { clearDriver, clearReserved, type Reserved } from './stepStore.ts';
import { assertUngrouped, lockForStep, stepActor, takeSteps } from './takeSteps.ts';

/**
 * Called after an offer was closed without acceptance. If no offer is open, the search continues; if an operator had
 * named the driver, a new search begins. The caller holds the delivery's lock.
 */
async function resumeSearch(tx: Tx, centralId: number, delivery: Delivery, actor: Actor): Promise<Status> {
  if (await hasOpenOffer(tx, centralId, delivery.id)) return delivery.status;
  const step = delivery.driverSpecified ? 'declineAssigned' : 'decline';
  await clearDriver(tx, centralId, delivery.id);
  await takeSteps(tx, centralId, [delivery], step, actor);
  return steps[step].to;
}

/**
 * Called when a driver's current delivery ended or left the driver: the one longest on hold becomes current. The actor
 * is the service, because the caller who ended the other delivery did not decide about this one, which may belong to
 * another company.
 *
 * The general order of locks: the deliveries of the command, their drivers, deliveries on hold for them, wallets. No
 * command that holds a delivery on hold then locks a driver: removing such a delivery frees no driver, so callers do not
 * call this. A command that frees several drivers locks all of them before.
 */
export async function resumeNext(
  tx: Tx,
  centralId: number,
  driverId: number,
  now: Temporal.Instant,
): Promise<void> {
  const next = await lockNext(tx, centralId, driverId);
  if (next) await takeSteps(tx, centralId, [next], 'resume', serviceActor(now));
}

/** Takes both locks in one message. */
async function lockNext(tx: Tx, centralId: number, driverId: number): Promise<Stepping | undefined> {
  const [, next] = await inOrder([
    lockDriver(tx, centralId, driverId),
    lockNextOnHold(tx, centralId, driverId),
  ]);
  return next;
}

/**
 * A driver declines an offer, or an operator does so for one driver or, without a driver, for all. If no offer is open,
 * the search continues.
 */
export async function refuseDelivery(
  { db, clock }: Deps,
  caller: Caller,
  id: number,
  driverId: number | null,
  why: { reason: RefusalReason | null; note: string | null } = { reason: null, note: null },
): Promise<Status> {
  const { centralId } = caller;
  return db.begin(async (tx) => {
    const now = clock.now();
    const delivery = await lockForStep(tx, caller, id);
    assertStep('decline', delivery.status);
    const refused = await refuseOffers(tx, centralId, id, driverId, why, now);
    if (driverId !== null && refused === 0) throw new Refusal('offer-not-open');
    return resumeSearch(tx, centralId, delivery, { at: now, by: caller.userId });
  });
}

/** Before the start a driver may give up a delivery; the search begins again. */
export async function giveUpDelivery(
  { db, clock }: Deps,
  caller: Caller,
  id: number,
  occurredAt: Temporal.Instant | null = null,
): Promise<void> {
  const { centralId } = caller;
  await db.begin(async (tx) => {
    const now = clock.now();
    const delivery = await lockForStep(tx, caller, id);
    const actor = await stepActor(tx, caller, id, occurredAt, now);
    assertStep('giveUp', delivery.status);
    const driverId = delivery.driverId!;
    await takeSteps(tx, centralId, [delivery], 'giveUp', actor, () => ({
      driverId: null,
      previousDriverId: driverId,
    }));
    await clearDriver(tx, centralId, id);
    await insertGivenUp(tx, centralId, id, driverId, now);
    if (isCurrent(delivery.status)) await resumeNext(tx, centralId, driverId, now);
  });
}

/** Records once that the driver is at the pickup. It does not change the status. */
export async function arriveAtPickup(
  { db, clock }: Deps,
  caller: Caller,
  id: number,
  occurredAt: Temporal.Instant | null = null,
): Promise<void> {
  await db.begin(async (tx) => {
    const delivery = await lockForStep(tx, caller, id);
    assertStep('arrive', delivery.status);
    if (delivery.arrivedAt !== null) throw new Refusal('step-out-of-order');
    const actor = await stepActor(tx, caller, id, occurredAt, clock.now());
    await takeSteps(tx, caller.centralId, [delivery], 'arrive', actor, () => ({ arrived: true }));
  });
}

/** The driver leaves the pickup with the goods. */
export async function startDelivery(
  { db, clock }: Deps,
  caller: Caller,
  id: number,
  occurredAt: Temporal.Instant | null = null,
): Promise<void> {
  await db.begin(async (tx) => {
    const delivery = await lockForStep(tx, caller, id);
    const actor = await stepActor(tx, caller, id, occurredAt, clock.now());
    await takeSteps(tx, caller.centralId, [delivery], 'start', actor);
  });
}

/**
 * The driver is back at the pickup. A delivery without return has already ended with its last stop: a late or repeated
 * report of a phone changes nothing.
 */
export async function finishDelivery(
  { db, clock }: Deps,
  caller: Caller,
  id: number,
  occurredAt: Temporal.Instant | null = null,
): Promise<void> {
  await db.begin(async (tx) => {
    const [delivery, left] = await inOrder([
      lockForStep(tx, caller, id),
      countOpenStops(tx, caller.centralId, id),
    ]);
    if (delivery.status === 'finished') return;
    assertStep('finish', delivery.status);
    if (left > 0) throw new Refusal('stops-not-concluded', { count: left });
    const actor = await stepActor(tx, caller, id, occurredAt, clock.now());
    await finishLocked(tx, caller.central, delivery, actor);
  });
}

/**
 * Finishes a delivery whose stops are all done: it is paid, and its driver's next delivery resumes. The caller holds
 * its lock, and afterwards takes only locks of wallets, and then of drivers' and companies' accounts. One message reads
 * and locks; events and entries of accounts are sent with the commit.
 *
 * `alsoPaid`: deliveries for which the caller gives credit back or charges a fee afterwards. Their wallets are locked
 * here, because accounts are locked after all wallets.
 */
export async function finishLocked(
  tx: Tx,
  central: Central,
  delivery: Delivery,
  actor: Actor,
  alsoPaid: readonly Reserved[] = [],
): Promise<void> {
  const centralId = central.id;
  const [held, , , terms, next] = await inOrder([
    clearReserved(tx, centralId, [delivery.id]),
    markTravelled(tx, centralId, delivery.id, delivery.plannedMetres),
    takeSteps(tx, centralId, [delivery], 'finish', actor),
    findShareTerms(tx, centralId, delivery.id),
    lockNext(tx, centralId, delivery.driverId!),
  ]);
  if (next) await takeSteps(tx, centralId, [next], 'resume', serviceActor(actor.at));
  if (alsoPaid.length > 0) await lockWallets(tx, centralId, [delivery, ...held, ...alsoPaid]);
  await giveBack(tx, centralId, held, actor);
  const walletCents = await chargePrice(tx, centralId, delivery, delivery.netCents, actor);
  const earned = await enterFinished(tx, central, delivery, terms, actor);
  await chargeFinished(tx, central, delivery, { ...earned, walletCents }, actor);
}

/** An operator offers a delivery to one driver; open offers to others are withdrawn. */
export async function assignDelivery(
  { db, clock }: Deps,
  caller: Caller,
  id: number,
  driverId: number,
): Promise<void> {
  const { centralId } = caller;
  await db.begin(async (tx) => {
    const now = clock.now();
    const delivery = await lockForStep(tx, caller, id);
    // Before the driver's lock, because a delivery on hold is locked after its driver.
    assertStep('assign', delivery.status);
    const driver = await lockDriver(tx, centralId, driverId);
    if (!driver.active) throw new Refusal('driver-inactive');
    if (!(await worksFor(tx, centralId, driverId, delivery.companyId)))
      throw new Refusal('driver-of-other-companies');
    await withdrawOffers(tx, centralId, [id], ['open'], now);
    await insertOffers(tx, centralId, [{ deliveryId: id, driverId }], null, now);
    await markDriverSpecified(tx, centralId, [id]);
    const actor = { at: now, by: caller.userId };
    await takeSteps(tx, centralId, [delivery], 'assign', actor, () => ({ offeredTo: driverId }));
  });
}

/** The central releases a delivery that awaited its release, or that it held back, for distribution. */
export async function releaseDelivery({ db, clock }: Deps, caller: Caller, id: number): Promise<void> {
  await db.begin(async (tx) => {
    const delivery = await lockDelivery(tx, caller, id);
    assertUngrouped(delivery);
    assertStep('release', delivery.status);
    await markHeld(tx, caller.centralId, [id], null);
    await takeSteps(tx, caller.centralId, [delivery], 'release', { at: clock.now(), by: caller.userId });
  });
}
