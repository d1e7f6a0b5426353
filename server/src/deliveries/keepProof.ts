import type { Caller } from '../centrals/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { ProofKind } from '../kernel/states.ts';
import type { Tx } from '../postgres/database.ts';
import type { Deps } from '../postgres/deps.ts';
import type { CleanImage } from '../proof/image.ts';
import {
  countProofImages,
  findProofImage,
  LAST_VISIT,
  type ProofImage,
  putProofImage,
} from '../proof/proofStore.ts';
import { findLastAttemptBy } from '../requests/attemptStore.ts';
import { isStopOf } from '../requests/stopStore.ts';
import { type ProofAddress, proofLinker } from './concludeStop.ts';
import type { Delivery } from './delivery.ts';
import { findDelivery, lockDelivery, lockStop, recordStopEvent, type StopAtHand } from './deliveryStore.ts';
import { isOver } from './status.ts';
import { assertUngrouped, isFormerDriver } from './takeStep.ts';

/** A phone that had no network sends its images so long after the end of a stop. */
const LATE_HOURS_MAX = 72;
/** Of all visits. Ten attempts, the most that the settings allow, have twenty; an operator may have it tried again. */
export const IMAGES_OF_STOP_MAX = 40;

/**
 * Keeps a photo or a signature of a stop. During a visit another one takes its place; after the end of the stop only
 * what is still missing is added, for some days, unless the recipient's data was removed meanwhile. A driver whose
 * delivery passed to another one, or was grouped, adds to its own visits only. The same image again changes nothing.
 * The lock of the delivery decides between two images that arrive at once, and between an image and the end of its
 * stop.
 */
export async function keepProof(
  { db, clock }: Deps,
  caller: Caller,
  { deliveryId: id, stopId, kind }: { deliveryId: number; stopId: number; kind: ProofKind },
  image: CleanImage,
  occurredAt: Temporal.Instant | null,
  address: ProofAddress,
): Promise<ProofImage> {
  const { centralId, userId } = caller;
  const linksTo = await proofLinker(centralId, address);
  return db.begin(async (tx) => {
    const { delivery, stop, attempt, endedAt } = await lockVisit(tx, caller, id, stopId);
    const now = clock.now();
    const kept = await findProofImage(tx, centralId, stopId, kind, attempt);
    if (kept?.sha256.equals(image.sha256)) return kept;
    if (endedAt === null && delivery.status !== 'in_progress')
      throw new Refusal(isOver(delivery.status) ? 'delivery-over' : 'step-out-of-order');
    if (endedAt !== null) {
      if (kept) throw new Refusal('proof-already-kept');
      // The erasure holds the stop's lock, so an image is deleted by it or refused here.
      if (stop.isErased) throw new Refusal('proof-erased');
      if (now.since(endedAt).total('hours') > LATE_HOURS_MAX)
        throw new Refusal('proof-too-late', { hours: LATE_HOURS_MAX });
    }
    if (!kept && (await countProofImages(tx, centralId, stopId)) >= IMAGES_OF_STOP_MAX)
      throw new Refusal('proof-too-many', { max: IMAGES_OF_STOP_MAX });
    const takenAt = occurredAt && Temporal.Instant.compare(occurredAt, now) < 0 ? occurredAt : now;
    await putProofImage(tx, centralId, { stopId, kind, attempt }, image, { takenAt, receivedAt: now });
    const added = (await findProofImage(tx, centralId, stopId, kind, attempt))!;
    // Whoever reads events has had the end of the stop without it. The event names no attempt before the last one.
    if (endedAt !== null && attempt === LAST_VISIT) {
      const proofs = linksTo([added]);
      const carriedBy = delivery.id;
      const payload = { stopId, order: stop.order, carriedBy, driverId: delivery.driverId, proofs };
      const event = { deliveryId: carriedBy, type: 'delivery.proof_received', payload } as const;
      const actor = { at: now, by: userId, happenedAt: takenAt };
      await recordStopEvent(tx, centralId, stop.orderedWith, event, actor);
    }
    return added;
  });
}

interface LockedVisit {
  delivery: Delivery;
  stop: StopAtHand;
  /** As in ProofImage. */
  attempt: number;
  /** Null while the visit lasts or is to come. */
  endedAt: Temporal.Instant | null;
}

/** The visit that an image is of: the last one or, for a driver whose delivery passed to another one, its own last one. */
async function lockVisit(tx: Tx, caller: Caller, id: number, stopId: number): Promise<LockedVisit> {
  const { centralId } = caller;
  const { groupedInto } = await findDelivery(tx, caller, id);
  if (groupedInto !== null) return lockMovedVisit(tx, caller, id, groupedInto, stopId);
  const delivery = await lockDelivery(tx, caller, id);
  const isFormer = await isFormerDriver(tx, caller, delivery);
  if (isFormer && delivery.groupedInto !== null) throw new Refusal('delivery-handed-over');
  assertUngrouped(delivery);
  const stop = await lockStop(tx, centralId, id, stopId);
  const visit = isFormer
    ? await findOwnVisit(tx, caller, delivery, stop, id)
    : { delivery, stop, attempt: LAST_VISIT, endedAt: stop.concludedAt };
  if (!visit) throw new Refusal('delivery-handed-over');
  return visit;
}

/**
 * A visit before the delivery was grouped into another one, which carries its stops by now. Whoever changes that one
 * holds its lock and writes those grouped into it, so only its lock is taken. A driver whom the grouping freed adds to
 * its own visits; for all others the delivery that carries the stop is to be named.
 */
async function lockMovedVisit(
  tx: Tx,
  caller: Caller,
  id: number,
  carrierId: number,
  stopId: number,
): Promise<LockedVisit> {
  const carrier = await lockDelivery(tx, caller, carrierId);
  if (caller.driverId !== null && (await isStopOf(tx, caller.centralId, 'delivery', carrierId, stopId))) {
    const stop = await lockStop(tx, caller.centralId, carrierId, stopId);
    const visit = await findOwnVisit(tx, caller, carrier, stop, id);
    if (visit) return visit;
  }
  if (await isFormerDriver(tx, caller, await findDelivery(tx, caller, id)))
    throw new Refusal('delivery-handed-over');
  throw new Refusal('delivery-grouped', { id: carrierId });
}

/** The last visit of this driver to the stop, while the delivery of this number carried it. */
async function findOwnVisit(
  tx: Tx,
  { centralId, driverId }: Caller,
  delivery: Delivery,
  stop: StopAtHand,
  deliveryId: number,
): Promise<LockedVisit | undefined> {
  if (stop.concludedAt !== null && stop.concludedBy === driverId)
    return { delivery, stop, attempt: LAST_VISIT, endedAt: stop.concludedAt };
  const failed = await findLastAttemptBy(tx, centralId, { deliveryId, stopId: stop.id, driverId: driverId! });
  return failed && { delivery, stop, attempt: failed.number, endedAt: failed.happenedAt };
}

/**
 * An image of a stop, for those who may see its delivery. A driver sees those of what it carries or has carried to the
 * end, for as long as it may still add what is missing: a recipient's signature is not its to keep.
 */
export async function findProofOf(
  { db: tx, clock }: { db: Tx; clock: Clock },
  caller: Caller,
  { deliveryId, stopId, kind }: { deliveryId: number; stopId: number; kind: ProofKind },
): Promise<ProofImage> {
  const delivery = await findDelivery(tx, caller, deliveryId);
  if (caller.driverId !== null && delivery.driverId !== caller.driverId)
    throw new Refusal('delivery-not-found');
  if (!(await isStopOf(tx, caller.centralId, 'delivery', deliveryId, stopId)))
    throw new Refusal('stop-not-found');
  const image = await findProofImage(tx, caller.centralId, stopId, kind);
  if (!image) throw new Refusal('proof-not-found');
  const hours = clock.now().since(image.receivedAt).total('hours');
  if (caller.driverId !== null && hours > LATE_HOURS_MAX) throw new Refusal('proof-not-found');
  return image;
}
