import type { Caller } from '../../centrals/caller.ts';
import type { Actor, StatusDetails } from '../../events/record/event.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import type { Delivery, Stepping } from './delivery.ts';
import { lockDelivery } from './deliveryStore.ts';
import { findOffer, wasHandedOver } from './offerStore.ts';
import { assertStep, type StepName, steps } from './status.ts';
import { findLatestMoment, markSteps, recordDeliveryEvent, recordSteps } from './stepStore.ts';

/**
 * Takes a step for deliveries of a central, in one statement and one for their events: each is moved together with all
 * deliveries grouped into it, and an event is recorded for each. The caller holds the locks of all of them. If the step
 * is out of order for one of them, it refuses before anything is written.
 */
export async function takeSteps<Each extends Stepping>(
  tx: Tx,
  centralId: number,
  deliveries: readonly Each[],
  name: StepName,
  actor: Actor,
  more: (delivery: Each) => StatusDetails = () => ({}),
  searchAgainAt?: Temporal.Instant,
): Promise<void> {
  if (deliveries.length === 0) return;
  for (const { status } of deliveries) assertStep(name, status);
  const payloads = new Map(
    deliveries.map((delivery): [number, StatusDetails] => [
      delivery.id,
      {
        status: steps[name].to,
        previousStatus: delivery.status,
        driverId: delivery.driverId,
        ...more(delivery),
      },
    ]),
  );
  const moved = await markSteps(tx, centralId, [...payloads.keys()], name, actor, { searchAgainAt });
  const events = moved.map(({ id, carrierId }) => ({ deliveryId: id, payload: payloads.get(carrierId)! }));
  await recordSteps(tx, centralId, events, actor);
}

/**
 * Gives a delivery, and all deliveries grouped into it, to another driver. Each gets an event with both drivers, and a
 * status event only if its status changes. The caller holds the locks of the delivery and of the new driver.
 */
export async function takeHandover(
  tx: Tx,
  centralId: number,
  delivery: Stepping,
  name: 'handOver' | 'handOverAsNext' | 'handOverStarted',
  received: { driverId: number; metresToPickup: number | null },
  actor: Actor,
): Promise<void> {
  assertStep(name, delivery.status);
  const [driverId, previousDriverId] = [received.driverId, delivery.driverId!];
  const moved = await markSteps(tx, centralId, [delivery.id], name, actor, { received, isNumbered: false });
  const status = steps[name].to;
  for (const { id: deliveryId } of moved) {
    const type = 'delivery.driver_changed';
    await recordDeliveryEvent(tx, centralId, { deliveryId, type, payload: { previousDriverId } }, actor);
    if (status === delivery.status) continue;
    const payload = { status, previousStatus: delivery.status, driverId, previousDriverId };
    await recordDeliveryEvent(tx, centralId, { deliveryId, type: 'delivery.status', payload }, actor);
  }
}

/**
 * The actor of a step. A phone that was offline reports the time of a step later; it is limited to the range from the
 * previous step to now. The caller holds the delivery's lock.
 */
export async function stepActor(
  tx: Tx,
  { centralId, userId }: Caller,
  deliveryId: number,
  occurredAt: Temporal.Instant | null,
  now: Temporal.Instant,
): Promise<Actor> {
  if (occurredAt === null) return { at: now, by: userId };
  const before = await findLatestMoment(tx, centralId, deliveryId);
  const notBefore = Temporal.Instant.compare(occurredAt, before) < 0 ? before : occurredAt;
  const happenedAt = Temporal.Instant.compare(notBefore, now) > 0 ? now : notBefore;
  return { at: now, by: userId, happenedAt };
}

/** Refuses steps of a grouped delivery, which follows its grouper. */
export function assertUngrouped(delivery: Pick<Delivery, 'groupedInto'>): void {
  if (delivery.groupedInto !== null) throw new Refusal('delivery-grouped', { id: delivery.groupedInto });
}

/** Locks a delivery for a step, if it is in the caller's scope and can take steps. */
export async function lockForStep(tx: Tx, caller: Caller, id: number): Promise<Delivery> {
  const delivery = await lockDelivery(tx, caller, id);
  if (await isFormerDriver(tx, caller, delivery)) throw new Refusal('delivery-handed-over');
  assertUngrouped(delivery);
  return delivery;
}

/**
 * Whether the caller is a driver whose delivery was reassigned. A driver's login sees its own deliveries, and those
 * offered to it that no other driver took. All others are answered as missing, except to a former driver, whose phone
 * may have been offline during the reassignment.
 */
export async function isFormerDriver(tx: Tx, caller: Caller, delivery: Delivery): Promise<boolean> {
  const { driverId, centralId } = caller;
  if (driverId === null || delivery.driverId === driverId) return false;
  if (delivery.driverId === null && (await findOffer(tx, centralId, delivery.id, driverId))) return false;
  if (await wasHandedOver(tx, centralId, delivery.id, driverId)) return true;
  throw new Refusal('delivery-not-found');
}
