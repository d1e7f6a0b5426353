import type { Caller } from '../../centrals/caller.ts';
import { changeActor } from '../../events/audit/recordChange.ts';
import { announceSilentChange } from '../../events/record/silentChange.ts';
import { namesStreet, saveCorrection } from '../../geo/geocoding/correctedGeocoder.ts';
import type { Position } from '../../platform/kernel/position.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { isConcluded } from '../orders/request.ts';
import { findStops, markStopChecked, moveStop } from '../orders/stopStore.ts';
import { markPickupChecked, movePickup, raiseVersion } from './deliveryStore.ts';
import { isOver } from './status.ts';
import { recordDeliveryEvent } from './stepStore.ts';
import { lockForStep } from './takeSteps.ts';

/** An address of a delivery, and its position. */
export interface CheckedAddress {
  /** Null: the pickup. */
  stopId: number | null;
  /** Null: the current position is right. */
  position: Position | null;
}

/**
 * Records that an operator has checked an address. A new position replaces that of the stop or pickup, so that the
 * driver goes there, and applies to later orders for the address. The agreed price stays.
 */
export async function checkAddress(
  { db, clock }: Deps,
  caller: Caller,
  id: number,
  { stopId, position }: CheckedAddress,
): Promise<void> {
  const { centralId } = caller;
  await db.begin(async (tx) => {
    const delivery = await lockForStep(tx, caller, id);
    if (isOver(delivery.status)) throw new Refusal('delivery-over');
    const stops = stopId === null ? [] : await findStops(tx, centralId, 'delivery', [id]);
    const stop = stops.find((each) => each.id === stopId);
    if (stopId !== null && !stop) throw new Refusal('stop-not-found');
    const place = stop ?? delivery.pickup;
    if (!position) {
      if (stop) await markStopChecked(tx, centralId, stop.id);
      else await markPickupChecked(tx, centralId, id);
      announceSilentChange(tx, { centralId, deliveryId: id, companyId: delivery.companyId });
      return;
    }
    const actor = { at: clock.now(), by: caller.userId };
    if (!stop) await movePickup(tx, centralId, id, position);
    // A concluded stop keeps its position; only later orders use the new one.
    else if (isConcluded(stop)) await markStopChecked(tx, centralId, stop.id);
    else await moveStop(tx, centralId, stop.id, position);
    await raiseVersion(tx, centralId, id);
    await recordDeliveryEvent(
      tx,
      centralId,
      { deliveryId: id, type: 'delivery.changed', payload: { change: 'edited' } },
      actor,
    );
    const { address: line, district, city, state } = place;
    const parts = { line, district, city, state };
    if (!namesStreet(parts)) return;
    const author = { origin: 'operator', userId: caller.userId } as const;
    await saveCorrection(tx, parts, position, changeActor(caller, actor.at, 'operations'), author);
  });
}
