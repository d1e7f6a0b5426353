import type { Caller } from '../../centrals/caller.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import type { PlanWish } from './plan.ts';
import type { Planner } from './planner.ts';
import { countRunning, insertPlan } from './planStore.ts';
import { findDrivers, findOrders } from './situationStore.ts';

/** Plans of one central that are computed at the same time. */
const RUNNING_MAX = 3;
/** What reading, the ways and waiting for others may take besides the search. */
const SECONDS_BESIDES = 120;

interface PlanDeps extends Deps {
  planner: Planner;
}

/** Begins a plan; returns its id at once. */
export async function startPlan(deps: PlanDeps, caller: Caller, wish: PlanWish): Promise<number> {
  const { db, clock, planner } = deps;
  const { central, centralId } = caller;
  await assertKnown(deps, centralId, wish);
  const createdAt = clock.now();
  const id = await db.begin(async (tx) => {
    if ((await countRunning(tx, centralId, createdAt)) >= RUNNING_MAX)
      throw new Refusal('too-many-plans', { max: RUNNING_MAX });
    return insertPlan(tx, centralId, {
      wish,
      userId: caller.userId,
      isAutomatic: false,
      createdAt,
      endsBy: endsBy(createdAt, wish),
    });
  });
  await db.afterCommit(async () => {
    void planner.compute({ id, central, clock, wish, isAutomatic: false });
  });
  return id;
}

export const endsBy = (createdAt: Temporal.Instant, { seconds }: PlanWish): Temporal.Instant =>
  createdAt.add({ seconds: seconds + SECONDS_BESIDES });

async function assertKnown({ db }: Deps, centralId: number, wish: PlanWish): Promise<void> {
  const { deliveryIds, driverIds, locks } = wish;
  const deliveries = new Set([...(deliveryIds ?? []), ...locks.map(({ deliveryId }) => deliveryId)]);
  const drivers = new Set([...(driverIds ?? []), ...locks.map(({ driverId }) => driverId)]);
  const [orders, known] = await Promise.all([
    findOrders(db, centralId, [...deliveries]),
    findDrivers(db, centralId, [...drivers]),
  ]);
  if (orders.length < deliveries.size) throw new Refusal('delivery-not-found');
  if (known.length < drivers.size) throw new Refusal('driver-not-found');
}
