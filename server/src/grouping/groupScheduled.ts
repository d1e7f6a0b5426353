import type { EstimateDeps } from '../estimates/estimateTrip.ts';
import type { Actor } from '../events/actor.ts';
import { recordScheduledEvents, type ScheduledEvent } from '../events/recordScheduledEvents.ts';
import type { Tx } from '../postgres/database.ts';
import { assertCredit } from '../scheduled/scheduled.ts';
import { writeStopOrder } from '../scheduled/scheduledStopStore.ts';
import { markGrouped, saveEstimate } from '../scheduled/scheduledStore.ts';
import type { ClaimPurpose } from './claimStore.ts';
import { takesMoreCredit } from './grouping.ts';
import { findScheduledGroupedInto } from './groupingStore.ts';
import { type GroupingScope, groupUnderClaim, type ReadyGroup } from './groupUnderClaim.ts';

export interface ScheduledGrouping {
  grouperId: number;
  scheduledIds: readonly number[];
}

/** Contract 4.2: a scheduled delivery takes over the stops of others that await dispatch as well. */
export const groupScheduled = (
  deps: EstimateDeps,
  scope: GroupingScope,
  { grouperId, scheduledIds }: ScheduledGrouping,
  purpose: ClaimPurpose = 'grouping',
  /** What else belongs into the transaction that saves the group. */
  alsoSave: (tx: Tx, group: ReadyGroup, now: Temporal.Instant) => Promise<void> = async () => {},
): Promise<void> =>
  groupUnderClaim(
    deps,
    scope,
    { grouper: { noun: 'scheduled', id: grouperId }, scheduledIds },
    purpose,
    async (tx, centralId, group, actor) => {
      await saveGroup(tx, centralId, group, actor);
      await alsoSave(tx, group, actor.at);
    },
  );

async function saveGroup(tx: Tx, centralId: number, group: ReadyGroup, actor: Actor): Promise<void> {
  const grouperId = group.grouper.request.id;
  const ids = group.others.map(({ request }) => request.id);
  const broughtAlong = await findScheduledGroupedInto(tx, centralId, ids);
  await writeStopOrder(tx, centralId, grouperId, group.stopIds);
  await saveEstimate(tx, centralId, grouperId, group.estimate);
  await markGrouped(tx, centralId, ids, grouperId, group.claim.purpose === 'automatic_merge');
  await recordScheduledEvents(
    tx,
    centralId,
    [
      changed(grouperId, { situation: 'awaiting', change: 'stops_joined', grouped: ids }),
      ...[...ids, ...broughtAlong].map((id) =>
        changed(id, { situation: 'grouped', change: 'grouped', groupedInto: grouperId }),
      ),
    ],
    actor,
  );
  if (takesMoreCredit(group, group.estimate.netCents))
    await assertCredit(tx, centralId, { ...group.grouper.request, netCents: group.estimate.netCents });
}

const changed = (scheduledId: number, payload: ScheduledEvent['payload']): ScheduledEvent => ({
  scheduledId,
  type: 'scheduled.changed',
  payload,
});
