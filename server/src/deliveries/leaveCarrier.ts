import type { Actor } from '../events/actor.ts';
import type { Tx } from '../postgres/database.ts';
import { isConcluded } from '../requests/request.ts';
import { moveStops } from '../requests/stopStore.ts';
import type { Delivery } from './delivery.ts';
import { recordDeliveryEvent } from './deliveryEventStore.ts';
import { clearReserved, markReason, markUngrouped } from './deliveryStore.ts';
import { finishLocked } from './driverSteps.ts';
import { giveBack, holdCredit } from './reserveCredit.ts';
import { type StopDeparture, saveStopDeparture } from './stopDeparture.ts';
import { takeStep } from './takeStep.ts';

/**
 * One that was grouped is cancelled alone: its stops that are not concluded leave the delivery that carries them,
 * which goes on with its own, or ends where nothing is left to be visited. The caller holds both locks.
 */
export async function leaveCarrier(
  tx: Tx,
  centralId: number,
  delivery: Delivery,
  departure: StopDeparture,
  reasonId: number | null,
  actor: Actor,
): Promise<void> {
  const { carrier, leaving, remaining } = departure;
  const held = await clearReserved(tx, centralId, delivery.id);
  await saveStopDeparture(tx, centralId, carrier, departure);
  await moveStops(
    tx,
    centralId,
    'delivery',
    delivery.id,
    leaving.map(({ id }) => id),
  );
  // First cancelled, then on its own: two that are in progress cannot be one driver's.
  await takeStep(tx, centralId, delivery, 'cancel', actor, { reasonId, groupedInto: null });
  await markUngrouped(tx, centralId, delivery.id);
  await markReason(tx, centralId, delivery.id, reasonId);
  await recordDeliveryEvent(
    tx,
    centralId,
    {
      deliveryId: carrier.id,
      type: 'delivery.grouped',
      payload: { groupedInto: null, left: [delivery.id], stopIds: remaining.map(({ id }) => id) },
    },
    actor,
  );
  const { estimate, netCents } = departure;
  const lighter = { ...carrier, netCents, plannedMetres: estimate?.metres ?? carrier.plannedMetres };
  const isDone = remaining.every(isConcluded) && !carrier.returning;
  if (isDone) await finishLocked(tx, centralId, lighter, actor);
  await giveBack(tx, centralId, held, actor);
  if (!isDone) await holdCredit(tx, centralId, carrier, netCents, actor);
}
