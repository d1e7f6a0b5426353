import type { Caller } from '../../centrals/caller.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { ProofKind } from '../../platform/kernel/states.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { isStopOf } from '../orders/stopStore.ts';
import { findLastAttemptBy, lockStop, type StopAtHand } from '../orders/visitStore.ts';
import type { CleanImage } from '../proof/image.ts';
import type { ProofLinks } from '../proof/proofLinks.ts';
import {
  countProofImages,
  findProofImage,
  LAST_VISIT,
  type ProofImage,
  putProofImage,
} from '../proof/proofStore.ts';
import { proofLinker } from './concludeStop.ts';
import type { Delivery } from './delivery.ts';
import { findDelivery, lockDelivery } from './deliveryStore.ts';
import { isOver } from './status.ts';
import { recordStopEvent } from './stepStore.ts';
import { assertUngrouped, isFormerDriver } from './takeSteps.ts';

/** How long after the end of a stop a phone that was offline may send its images. */
const LATE_HOURS_MAX = 72;
/** The maximum for all visits of a stop. Ten attempts, the most that a setting allows, have twenty images. */
export const IMAGES_OF_STOP_MAX = 40;

/**
 * Stores a photo or a signature of a stop. During a visit a new image replaces the old one. After the end of the stop
 * only missing images are added, for some days, unless the recipient's data was removed meanwhile. A driver whose
 * delivery was reassigned or grouped adds only to its own visits. The same image again changes nothing. The lock of the
 * delivery serialises simultaneous images, and an image and the end of its stop.
 */
export async function keepProof(
  { db, clock }: Deps,
  caller: Caller,
  { deliveryId: id, stopId, kind }: { deliveryId: number; stopId: number; kind: ProofKind },
  image: CleanImage,
  occurredAt: Temporal.Instant | null,
  links: ProofLinks,
): Promise<ProofImage> {
  const { centralId, userId } = caller;
  const linksTo = await proofLinker(centralId, links);
  return db.begin(async (tx) => {
    const { delivery, stop, attempt, endedAt } = await lockVisit(tx, caller, id, stopId);
    const now = clock.now();
    const kept = await findProofImage(tx, centralId, stopId, kind, attempt);
    if (kept?.sha256.equals(image.sha256)) return kept;
    if (endedAt === null && delivery.status !== 'in_progress')
      throw new Refusal(isOver(delivery.status) ? 'delivery-over' : 'step-out-of-order');
    if (endedAt !== null) {
      if (kept) throw new Refusal('proof-already-kept');
      // The erasure holds the stop's lock, so it either deletes the image, or the image is refused here.
      if (stop.isErased) throw new Refusal('proof-erased');
      if (now.since(endedAt).total('hours') > LATE_HOURS_MAX)
        throw new Refusal('proof-too-late', { hours: LATE_HOURS_MAX });
    }
    if (!kept && (await countProofImages(tx, centralId, stopId)) >= IMAGES_OF_STOP_MAX)
      throw new Refusal('proof-too-many', { max: IMAGES_OF_STOP_MAX });
    const takenAt = occurredAt && Temporal.Instant.compare(occurredAt, now) < 0 ? occurredAt : now;
    await putProofImage(tx, centralId, { stopId, kind, attempt }, image, { takenAt, receivedAt: now });
    const added = (await findProofImage(tx, centralId, stopId, kind, attempt))!;
    // Readers of events have received the end of the stop without the image. The event covers only the last attempt.
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

/** The visit of an image: the last one or, for a driver whose delivery was reassigned, that driver's last one. */
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
 * A visit before the delivery was grouped into another one, which carries its stops now. Changes of the carrier hold
 * its lock and write the deliveries grouped into it, so only the carrier is locked. A driver whom the grouping freed
 * adds to its own visits; all other callers must name the delivery that carries the stop.
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

/** The last visit of this driver to the stop while this delivery carried it. */
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
 * An image of a stop, for callers who may see its delivery. A driver may see images of deliveries that it carries, or
 * has finished while missing images can still be added: drivers must not keep access to recipients' signatures.
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
