import { moveStops, saveDeliveryEstimate } from '../deliveries/carriedStopStore.ts';
import { resumeNext } from '../deliveries/driverSteps.ts';
import { holdCredit } from '../deliveries/reserveCredit.ts';
import type { EstimateDeps } from '../estimates/estimateTrip.ts';
import type { Actor } from '../events/actor.ts';
import { recordDeliveryEvent } from '../events/recordEvent.ts';
import { recordScheduledEvents } from '../events/recordScheduledEvents.ts';
import type { Tx } from '../postgres/database.ts';
import { markGroupedIntoDelivery } from '../scheduled/scheduledStore.ts';
import { adoptScheduledStops, findScheduledGroupedInto, markDeliveriesGrouped } from './groupingStore.ts';
import { type GroupingScope, groupUnderClaim, type ReadyGroup } from './groupUnderClaim.ts';

export interface DeliveryGrouping {
  grouperId: number;
  scheduledIds: readonly number[];
  deliveryIds: readonly number[];
}

/** Contract 4.6 and 4.7: a delivery in progress takes over the stops of others, and of scheduled ones. */
export const groupIntoDelivery = (
  deps: EstimateDeps,
  scope: GroupingScope,
  { grouperId, scheduledIds, deliveryIds }: DeliveryGrouping,
): Promise<void> =>
  groupUnderClaim(
    deps,
    scope,
    { grouper: { noun: 'delivery', id: grouperId }, scheduledIds, deliveryIds },
    'grouping',
    saveGroup,
  );

async function saveGroup(tx: Tx, centralId: number, group: ReadyGroup, actor: Actor): Promise<void> {
  const { estimate, stopIds, locked } = group;
  const grouper = locked.deliveries.find(({ id }) => id === group.grouper.request.id)!;
  const deliveries = locked.deliveries.filter((one) => one !== grouper);
  const deliveryIds = deliveries.map(({ id }) => id);
  const scheduledIds = locked.scheduled.map(({ id }) => id);

  await adoptScheduledStops(tx, centralId, grouper.id, scheduledIds, stopIds);
  await moveStops(tx, centralId, grouper.id, stopIds);
  await saveDeliveryEstimate(tx, centralId, grouper.id, estimate);
  const broughtAlong = await findScheduledGroupedInto(tx, centralId, scheduledIds);
  await markGroupedIntoDelivery(tx, centralId, scheduledIds, grouper.id);
  const following = await markDeliveriesGrouped(tx, centralId, deliveryIds, grouper);

  const told = { groupedInto: null, deliveries: deliveryIds, scheduled: scheduledIds, stopIds };
  await recordDeliveryEvent(tx, centralId, grouper.id, 'delivery.grouped', told, actor);
  for (const id of following)
    await recordDeliveryEvent(tx, centralId, id, 'delivery.grouped', { groupedInto: grouper.id }, actor);
  await recordScheduledEvents(
    tx,
    centralId,
    [...scheduledIds, ...broughtAlong].map((scheduledId) => ({
      scheduledId,
      type: 'scheduled.changed',
      payload: { situation: 'grouped', change: 'grouped', deliveryId: grouper.id },
    })),
    actor,
  );

  const freed = deliveries.flatMap(({ driverId }) => driverId ?? []).sort((a, b) => a - b);
  for (const driverId of freed) await resumeNext(tx, centralId, driverId, actor.at);
  // What was held for the others is given back first, so that it can pay for the grouper.
  for (const one of deliveries) await holdCredit(tx, centralId, one, 0, actor);
  await holdCredit(tx, centralId, grouper, estimate.netCents, actor);
}
