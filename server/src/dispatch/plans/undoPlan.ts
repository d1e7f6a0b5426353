import type { Caller } from '../../centrals/caller.ts';
import { findCurrentDeliveryId } from '../../deliveries/deliveries/deliveryStore.ts';
import { findOffer, insertHandover, withdrawOffers } from '../../deliveries/deliveries/offerStore.ts';
import { isCarried, isCurrent } from '../../deliveries/deliveries/status.ts';
import { clearDriver } from '../../deliveries/deliveries/stepStore.ts';
import { resumeNext } from '../../deliveries/deliveries/steps.ts';
import { takeHandover, takeSteps } from '../../deliveries/deliveries/takeSteps.ts';
import { haversineMetres } from '../../platform/kernel/position.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { lockAfterDrivers, lockBeforeDrivers, lockDrivers } from './applyStore.ts';
import { type Application, type NotUndoneReason, UNDO_SECONDS } from './plan.ts';
import { lockPlan, markApplied } from './planStore.ts';
import { findDrivers, findOrders, type PlannableOrder } from './situationStore.ts';
import { epoch } from './workOfDelivery.ts';

export interface UndonePlan {
  undone: readonly number[];
  kept: readonly { deliveryId: number; reason: NotUndoneReason }[];
}

type Doer = Pick<Caller, 'centralId' | 'userId'>;

/**
 * Takes back what a plan has given, within a minute: open offers are withdrawn, assigned deliveries are searched for
 * again, and handed over ones return to their drivers. What a driver has accepted or begun stays.
 */
export const undoPlan = (
  { db, clock }: Deps,
  caller: Doer,
  id: number,
  reason: string,
): Promise<UndonePlan> =>
  db.begin(async (tx) => {
    const { centralId } = caller;
    const now = clock.now();
    const record = await lockPlan(tx, centralId, id, now);
    const standing = record.applied.filter(({ isUndone }) => !isUndone);
    if (standing.length === 0) throw new Refusal('plan-not-applied');
    const made = standing.filter(({ at }) => at + UNDO_SECONDS >= epoch(now));
    if (made.length === 0) throw new Refusal('plan-undo-over', { seconds: UNDO_SECONDS });

    const ids = made.map(({ deliveryId }) => deliveryId);
    const locked = await lockBeforeDrivers(tx, centralId, ids);
    const driverIds = new Set(
      made.flatMap(({ driverId, fromDriverId }) =>
        fromDriverId === null ? [driverId] : [driverId, fromDriverId],
      ),
    );
    await lockDrivers(tx, centralId, [...driverIds]);
    locked.push(...(await lockAfterDrivers(tx, centralId, ids)));
    const orders = new Map((await findOrders(tx, centralId, ids)).map((order) => [order.id, order]));

    const undone = new Set<number>();
    const kept: UndonePlan['kept'][number][] = [];
    const freed = new Set<number>();
    // Those on hold first, so that none of them resumes meanwhile.
    const inTurn = made.toSorted((a, b) => rank(orders.get(a.deliveryId)!) - rank(orders.get(b.deliveryId)!));
    for (const application of inTurn) {
      const { deliveryId } = application;
      const order = orders.get(deliveryId)!;
      const reasonToKeep = await whyKept(tx, centralId, application, order, locked.includes(deliveryId));
      if (reasonToKeep) {
        kept.push({ deliveryId, reason: reasonToKeep });
        continue;
      }
      if (isCarried(order.status) && isCurrent(order.status)) freed.add(application.driverId);
      await takeBack(tx, caller, application, order, reason, now);
      undone.add(deliveryId);
    }
    for (const driverId of freed) await resumeNext(tx, centralId, driverId, now);
    const applied = record.applied.map((each) =>
      made.includes(each) && undone.has(each.deliveryId) ? { ...each, isUndone: true } : each,
    );
    await markApplied(tx, centralId, id, applied, { undoneAt: now });
    return { undone: ids.filter((each) => undone.has(each)), kept };
  });

const rank = ({ status }: PlannableOrder): number => (status === 'on_hold' ? 0 : 1);

async function whyKept(
  tx: Tx,
  centralId: number,
  { deliveryId, driverId, way }: Application,
  order: PlannableOrder,
  isLocked: boolean,
): Promise<NotUndoneReason | null> {
  if (order.status === 'in_progress' || order.hasArrived) return 'begun';
  if (!isLocked) return 'elsewhere';
  if (way === 'offered') {
    if (isCarried(order.status)) return order.driverId === driverId ? 'accepted' : 'elsewhere';
    const offer = await findOffer(tx, centralId, deliveryId, driverId);
    return order.status === 'offered' && offer?.state === 'open' ? null : 'elsewhere';
  }
  return isCarried(order.status) && order.driverId === driverId ? null : 'elsewhere';
}

async function takeBack(
  tx: Tx,
  { centralId, userId }: Doer,
  { deliveryId, driverId, way, fromDriverId }: Application,
  order: PlannableOrder,
  reason: string,
  now: Temporal.Instant,
): Promise<void> {
  const actor = { at: now, by: userId };
  if (way === 'handed-over') {
    const [back] = await findDrivers(tx, centralId, [fromDriverId!]);
    const metresToPickup = back?.position ? Math.round(haversineMetres(back.position, order.pickup)) : 0;
    const isBusy = (await findCurrentDeliveryId(tx, centralId, fromDriverId!)) !== undefined;
    const received = { driverId: fromDriverId!, metresToPickup };
    await takeHandover(tx, centralId, order, isBusy ? 'handOverAsNext' : 'handOver', received, actor);
    const handover = { deliveryId, fromDriverId: driverId, toDriverId: fromDriverId!, reason };
    await insertHandover(tx, centralId, handover, actor);
    return;
  }
  await withdrawOffers(tx, centralId, [deliveryId], ['open', 'accepted'], now);
  if (way === 'offered') await takeSteps(tx, centralId, [order], 'declineAssigned', actor);
  else
    await takeSteps(tx, centralId, [order], 'giveUp', actor, () => ({
      driverId: null,
      previousDriverId: driverId,
    }));
  await clearDriver(tx, centralId, deliveryId);
}
