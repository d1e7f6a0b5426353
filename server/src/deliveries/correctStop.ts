import type { Caller } from '../centrals/caller.ts';
import { announceTouched } from '../events/touched.ts';
import { saveCorrection } from '../geocoding/correctedGeocoder.ts';
import type { FoundAddress } from '../geocoding/geocoder.ts';
import type { Position } from '../kernel/position.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Deps } from '../postgres/deps.ts';
import { findStops, markStopChecked } from '../requests/stopStore.ts';
import { lockForStep } from './takeStep.ts';

/**
 * Records the real position of a stop's address, as reported by the driver or an operator. Later orders for the address
 * use it. This delivery keeps its route and price.
 */
export async function correctStop(
  { db, clock }: Deps,
  caller: Caller,
  id: number,
  stopId: number,
  position: Position,
): Promise<FoundAddress> {
  const { centralId } = caller;
  return db.begin(async (tx) => {
    const { companyId } = await lockForStep(tx, caller, id);
    const stop = (await findStops(tx, centralId, 'delivery', [id])).find((each) => each.id === stopId);
    if (!stop) throw new Refusal('stop-not-found');
    await markStopChecked(tx, centralId, stopId);
    announceTouched(tx, { centralId, deliveryId: id, companyId });
    const { address, district, city, state } = stop;
    const parts = { line: address, district, city, state };
    const origin = caller.driverId === null ? 'operator' : 'driver';
    return saveCorrection(tx, centralId, parts, position, origin, clock.now());
  });
}
