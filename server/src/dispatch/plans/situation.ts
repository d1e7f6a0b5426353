import type { Central } from '../../centrals/central.ts';
import { listRuns, type Run } from '../../deliveries/deliveries/driverWorkStore.ts';
import type { Demands } from '../../deliveries/orders/demands.ts';
import type { Capacity } from '../../platform/kernel/load.ts';
import type { Position } from '../../platform/kernel/position.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import type { LeftOut, LeftOutReason, PlanWish } from './plan.ts';
import {
  findCategoryCapacities,
  findDemands,
  findDrivers,
  findOrders,
  findPromises,
  listOnDuty,
  listWithoutDriver,
  type PlannableDriver,
  type PlannableOrder,
} from './situationStore.ts';

export const ORDERS_MAX = 500;
export const DRIVERS_MAX = 200;

/** What a plan is made of: the open deliveries to give away, the drivers, and what these carry already. */
export interface Situation {
  now: Temporal.Instant;
  timeZone: string;
  orders: readonly PlannableOrder[];
  drivers: readonly PlacedDriver[];
  /** What the drivers keep; for each driver the current one first. */
  runs: readonly Run[];
  /** When each of those was promised. */
  promises: ReadonlyMap<number, Temporal.Instant | null>;
  /** What stops demand, by stop. */
  demands: ReadonlyMap<number, Demands>;
  /** What vehicles of each category carry. */
  capacities: ReadonlyMap<number, Capacity>;
  /** The only driver of each locked delivery. */
  locks: ReadonlyMap<number, number>;
  /** Whoever let an offer expire counts as having refused it. */
  isAutomatic: boolean;
  /** How many deliveries a driver may have aboard at a time. */
  aboardMax: number;
}

export interface PlacedDriver extends PlannableDriver {
  position: Position;
}

export interface Asked {
  wish: PlanWish;
  isAutomatic: boolean;
  /** Only deliveries that wait since before then; null: all. */
  waitingBefore: Temporal.Instant | null;
}

/** The deliveries and drivers of the wish as they are now, and which of the named deliveries cannot be planned. */
export async function readSituation(
  { db, clock }: Deps,
  { id: centralId, timeZone, settings }: Central,
  { wish, isAutomatic, waitingBefore }: Asked,
): Promise<{ situation: Situation; refused: LeftOut[] }> {
  const now = clock.now();
  const found = wish.deliveryIds
    ? await findOrders(db, centralId, wish.deliveryIds)
    : await listWithoutDriver(db, centralId, { waitingBefore, limit: ORDERS_MAX });
  const refused: LeftOut[] = [];
  const orders: PlannableOrder[] = [];
  for (const order of found) {
    const reason = whyNot(order);
    if (reason) refused.push({ deliveryId: order.id, reason });
    else orders.push(order);
  }
  const seenSince = now.subtract({ minutes: settings.positionMinutesMax });
  const known = wish.driverIds
    ? await findDrivers(db, centralId, wish.driverIds)
    : await listOnDuty(db, centralId, seenSince, DRIVERS_MAX);
  const drivers = known.flatMap((driver) =>
    driver.active && driver.position && !(isAutomatic && driver.isAsked)
      ? [{ ...driver, position: driver.position }]
      : [],
  );
  const moved = new Set(orders.map(({ id }) => id));
  const carried = await listRuns(
    db,
    centralId,
    drivers.map(({ id }) => id),
  );
  const runs = carried.filter(({ id }) => !moved.has(id));
  const stopIds = [...orders, ...runs].flatMap(({ stops }) => stops.map(({ id }) => id));
  const [promises, demands, capacities] = await Promise.all([
    findPromises(
      db,
      centralId,
      runs.map(({ id }) => id),
    ),
    findDemands(db, centralId, stopIds),
    findCategoryCapacities(db, centralId),
  ]);
  const locks = new Map(wish.locks.map(({ deliveryId, driverId }) => [deliveryId, driverId]));
  const aboardMax = settings.planAboardMax;
  const situation = {
    ...{ now, timeZone, orders, drivers, runs, promises, demands },
    ...{ capacities, locks, isAutomatic, aboardMax },
  };
  return { situation, refused };
}

/** Why a named delivery cannot be planned. What a driver has accepted and not begun can move to another one. */
function whyNot({ status, isGrouped, hasArrived, stops }: PlannableOrder): LeftOutReason | null {
  if (isGrouped) return 'grouped';
  if (status === 'awaiting_release') return 'awaiting-release';
  if (status === 'in_progress') return 'in-progress';
  if (status === 'accepted' && hasArrived) return 'arrived';
  const isOpen =
    status === 'distributing' ||
    status === 'pending' ||
    status === 'offered' ||
    status === 'accepted' ||
    status === 'on_hold';
  return isOpen && stops.length > 0 ? null : 'not-open';
}
