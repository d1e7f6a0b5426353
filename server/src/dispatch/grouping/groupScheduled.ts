import { separateMetresOf } from '../../deliveries/orders/request.ts';
import { moveStops } from '../../deliveries/orders/stopStore.ts';
import { assertCredit } from '../../deliveries/scheduled/assertCredit.ts';
import {
  findGroupedInto,
  markGrouped,
  recordScheduledEvents,
  saveEstimate,
} from '../../deliveries/scheduled/scheduledStore.ts';
import type { Actor, ScheduledEvent } from '../../events/record/event.ts';
import type { EstimateDeps } from '../../money/pricing/estimateTrip.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { type ClaimedGroup, claimGroup, type GroupingScope, lockGroup, releaseGroup } from './claimGroup.ts';
import { takesMoreCredit } from './group.ts';
import { type GroupPlan, planGroup } from './planGroup.ts';

export interface ScheduledGrouping {
  grouperId: number;
  scheduledIds: readonly number[];
}

/** Contract 4.2: a scheduled delivery takes over the stops of others that await dispatch as well. */
export async function groupScheduled(
  deps: EstimateDeps,
  scope: GroupingScope,
  { grouperId, scheduledIds }: ScheduledGrouping,
): Promise<void> {
  const { db, clock } = deps;
  const wanted = { grouper: { noun: 'scheduled', id: grouperId }, scheduledIds } as const;
  const group = await claimGroup(deps, scope, wanted, 'grouping');
  try {
    // The router is slow and may be down, so nothing is locked while it plans.
    const plan = await planGroup(deps, scope.central, group);
    await db.begin(async (tx) => {
      const actor = { at: clock.now(), by: scope.userId };
      await lockGroup(tx, group, actor.at);
      await saveScheduledGroup(tx, group, plan, actor);
    });
  } catch (error) {
    await releaseGroup(deps, group);
    throw error;
  }
}

/** Saves a group of scheduled deliveries that lockGroup locked. */
export async function saveScheduledGroup(
  tx: Tx,
  group: ClaimedGroup,
  { estimate, stopIds }: GroupPlan,
  actor: Actor,
): Promise<void> {
  const { centralId, purpose } = group.claim;
  const grouperId = group.grouper.request.id;
  const ids = group.others.map(({ request }) => request.id);
  const broughtAlong = await findGroupedInto(tx, centralId, ids);
  await moveStops(tx, centralId, 'scheduled', grouperId, stopIds);
  const separateMetres = [group.grouper, ...group.others].reduce(
    (sum, { request }) => sum + separateMetresOf(request),
    0,
  );
  await saveEstimate(tx, centralId, grouperId, estimate, separateMetres);
  await markGrouped(tx, centralId, ids, grouperId, purpose === 'automatic_merge');
  await recordScheduledEvents(
    tx,
    centralId,
    [
      {
        scheduledId: grouperId,
        type: 'scheduled.changed',
        payload: { situation: 'awaiting', change: 'stops_joined', grouped: ids },
      },
      ...[...ids, ...broughtAlong].map<ScheduledEvent>((scheduledId) => ({
        scheduledId,
        type: 'scheduled.changed',
        payload: { situation: 'grouped', change: 'grouped', groupedInto: grouperId },
      })),
    ],
    actor,
  );
  if (takesMoreCredit(group, estimate.netCents))
    await assertCredit(tx, centralId, { ...group.grouper.request, netCents: estimate.netCents });
}
