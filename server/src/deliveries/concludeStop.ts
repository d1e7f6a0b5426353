import { creditCollected } from '../billing/enterCharges.ts';
import type { Caller } from '../centrals/caller.ts';
import { enterCollected } from '../earnings/enterEarnings.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Deps } from '../postgres/deps.ts';
import { inOrder } from '../postgres/transaction.ts';
import {
  giveConfirmationCode,
  markStopArrived,
  markStopConcluded,
  markWrongCode,
} from '../requests/stopStore.ts';
import type { Delivery } from './delivery.ts';
import {
  countOpenStops,
  lockStop,
  raiseVersion,
  recordDeliveryEvent,
  type StopAtHand,
} from './deliveryStore.ts';
import { isOver } from './status.ts';
import { finishLocked } from './steps.ts';
import { lockForStep, stepActor } from './takeStep.ts';

/** What shows that the right person got it. */
export interface Proof {
  code: number | null;
  /** An operator vouches for it instead, and says why; kept with the event. */
  withoutCodeReason: string | null;
}

/** Enough where the central asks for none. */
export const NO_PROOF: Proof = { code: null, withoutCodeReason: null };

export interface Concluded {
  /** Stops that are still to be visited. */
  left: number;
  status: 'in_progress' | 'finished';
}

/**
 * The driver handed over what a stop was for. Where the central asks for confirmation codes, the recipient's
 * is needed, or an operator's reason to do without. With its last stop a delivery without return is finished; one that returns goes on until the driver
 * is back.
 */
export async function concludeStop(
  deps: Deps,
  caller: Caller,
  id: number,
  stopId: number,
  proof: Proof,
  occurredAt: Temporal.Instant | null = null,
): Promise<Concluded> {
  const { db, clock } = deps;
  const { centralId } = caller;
  const asksForCode = caller.central.settings.confirmationCode;
  const withoutCodeReason = asksForCode ? proof.withoutCodeReason : null;
  if (withoutCodeReason !== null && caller.driverId !== null) throw new Refusal('not-allowed');
  const confirmed =
    !asksForCode || withoutCodeReason !== null || (await checkCode(deps, caller, id, stopId, proof.code));
  return db.begin(async (tx) => {
    const [delivery, stop] = await inOrder([
      lockForStep(tx, caller, id),
      lockStop(tx, centralId, id, stopId),
    ]);
    const actor = await stepActor(tx, caller, id, occurredAt, clock.now());
    if (!confirmed || !isOpen(delivery, stop))
      throw new Refusal(isOver(delivery.status) ? 'delivery-over' : 'step-out-of-order');
    await markStopConcluded(tx, centralId, id, stopId, delivery.driverId, actor.happenedAt ?? actor.at);
    // A plan that was made while this stop was still to be visited is outdated.
    await raiseVersion(tx, centralId, id);
    const payload = {
      stopId,
      order: stop.order,
      carriedBy: id,
      driverId: delivery.driverId,
      ...(withoutCodeReason !== null && { withoutCodeReason }),
    };
    const event = { type: 'delivery.stop_concluded', payload } as const;
    await recordDeliveryEvent(tx, centralId, { ...event, deliveryId: id }, actor);
    // Whoever ordered it with another delivery follows that one.
    if (stop.orderedWith !== id)
      await recordDeliveryEvent(tx, centralId, { ...event, deliveryId: stop.orderedWith }, actor);
    const left = await countOpenStops(tx, centralId, id);
    const isDone = left === 0 && !delivery.returning;
    if (isDone) await finishLocked(tx, centralId, delivery, actor);
    // Accounts are locked after everything that the end of a delivery locks.
    const collected = { id: stop.orderedWith, stopId, companyId: delivery.companyId };
    await enterCollected(tx, centralId, delivery.driverId!, collected, stop.cashCents, actor);
    await creditCollected(tx, centralId, collected, stop.cashCents, actor);
    return { left, status: isDone ? 'finished' : 'in_progress' };
  });
}

/** The driver is at a stop: a moment to remember, not a status. It comes once. */
export async function arriveAtStop(
  { db, clock }: Deps,
  caller: Caller,
  id: number,
  stopId: number,
  occurredAt: Temporal.Instant | null = null,
): Promise<void> {
  const { centralId } = caller;
  await db.begin(async (tx) => {
    const [delivery, stop] = await inOrder([
      lockForStep(tx, caller, id),
      lockStop(tx, centralId, id, stopId),
    ]);
    if (!isOpen(delivery, stop) || stop.arrivedAt !== null)
      throw new Refusal(isOver(delivery.status) ? 'delivery-over' : 'step-out-of-order');
    const actor = await stepActor(tx, caller, id, occurredAt, clock.now());
    await markStopArrived(tx, centralId, stopId, actor.happenedAt ?? actor.at);
    const payload = { stopId, order: stop.order, carriedBy: id, driverId: delivery.driverId };
    const event = { type: 'delivery.stop_arrived', payload } as const;
    await recordDeliveryEvent(tx, centralId, { ...event, deliveryId: id }, actor);
    // Whoever ordered it with another delivery follows that one.
    if (stop.orderedWith !== id)
      await recordDeliveryEvent(tx, centralId, { ...event, deliveryId: stop.orderedWith }, actor);
  });
}

/**
 * Refuses a wrong code after counting it; false when the stop is not open, so that no code was looked at. The
 * count must outlive the refusal, so it has a transaction of its own; comparing and counting under one lock
 * keeps many guesses at once from being compared before any counts.
 */
async function checkCode(
  { db }: Deps,
  caller: Caller,
  id: number,
  stopId: number,
  given: number | null,
): Promise<boolean> {
  const { centralId } = caller;
  const verdict = await db.beginIndependent(async (tx) => {
    const [delivery, stop] = await inOrder([
      lockForStep(tx, caller, id),
      lockStop(tx, centralId, id, stopId),
    ]);
    if (!isOpen(delivery, stop)) return 'not open';
    // A code that nobody has read yet counts too: what is entered then is a guess.
    const code = stop.code ?? (await giveConfirmationCode(tx, centralId, stopId)) ?? null;
    if (confirms({ ...stop, code }, given)) return 'right';
    return { wrongCodes: await markWrongCode(tx, centralId, stopId) };
  });
  if (typeof verdict === 'object')
    throw new Refusal('wrong-confirmation-code', { left: WRONG_CODES_MAX - verdict.wrongCodes });
  return verdict === 'right';
}

const isOpen = (delivery: Delivery, stop: StopAtHand): boolean =>
  delivery.status === 'in_progress' && stop.concludedAt === null;

/** Of 9,000 codes five guesses find the right one in 1 of 1,800 cases; after them the stop is locked. */
const WRONG_CODES_MAX = 5;

/** As people write and say it: always four digits. */
export const writtenCode = (code: number): string => String(code).padStart(4, '0');

export interface Confirmation {
  /** The code that the recipient received. */
  code: number | null;
  wrongCodes: number;
}

/**
 * Whether an entered code confirms a stop. False is a wrong code, which the caller counts. A locked stop is refused
 * whatever is entered and by whom, so that the right code cannot be found by trying on.
 */
export function confirms({ code, wrongCodes }: Confirmation, given: number | null): boolean {
  if (isLocked(wrongCodes)) throw new Refusal('confirmation-code-locked');
  if (given === null) throw new Refusal('confirmation-code-required');
  return given === code;
}

export const isLocked = (wrongCodes: number): boolean => wrongCodes >= WRONG_CODES_MAX;
