import type { Caller } from '../../centrals/caller.ts';
import {
  findCurrentDeliveryId,
  markDriver,
  markDriverSpecified,
} from '../../deliveries/deliveries/deliveryStore.ts';
import {
  closeOffersAccepted,
  insertHandover,
  insertOffers,
  withdrawOffers,
} from '../../deliveries/deliveries/offerStore.ts';
import { isCarried, isCurrent, isOver, type Status } from '../../deliveries/deliveries/status.ts';
import { resumeNext } from '../../deliveries/deliveries/steps.ts';
import { takeHandover, takeSteps } from '../../deliveries/deliveries/takeSteps.ts';
import { centralShare } from '../../money/pricing/share.ts';
import { haversineMetres } from '../../platform/kernel/position.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { findCarried, lockAfterDrivers, lockBeforeDrivers, lockDrivers } from './applyStore.ts';
import {
  type Application,
  type ApplicationWay,
  type NotAppliedReason,
  type PlannedOrder,
  type StoredRoute,
  UNDO_SECONDS,
} from './plan.ts';
import { lockPlan, markApplied } from './planStore.ts';
import { findDrivers, findOrders, type PlannableDriver, type PlannableOrder } from './situationStore.ts';
import { epoch } from './workOfDelivery.ts';

/** An offer of several deliveries takes longer to read than one. */
const RUN_OFFER_FACTOR = 2;

export interface Applying {
  /** Only the routes of these drivers; null: all. */
  driverIds: readonly number[] | null;
  /** Undefined: as the central has set. */
  way?: 'offer' | 'assign' | undefined;
  /** The text of handovers, for the central only. */
  reason: string;
}

export interface AppliedPlan {
  undoUntil: Temporal.Instant;
  /** Those applied before are repeated. */
  applied: readonly { deliveryId: number; driverId: number; status: Status }[];
  refused: readonly { deliveryId: number; driverId: number; reason: NotAppliedReason }[];
}

/** A delivery of the plan, as it is now. */
interface Candidate {
  route: StoredRoute;
  planned: PlannedOrder;
  order: PlannableOrder;
}

type Doer = Pick<Caller, 'central' | 'centralId' | 'userId'>;

/**
 * Gives the deliveries of a plan to their drivers, in one transaction. What has changed since in a way that the plan
 * does not allow is left as it is and named. Nothing is applied twice: what a plan has applied is remembered with it.
 *
 * Deliveries without a driver are offered as one run for each driver, or assigned. Deliveries that another driver has
 * accepted are handed over.
 */
export const applyPlan = (
  { db, clock }: Deps,
  caller: Doer,
  id: number,
  applying: Applying,
): Promise<AppliedPlan> =>
  db.begin(async (tx) => {
    const { centralId, central } = caller;
    const now = clock.now();
    const record = await lockPlan(tx, centralId, id, now);
    if (!record.plan) throw new Refusal('plan-not-ready');
    const routes = record.plan.routes.filter(
      ({ driverId }) => applying.driverIds === null || applying.driverIds.includes(driverId),
    );
    const before = record.applied.filter(({ isUndone }) => !isUndone);
    const known = new Set(before.map(({ deliveryId }) => deliveryId));
    const wanted = routes.flatMap((route) =>
      route.orders
        .filter(({ deliveryId, fromDriverId }) => !known.has(deliveryId) && fromDriverId !== route.driverId)
        .map((planned) => ({ route, planned })),
    );
    const situation = await lockSituation(tx, centralId, wanted, record.applied);
    const refused: AppliedPlan['refused'][number][] = [];
    const good: Candidate[] = [];
    const alreadyThere: AppliedPlan['applied'][number][] = [];
    for (const { route, planned } of wanted) {
      const { deliveryId } = planned;
      const order = situation.orders.get(deliveryId)!;
      const pair = { deliveryId, driverId: route.driverId };
      if (isCarried(order.status) && order.driverId === route.driverId) {
        alreadyThere.push({ ...pair, status: order.status });
        continue;
      }
      const reason = whyNot({ route, planned, order }, situation, now);
      if (reason) refused.push({ ...pair, reason });
      else good.push({ route, planned, order });
    }

    const way = applying.way ?? central.settings.planBy;
    const isOffered = ({ order }: Candidate) => way === 'offer' && order.driverId === null;
    const made = [
      ...(await offerRuns(tx, caller, id, good.filter(isOffered), now)),
      ...(await giveAll(
        tx,
        caller,
        good.filter((candidate) => !isOffered(candidate)),
        situation,
        applying.reason,
        now,
      )),
    ];
    if (made.length > 0)
      await markApplied(tx, centralId, id, [...record.applied, ...made], { appliedAt: now });
    const statuses = new Map(
      (await findOrders(tx, centralId, [...known, ...made.map(({ deliveryId }) => deliveryId)])).map(
        ({ id: deliveryId, status }) => [deliveryId, status],
      ),
    );
    const asked = new Set(routes.map(({ driverId }) => driverId));
    const applied = [...before.filter(({ driverId }) => asked.has(driverId)), ...made].map(
      ({ deliveryId, driverId }) => ({ deliveryId, driverId, status: statuses.get(deliveryId)! }),
    );
    const appliedAt = made.length > 0 ? now : (record.appliedAt ?? now);
    return {
      undoUntil: appliedAt.add({ seconds: UNDO_SECONDS }),
      applied: [...applied, ...alreadyThere],
      refused,
    };
  });

interface Locked {
  lockedIds: ReadonlySet<number>;
  orders: ReadonlyMap<number, PlannableOrder>;
  drivers: ReadonlyMap<number, PlannableDriver>;
  /** Drivers who carry what the plan does not know of. */
  surprised: ReadonlySet<number>;
}

async function lockSituation(
  tx: Tx,
  centralId: number,
  wanted: readonly { route: StoredRoute; planned: PlannedOrder }[],
  applied: readonly Application[],
): Promise<Locked> {
  const ids = wanted.map(({ planned }) => planned.deliveryId);
  const locked = await lockBeforeDrivers(tx, centralId, ids);
  const seen = await findOrders(tx, centralId, ids);
  const driverIds = new Set([
    ...wanted.map(({ route }) => route.driverId),
    ...seen.flatMap(({ driverId, status }) => (driverId !== null && isCarried(status) ? [driverId] : [])),
  ]);
  await lockDrivers(tx, centralId, [...driverIds]);
  locked.push(...(await lockAfterDrivers(tx, centralId, ids)));
  const orders = await findOrders(tx, centralId, ids);
  const drivers = await findDrivers(tx, centralId, [...driverIds]);
  const carried = await findCarried(tx, centralId, [...driverIds]);
  const routeOf = new Map(wanted.map(({ route }) => [route.driverId, route]));
  const ownIds = new Set([...ids, ...applied.map(({ deliveryId }) => deliveryId)]);
  const isKnown = ({ id, driverId }: (typeof carried)[number]): boolean => {
    const route = routeOf.get(driverId!);
    return (
      !route ||
      ownIds.has(id) ||
      route.carriedIds.includes(id) ||
      route.orders.some(({ deliveryId }) => deliveryId === id)
    );
  };
  return {
    lockedIds: new Set(locked),
    orders: new Map(orders.map((order) => [order.id, order])),
    drivers: new Map(drivers.map((driver) => [driver.id, driver])),
    surprised: new Set(carried.filter((each) => !isKnown(each)).map(({ driverId }) => driverId!)),
  };
}

function whyNot(
  { route, planned, order }: Candidate,
  { lockedIds, drivers, surprised }: Locked,
  now: Temporal.Instant,
): NotAppliedReason | null {
  const { status, driverId } = order;
  if (isOver(status)) return 'over';
  if (order.isGrouped) return 'grouped';
  if (status === 'awaiting_release') return 'awaiting-release';
  if (status === 'in_progress' || order.hasArrived) return 'begun';
  if (isCarried(status) ? driverId !== planned.fromDriverId : planned.fromDriverId !== null) return 'taken';
  if (!lockedIds.has(order.id)) return 'taken';
  if (order.mark !== planned.mark) return 'edited';
  const driver = drivers.get(route.driverId)!;
  if (!driver.active) return 'driver-inactive';
  if (route.wasOnDuty && !driver.available) return 'driver-off-duty';
  if (!driver.categoryIds.includes(order.categoryId) || !worksFor(driver, order)) return 'driver-changed';
  if (surprised.has(driver.id)) return 'driver-has-more';
  const delay = Math.max(0, epoch(now) - route.leaveAt);
  return planned.hardSlack !== null && delay > planned.hardSlack ? 'window-passed' : null;
}

const worksFor = ({ companyIds }: PlannableDriver, { companyId }: PlannableOrder): boolean =>
  companyIds.length === 0 || (companyId !== null && companyIds.includes(companyId));

/** Offers to others are withdrawn. */
async function offerRuns(
  tx: Tx,
  { centralId, central, userId }: Doer,
  planId: number,
  offered: readonly Candidate[],
  now: Temporal.Instant,
): Promise<Application[]> {
  if (offered.length === 0) return [];
  const ids = offered.map(({ order }) => order.id);
  const driverOf = new Map(offered.map(({ route, order }) => [order.id, route.driverId]));
  const offers = offered.map(({ route, order }) => ({
    deliveryId: order.id,
    driverId: route.driverId,
    planId,
    placeInRun: route.orders.findIndex(({ deliveryId }) => deliveryId === order.id),
  }));
  await withdrawOffers(tx, centralId, ids, ['open'], now);
  const expiresAt = now.add({ seconds: central.settings.offerSeconds * RUN_OFFER_FACTOR });
  await insertOffers(tx, centralId, offers, expiresAt, now);
  await markDriverSpecified(tx, centralId, ids);
  const orders = offered.map(({ order }) => order);
  await takeSteps(tx, centralId, orders, 'assign', { at: now, by: userId }, ({ id }) => ({
    offeredTo: driverOf.get(id)!,
  }));
  return offered.map((candidate) => application(candidate, 'offered', now));
}

/** Assigns and hands over, each driver's deliveries in the order of the route. */
async function giveAll(
  tx: Tx,
  doer: Doer,
  given: readonly Candidate[],
  { drivers }: Locked,
  reason: string,
  now: Temporal.Instant,
): Promise<Application[]> {
  const { centralId, central, userId } = doer;
  const made: Application[] = [];
  const freed = new Set<number>();
  for (const [rank, candidate] of given.entries()) {
    const { route, order } = candidate;
    const { driverId } = route;
    // Later ones of a run are accepted later, which is the order in which they are carried out.
    const actor = { at: now.add({ microseconds: rank }), by: userId };
    const { position } = drivers.get(driverId)!;
    const metres = position ? Math.round(haversineMetres(position, order.pickup)) : 0;
    const isBusy = (await findCurrentDeliveryId(tx, centralId, driverId)) !== undefined;
    if (order.driverId === null) {
      const accepted = { id: driverId, metresToPickup: metres, centralShare: centralShare(central.settings) };
      await markDriver(tx, centralId, order.id, accepted);
      await takeSteps(tx, centralId, [{ ...order, driverId }], isBusy ? 'acceptAsNext' : 'accept', actor);
      await closeOffersAccepted(tx, centralId, order.id, driverId, now);
      made.push(application(candidate, 'assigned', now));
      continue;
    }
    const fromDriverId = order.driverId;
    const step = isBusy ? 'handOverAsNext' : 'handOver';
    await takeHandover(tx, centralId, order, step, { driverId, metresToPickup: metres }, actor);
    await withdrawOffers(tx, centralId, [order.id], ['open', 'accepted'], now);
    const handover = { deliveryId: order.id, fromDriverId, toDriverId: driverId, reason };
    await insertHandover(tx, centralId, handover, actor);
    if (isCurrent(order.status)) freed.add(fromDriverId);
    made.push(application(candidate, 'handed-over', now));
  }
  for (const driverId of freed) await resumeNext(tx, centralId, driverId, now);
  return made;
}

const application = (
  { route, order }: Candidate,
  way: ApplicationWay,
  now: Temporal.Instant,
): Application => ({
  deliveryId: order.id,
  driverId: route.driverId,
  way,
  fromDriverId: order.driverId,
  at: epoch(now),
});
