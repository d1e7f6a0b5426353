import { markReturnAdded, recordDeliveryEvent, saveDeliveryEstimate } from '../deliveries/deliveryStore.ts';
import { markDeliveriesGrouped } from '../deliveries/groupedStore.ts';
import { holdCredit } from '../deliveries/reserveCredit.ts';
import { resumeNext } from '../deliveries/steps.ts';
import type { EstimateDeps } from '../estimates/estimateTrip.ts';
import type { Actor, ScheduledEvent } from '../events/event.ts';
import type { Tx } from '../postgres/database.ts';
import { separateMetresOf } from '../requests/request.ts';
import { moveStops, moveStopsIntoDelivery } from '../requests/stopStore.ts';
import {
  findGroupedInto,
  markGroupedIntoDelivery,
  recordScheduledEvents,
} from '../scheduled/scheduledStore.ts';
import { claimGroup, type GroupingScope, type LockedGroup, lockGroup, releaseGroup } from './claimGroup.ts';
import { type GroupPlan, planGroup } from './planGroup.ts';

export interface DeliveryGrouping {
  grouperId: number;
  scheduledIds: readonly number[];
  deliveryIds: readonly number[];
}

/** Contract 4.6 and 4.7: a delivery in progress takes over the stops of deliveries and of scheduled deliveries. */
export async function groupIntoDelivery(
  deps: EstimateDeps,
  scope: GroupingScope,
  { grouperId, scheduledIds, deliveryIds }: DeliveryGrouping,
): Promise<void> {
  const { db, clock } = deps;
  const wanted = { grouper: { noun: 'delivery', id: grouperId }, scheduledIds, deliveryIds } as const;
  const group = await claimGroup(deps, scope, wanted, 'grouping');
  try {
    // The router is slow and may be down, so nothing is locked while it plans.
    const plan = await planGroup(deps, scope.central, group);
    await db.begin(async (tx) => {
      const actor = { at: clock.now(), by: scope.userId };
      const locked = await lockGroup(tx, group, actor.at);
      await saveGroup(tx, scope.centralId, grouperId, locked, plan, actor);
    });
  } catch (error) {
    await releaseGroup(deps, group);
    throw error;
  }
}

async function saveGroup(
  tx: Tx,
  centralId: number,
  grouperId: number,
  locked: LockedGroup,
  { estimate, stopIds, returning }: GroupPlan,
  actor: Actor,
): Promise<void> {
  const grouper = locked.deliveries.find(({ id }) => id === grouperId)!;
  const deliveries = locked.deliveries.filter((delivery) => delivery !== grouper);
  const deliveryIds = deliveries.map(({ id }) => id);
  const scheduledIds = locked.scheduled.map(({ id }) => id);

  await moveStopsIntoDelivery(tx, centralId, grouper.id, scheduledIds, stopIds);
  await moveStops(tx, centralId, 'delivery', grouper.id, stopIds);
  const separateMetres = sumOf([...locked.deliveries, ...locked.scheduled].map(separateMetresOf));
  await saveDeliveryEstimate(tx, centralId, grouper.id, estimate, separateMetres);
  if (returning && !grouper.returning) await markReturnAdded(tx, centralId, grouper.id, true);
  const broughtAlong = await findGroupedInto(tx, centralId, scheduledIds);
  await markGroupedIntoDelivery(tx, centralId, scheduledIds, grouper.id);
  const following = await markDeliveriesGrouped(tx, centralId, deliveryIds, grouper);

  const type = 'delivery.grouped';
  const received = { groupedInto: null, deliveries: deliveryIds, scheduled: scheduledIds, stopIds };
  await recordDeliveryEvent(tx, centralId, { deliveryId: grouper.id, type, payload: received }, actor);
  const payload = { groupedInto: grouper.id };
  for (const deliveryId of following)
    await recordDeliveryEvent(tx, centralId, { deliveryId, type, payload }, actor);
  await recordScheduledEvents(
    tx,
    centralId,
    [...scheduledIds, ...broughtAlong].map<ScheduledEvent>((scheduledId) => ({
      scheduledId,
      type: 'scheduled.changed',
      payload: { situation: 'grouped', change: 'grouped', deliveryId: grouper.id },
    })),
    actor,
  );

  const freed = deliveries.flatMap(({ driverId }) => driverId ?? []).sort((a, b) => a - b);
  for (const driverId of freed) await resumeNext(tx, centralId, driverId, actor.at);
  // Credit held for the others is given back first, so that it can pay for the grouper.
  for (const delivery of deliveries) await holdCredit(tx, centralId, delivery, 0, actor);
  await holdCredit(tx, centralId, grouper, estimate.netCents, actor);
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
