import type { Caller } from '../../centrals/caller.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { ChangedMeanwhile, retryOnConflict } from '../../platform/kernel/retryOnConflict.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { giveConfirmationCode } from '../orders/stopStore.ts';
import { findTrackedStops, isDeliveryInScope, type TrackedStop } from './trackedStopStore.ts';

/**
 * The stops of a delivery, with the secrets of their tracking links. If the central uses confirmation codes, the
 * first read makes them.
 */
export const readTracking = (deps: Deps, caller: Caller, deliveryId: number): Promise<TrackedStop[]> =>
  retryOnConflict(() => readOnce(deps, caller, deliveryId));

async function readOnce({ db }: Deps, caller: Caller, deliveryId: number): Promise<TrackedStop[]> {
  const { centralId, central } = caller;
  const stops = await findTrackedStops(db, caller, deliveryId);
  if (stops.length === 0 && !(await isDeliveryInScope(db, caller, deliveryId)))
    throw new Refusal('delivery-not-found');
  if (!central.settings.confirmationCode) return stops.map((stop) => ({ ...stop, code: null }));
  const withCodes: TrackedStop[] = [];
  for (const stop of stops) {
    // One row per transaction, so that no deadlock is possible with a transaction that moves several stops.
    const code = stop.code ?? (await db.begin((tx) => giveConfirmationCode(tx, centralId, stop.id)));
    // The delivery was edited between the two reads, and the new stops have links of their own.
    if (code === undefined) throw new ChangedMeanwhile();
    withCodes.push({ ...stop, code });
  }
  return withCodes;
}
