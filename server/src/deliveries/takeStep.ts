import type { Deed } from '../events/deed.ts';
import type { EventPayload } from '../events/event.ts';
import { recordDeliveryEvent } from '../events/recordEvent.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import type { Delivery } from './delivery.ts';
import { markStep } from './deliveryStore.ts';
import { assertStep, type StepName, steps } from './status.ts';

/** As much of a delivery as a step looks at. */
export type Stepping = Pick<Delivery, 'id' | 'status' | 'driverId'>;

/**
 * Moves a delivery one step on, together with all that were grouped into it, and tells it of each of them.
 * The caller holds the delivery's lock. Refuses a step out of order before anything is written.
 */
export async function takeStep(
  tx: Tx,
  centralId: number,
  delivery: Stepping,
  name: StepName,
  deed: Deed,
  more: EventPayload = {},
): Promise<void> {
  assertStep(name, delivery.status);
  const moved = await markStep(tx, centralId, delivery.id, name, deed.at);
  const told = {
    status: steps[name].to,
    previousStatus: delivery.status,
    driverId: delivery.driverId,
    ...more,
  };
  for (const id of moved) await recordDeliveryEvent(tx, centralId, id, 'delivery.status', told, deed);
}

/** A delivery that was grouped into another takes no steps of its own: it follows its grouper. */
export function assertUngrouped(delivery: Pick<Delivery, 'groupedInto'>): void {
  if (delivery.groupedInto !== null) throw new Refusal('delivery-grouped', { id: delivery.groupedInto });
}
