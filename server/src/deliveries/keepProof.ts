import type { Caller } from '../centrals/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { ProofKind } from '../kernel/states.ts';
import type { Tx } from '../postgres/database.ts';
import type { Deps } from '../postgres/deps.ts';
import type { CleanImage } from '../proof/image.ts';
import { countProofImages, findProofImage, type ProofImage, putProofImage } from '../proof/proofStore.ts';
import { isStopOf } from '../requests/stopStore.ts';
import { type ProofAddress, proofLinker } from './concludeStop.ts';
import { findDelivery, lockStop, recordDeliveryEvent } from './deliveryStore.ts';
import { isOver } from './status.ts';
import { lockForStep } from './takeStep.ts';

/** A phone that had no network sends its images so long after the end of a stop. */
const LATE_HOURS_MAX = 72;
/** Of all visits. Ten attempts, the most that the settings allow, have twenty; an operator may have it tried again. */
export const IMAGES_OF_STOP_MAX = 40;

/**
 * Keeps a photo or a signature of a stop. During a visit another one takes its place; after the end of the stop only
 * what is still missing is added, for some days, unless the recipient's data was removed meanwhile. The same image
 * again changes nothing. The lock of the delivery decides between two images that arrive at once, and between an image
 * and the end of its stop.
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
    const delivery = await lockForStep(tx, caller, id);
    const stop = await lockStop(tx, centralId, id, stopId);
    const now = clock.now();
    const kept = await findProofImage(tx, centralId, stopId, kind);
    if (kept?.sha256.equals(image.sha256)) return kept;
    if (stop.concludedAt === null && delivery.status !== 'in_progress')
      throw new Refusal(isOver(delivery.status) ? 'delivery-over' : 'step-out-of-order');
    if (stop.concludedAt !== null) {
      if (kept) throw new Refusal('proof-already-kept');
      // The erasure holds the stop's lock, so an image is deleted by it or refused here.
      if (stop.isErased) throw new Refusal('proof-erased');
      if (now.since(stop.concludedAt).total('hours') > LATE_HOURS_MAX)
        throw new Refusal('proof-too-late', { hours: LATE_HOURS_MAX });
    }
    if (!kept && (await countProofImages(tx, centralId, stopId)) >= IMAGES_OF_STOP_MAX)
      throw new Refusal('proof-too-many', { max: IMAGES_OF_STOP_MAX });
    const takenAt = occurredAt && Temporal.Instant.compare(occurredAt, now) < 0 ? occurredAt : now;
    await putProofImage(tx, centralId, stopId, kind, image, { takenAt, receivedAt: now });
    const added = (await findProofImage(tx, centralId, stopId, kind))!;
    // Whoever reads events has had the conclusion without it.
    if (stop.concludedAt !== null) {
      const proofs = linksTo([added]);
      const payload = { stopId, order: stop.order, carriedBy: id, driverId: delivery.driverId, proofs };
      for (const deliveryId of new Set([id, stop.orderedWith]))
        await recordDeliveryEvent(
          tx,
          centralId,
          { type: 'delivery.proof_received', payload, deliveryId },
          { at: now, by: userId, happenedAt: takenAt },
        );
    }
    return added;
  });
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
