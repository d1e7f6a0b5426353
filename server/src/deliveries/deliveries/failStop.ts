import type { Caller } from '../../centrals/caller.ts';
import { decideFailure, type FailureRules, failureRulesOf } from '../../centrals/failureRules.ts';
import type { Estimate, EstimateDeps } from '../../money/pricing/estimateTrip.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { ChangedMeanwhile, retryOnConflict } from '../../platform/kernel/retryOnConflict.ts';
import type { FailureDecision, FailureReason } from '../../platform/kernel/states.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { findOwnFailureRules } from '../../registers/companies/companyStore.ts';
import { inVisitOrder, isConcluded, type Stop, splitByVisit } from '../orders/request.ts';
import { findStops, moveStops } from '../orders/stopStore.ts';
import {
  assertNewVisit,
  clearStopArrival,
  countAttempts,
  insertAttempt,
  lockStop,
  markStopConcluded,
} from '../orders/visitStore.ts';
import type { ProofLinks } from '../proof/proofLinks.ts';
import { findLastImages, keepForAttempt } from '../proof/proofStore.ts';
import { proofLinker } from './concludeStop.ts';
import type { Delivery } from './delivery.ts';
import { findDelivery, markReturnAdded, saveDeliveryEstimate } from './deliveryStore.ts';
import { estimateCarrier } from './leaveCarrier.ts';
import { holdAvailable } from './reserveCredit.ts';
import { isOver } from './status.ts';
import { recordStopEvent } from './stepStore.ts';
import { finishLocked } from './steps.ts';
import { lockForStep, stepActor } from './takeSteps.ts';

export interface Failure {
  reason: FailureReason;
  note: string | null;
  /** The number of the visit, if the phone knows it; absent or null: the next one. */
  visit?: number | null;
}

export interface Failed {
  decision: FailureDecision;
  /** Stops that are still to be visited. */
  left: number;
  status: 'in_progress' | 'finished';
}

/**
 * Records that nothing could be handed over at a stop. The rule of the company or the central decides what follows: the
 * stop is tried again at the end of the run, or it is over and its goods return to the pickup or wait for the central.
 * As with concluded stops, the last one finishes a delivery without return.
 *
 * A return that was not ordered is planned and priced like an ordered one: the way along all stops, and the way back by
 * the tariff's return factor. It never lowers the price.
 */
export const failStop = (
  deps: EstimateDeps,
  caller: Caller,
  id: number,
  stopId: number,
  failure: Failure,
  occurredAt: Temporal.Instant | null = null,
  proofLinks: ProofLinks | null = null,
): Promise<Failed> =>
  retryOnConflict(async () => {
    const { db, clock } = deps;
    const { centralId } = caller;
    const planned = await planReturn(deps, caller, id, stopId, failure.reason);
    const linksTo = await proofLinker(centralId, proofLinks);
    return db.begin(async (tx) => {
      // The delivery's lock serialises simultaneous failures, conclusions, groupings and cancellations.
      const delivery = await lockForStep(tx, caller, id);
      const { orderedWith, ...stop } = await lockStop(tx, centralId, id, stopId);
      const actor = await stepActor(tx, caller, id, occurredAt, clock.now());
      if (delivery.status !== 'in_progress' || stop.concludedAt !== null)
        throw new Refusal(isOver(delivery.status) ? 'delivery-over' : 'step-out-of-order');
      await assertNewVisit(tx, centralId, stopId, failure.visit ?? null);
      const stops = await findStops(tx, centralId, 'delivery', [id]);
      const images = await findLastImages(tx, centralId, stopId);
      const decision = await decide(tx, caller, delivery, stops, stopId, failure.reason);
      const addsReturn = decision === 'return' && !delivery.returning;
      if (addsReturn && planned?.version !== delivery.version) throw new ChangedMeanwhile();

      const attempt = await insertAttempt(tx, centralId, {
        reason: failure.reason,
        note: failure.note,
        stopId,
        deliveryId: id,
        driverId: delivery.driverId,
        decision,
        happenedAt: actor.happenedAt ?? actor.at,
        recordedAt: actor.at,
        recordedBy: actor.by,
      });
      if (decision === 'retry') await postponeStop(tx, centralId, id, stops, { stopId, attempt });
      else
        await markStopConcluded(
          tx,
          centralId,
          id,
          stopId,
          delivery.driverId,
          actor.happenedAt ?? actor.at,
          'not-delivered',
        );
      const estimate = addsReturn ? atLeast(planned!.estimate, delivery) : null;
      if (addsReturn) await markReturnAdded(tx, centralId, id, true);
      // The version grows in either case, because earlier plans are outdated.
      await saveDeliveryEstimate(tx, centralId, id, estimate);
      const order = decision === 'retry' ? stops.length - 1 : stop.order;
      const visit = { stopId, order, carriedBy: id, driverId: delivery.driverId };
      const proofs = linksTo(images);
      const payload = { ...visit, reason: failure.reason, attempt, decision, proofs };
      const event = { deliveryId: id, type: 'delivery.stop_failed', payload } as const;
      await recordStopEvent(tx, centralId, orderedWith, event, actor);

      const left = stops.filter((each) => !isConcluded(each)).length - (decision === 'retry' ? 0 : 1);
      const isDone = left === 0 && !delivery.returning && !addsReturn;
      if (isDone) await finishLocked(tx, caller.central, delivery, actor);
      if (estimate) await holdAvailable(tx, centralId, delivery, estimate.netCents, actor);
      return { decision, left, status: isDone ? 'finished' : 'in_progress' };
    });
  });

async function decide(
  tx: Tx,
  { centralId, central }: Caller,
  { companyId }: Delivery,
  stops: readonly Stop[],
  stopId: number,
  reason: FailureReason,
): Promise<FailureDecision> {
  const own = await findOwnFailureRules(tx, centralId, companyId);
  const rules: FailureRules = failureRulesOf(central.settings, own);
  return decideFailure(rules, {
    reason,
    attemptsBefore: await countAttempts(tx, centralId, stopId),
    othersOpen: stops.filter((stop) => stop.id !== stopId && !isConcluded(stop)).length,
  });
}

interface PlannedReturn {
  version: number;
  estimate: Estimate | null;
}

/**
 * Plans the return that this failure would add; null where it adds none. Asks the router, so it runs before any lock is
 * taken.
 */
async function planReturn(
  deps: EstimateDeps,
  caller: Caller,
  id: number,
  stopId: number,
  reason: FailureReason,
): Promise<PlannedReturn | null> {
  const { db } = deps;
  const delivery = await findDelivery(db, caller, id);
  if (delivery.returning || delivery.status !== 'in_progress' || delivery.groupedInto !== null) return null;
  // Read after the delivery: a change in between leaves the older version there, and the plan is not saved.
  const stops = await findStops(db, caller.centralId, 'delivery', [id]);
  const failed = stops.find((stop) => stop.id === stopId);
  if (!failed || isConcluded(failed)) return null;
  if ((await decide(db, caller, delivery, stops, stopId, reason)) !== 'return') return null;
  const others = inVisitOrder(stops).filter((stop) => stop.id !== stopId);
  const { done, open } = splitByVisit(others);
  const estimate = await estimateCarrier(
    deps,
    caller.central,
    { ...delivery, returning: true },
    { done: [...done, failed], open, optimise: false },
  );
  return { version: delivery.version, estimate };
}

/** A return never lowers the price, whichever engine measured it. */
const atLeast = (estimate: Estimate | null, { grossCents, netCents }: Delivery): Estimate | null =>
  estimate && {
    ...estimate,
    grossCents: Math.max(estimate.grossCents, grossCents),
    netCents: Math.max(estimate.netCents, netCents),
  };

/** Moves a stop to the end of the order after a failed attempt, to be visited again after all others. */
export async function postponeStop(
  tx: Tx,
  centralId: number,
  deliveryId: number,
  stops: readonly Stop[],
  { stopId, attempt }: { stopId: number; attempt: number },
): Promise<void> {
  const others = stops.filter((stop) => stop.id !== stopId).map((stop) => stop.id);
  await moveStops(tx, centralId, 'delivery', deliveryId, [...others, stopId]);
  await clearStopArrival(tx, centralId, stopId);
  await keepForAttempt(tx, centralId, stopId, attempt);
}
