import { type Caller, wholeCentral } from '../../centrals/caller.ts';
import type { EstimateDeps } from '../../money/pricing/estimateTrip.ts';
import { type Outcome, outcomeOf } from '../../platform/kernel/outcome.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { ChangedMeanwhile, retryOnConflict } from '../../platform/kernel/retryOnConflict.ts';
import { apart } from '../deliveries/cancelDeliveries.ts';
import { type CancelOptions, cancelScheduled, wasCancelled } from './cancelScheduled.ts';
import type { Scheduled } from './scheduled.ts';
import {
  findCarriers,
  findSomeScheduled,
  lockSomeScheduled,
  markCancelled,
  recordScheduledEvents,
} from './scheduledStore.ts';

/**
 * Cancels several scheduled deliveries; returns what became of each, in the order of `ids`. An id that comes again is
 * cancelled already.
 *
 * Those that await dispatch and belong to no group are cancelled in one transaction. Any other may ask the router, and
 * changes deliveries or groups: it is cancelled by itself, before the others.
 */
export async function cancelManyScheduled(
  deps: EstimateDeps,
  caller: Caller,
  ids: readonly number[],
  options: CancelOptions,
): Promise<Outcome<null>[]> {
  const { db, clock } = deps;
  const { centralId } = caller;
  const outcomes = new Map<number, Outcome<null>>();
  const asked = new Set(ids);

  const cancelOpen = async (): Promise<void> => {
    const undecided = [...asked].filter((id) => !outcomes.has(id));
    const found = await findSomeScheduled(db, caller, undecided);
    const carriers = new Set(await findCarriers(db, centralId, undecided));
    const isApart = ({ id, situation }: Scheduled) =>
      situation !== 'awaiting' || carriers.has(id) || !options.evenAwaiting;
    for (const { id } of found.filter(isApart))
      outcomes.set(id, await outcomeOf(cancelAlone({ ...deps, db: apart(db) }, caller, id, options)));
    const together = found.filter((scheduled) => !isApart(scheduled)).map(({ id }) => id);
    if (together.length === 0) return;
    await db.begin(async (tx) => {
      const locked = await lockSomeScheduled(tx, wholeCentral(centralId), together);
      // Nothing can be grouped into a scheduled delivery whose lock is held here.
      const carrying = await findCarriers(tx, centralId, together);
      if (carrying.length > 0 || locked.some(({ situation }) => situation !== 'awaiting'))
        throw new ChangedMeanwhile();
      await markCancelled(tx, centralId, together);
      const actor = { at: clock.now(), by: caller.userId };
      await recordScheduledEvents(tx, centralId, locked.map(wasCancelled), actor);
    });
    for (const id of together) outcomes.set(id, { value: null });
  };
  await retryOnConflict(cancelOpen);

  const isFirst = (id: number) => asked.delete(id);
  return ids.map((id) => {
    const outcome = outcomes.get(id) ?? { error: new Refusal('scheduled-not-found') };
    return isFirst(id) || 'error' in outcome ? outcome : { error: new Refusal('scheduled-cancelled') };
  });
}

const cancelAlone = async (...cancellation: Parameters<typeof cancelScheduled>): Promise<null> => {
  await cancelScheduled(...cancellation);
  return null;
};
