import type { Sight } from '../centrals/caller.ts';
import type { Delivery } from '../deliveries/delivery.ts';
import { findDeliveries } from '../deliveries/deliveryStore.ts';
import type { Tx } from '../postgres/database.ts';
import type { Scheduled } from '../scheduled/scheduled.ts';
import { findManyScheduled } from '../scheduled/scheduledStore.ts';
import type { ClaimTarget } from './claim.ts';
import type { Group, Participant } from './grouping.ts';
import { findCarriedStops } from './groupingStore.ts';

/** Ids as they were sent: repeated ones count once, and the grouper's own is discarded. */
export interface WantedGroup {
  grouper: ClaimTarget;
  scheduledIds?: readonly number[];
  deliveryIds?: readonly number[];
}

export function targetsOf({ grouper, scheduledIds = [], deliveryIds = [] }: WantedGroup): ClaimTarget[] {
  const ids = { scheduled: new Set(scheduledIds), delivery: new Set(deliveryIds) };
  ids[grouper.noun].add(grouper.id);
  return (['scheduled', 'delivery'] as const).flatMap((noun) => [...ids[noun]].map((id) => ({ noun, id })));
}

/** Refuses when one of them is not there for these eyes. */
export async function findRequests(
  tx: Tx,
  sight: Sight,
  targets: readonly ClaimTarget[],
): Promise<{ scheduled: Scheduled[]; deliveries: Delivery[] }> {
  const { scheduled = [], delivery = [] } = Object.groupBy(targets, ({ noun }) => noun);
  const idsOf = (some: readonly ClaimTarget[]) => some.map(({ id }) => id);
  return {
    scheduled: scheduled.length ? await findManyScheduled(tx, sight, idsOf(scheduled)) : [],
    deliveries: delivery.length ? await findDeliveries(tx, sight, idsOf(delivery)) : [],
  };
}

/** Everybody who would take part, with their stops; refuses as findRequests does. */
export async function findGroup(
  tx: Tx,
  sight: Sight,
  grouper: ClaimTarget,
  targets: readonly ClaimTarget[],
): Promise<Group> {
  // Before their stops: a change in between leaves the older version here, and the group is not saved.
  const { scheduled, deliveries } = await findRequests(tx, sight, targets);
  const stopsOf = await findCarriedStops(tx, sight.centralId, targets);
  const all: Participant[] = [
    ...scheduled.map((request) => ({
      noun: 'scheduled' as const,
      request,
      stops: stopsOf('scheduled', request.id),
    })),
    ...deliveries.map((request) => ({
      noun: 'delivery' as const,
      request,
      stops: stopsOf('delivery', request.id),
    })),
  ];
  const isGrouper = ({ noun, request }: Participant) => noun === grouper.noun && request.id === grouper.id;
  return { grouper: all.find(isGrouper)!, others: all.filter((one) => !isGrouper(one)) };
}
