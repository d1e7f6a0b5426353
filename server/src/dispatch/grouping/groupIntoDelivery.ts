import {
  markDeliveriesGrouped,
  markReturnAdded,
  saveDeliveryEstimate,
} from '../../deliveries/deliveries/deliveryStore.ts';
import { holdCredits } from '../../deliveries/deliveries/reserveCredit.ts';
import { recordDeliveryEvent } from '../../deliveries/deliveries/stepStore.ts';
import { resumeNext } from '../../deliveries/deliveries/steps.ts';
import { separateMetresOf } from '../../deliveries/orders/request.ts';
import { moveStops, moveStopsIntoDelivery } from '../../deliveries/orders/stopStore.ts';
import {
  findGroupedInto,
  markGroupedIntoDelivery,
  recordScheduledEvents,
} from '../../deliveries/scheduled/scheduledStore.ts';
import type { Actor, ScheduledEvent } from '../../events/record/event.ts';
import type { EstimateDeps } from '../../money/pricing/estimateTrip.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { inOrder } from '../../platform/postgres/transaction.ts';
import { lockDriver } from '../../registers/drivers/driverStore.ts';
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
  await inOrder(freed.map((driverId) => lockDriver(tx, centralId, driverId)));
  for (const driverId of freed) await resumeNext(tx, centralId, driverId, actor.at);
  // Credit held for the others is given back first, so that it can pay for the grouper.
  const released = deliveries.map((delivery) => ({ delivery, cents: 0 }));
  await holdCredits(tx, centralId, [...released, { delivery: grouper, cents: estimate.netCents }], actor);
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
