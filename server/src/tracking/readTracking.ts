import type { Caller } from '../centrals/caller.ts';
import { Refusal } from '../kernel/refusal.ts';
import { ChangedMeanwhile, retryOnConflict } from '../kernel/retryOnConflict.ts';
import type { Deps } from '../postgres/deps.ts';
import {
  findTrackedStops,
  giveConfirmationCode,
  isDeliveryInScope,
  type TrackedStop,
} from './trackedStopStore.ts';

/**
 * The stops of a delivery, with the secrets of their tracking links. Where the central asks for confirmation
 * codes, the first reading makes them.
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
    // One row in each transaction: whoever moves several of these stops at once is never waited for in a circle.
    const code = stop.code ?? (await db.begin((tx) => giveConfirmationCode(tx, centralId, stop.id)));
    // Its delivery was edited between the two looks: the new stops have links of their own.
    if (code === undefined) throw new ChangedMeanwhile();
    withCodes.push({ ...stop, code });
  }
  return withCodes;
}
