import { availableParallelism } from 'node:os';
import type { Central } from '../../centrals/central.ts';
import { listRuns } from '../../deliveries/deliveries/driverWorkStore.ts';
import { matrixOfMany } from '../../geo/routing/manyPlaces.ts';
import { estimatorFor, type Routers } from '../../geo/routing/routers.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { planInThreads } from '../planning/planInThreads.ts';
import { makeProblem, placesOf, profileOf, type Situation } from './makeProblem.ts';
import type { LeftOut, LeftOutReason, PlanPhase, PlanWish, StoredPlan } from './plan.ts';
import { planAsNow } from './planAsNow.ts';
import {
  findDrivers,
  findOrders,
  findPromises,
  listOnDuty,
  listWithoutDriver,
  type PlannableOrder,
} from './situationStore.ts';
import { storePlan } from './storePlan.ts';

export const ORDERS_MAX = 500;
export const DRIVERS_MAX = 200;
/** One core is left to requests. */
const THREADS = Math.max(1, Math.min(4, availableParallelism() - 1));

export interface Progress {
  phase: PlanPhase;
  /** From 0 to 100. */
  progress: number;
  bestCost: number | null;
}

interface ComputeDeps extends Deps {
  routers: Routers;
}

export interface Computing {
  wish: PlanWish;
  isAutomatic: boolean;
  /** Only deliveries that wait since before then; null: all. */
  waitingBefore?: Temporal.Instant | null;
  onProgress?: (progress: Progress) => void;
  /** Ends the search without a plan. */
  signal?: AbortSignal;
}

const PROGRESS_MS = 500;

/** Reads the situation of a central, asks for the ways and searches the best plan. Nothing is locked or written. */
export async function computePlan(
  deps: ComputeDeps,
  central: Central,
  { wish, isAutomatic, waitingBefore = null, onProgress = () => undefined, signal }: Computing,
): Promise<StoredPlan> {
  onProgress({ phase: 'reading', progress: 0, bestCost: null });
  const { situation, refused } = await readSituation(deps, central, { wish, isAutomatic, waitingBefore });
  onProgress({ phase: 'ways', progress: 5, bestCost: null });
  const places = placesOf(situation);
  const matrix = await matrixOfMany(
    deps.routers.forEstimates(central.settings),
    estimatorFor(central.settings),
    places.positions,
    profileOf(situation.orders),
  );
  const problem = makeProblem(situation, places, matrix);
  const waiting = situation.orders
    .toSorted((a, b) => Temporal.Instant.compare(a.waitingSince, b.waitingSince) || a.id - b.id)
    .map(({ id }) => id);
  const before = planAsNow(problem.problem, waiting);
  const begun = performance.now();
  let bestCost: number | null = null;
  const tell = (): void => {
    const share = Math.min(1, (performance.now() - begun) / (wish.seconds * 1000));
    onProgress({ phase: 'searching', progress: Math.floor(10 + 85 * share), bestCost });
  };
  tell();
  const telling = setInterval(tell, PROGRESS_MS);
  const onFound = ({ cost }: { cost: number }): void => {
    bestCost = Math.min(bestCost ?? cost, cost);
  };
  const limits = {
    seed: wish.seed,
    millis: wish.seconds * 1000,
    threads: wish.iterations === null ? THREADS : 1,
    ...(wish.iterations !== null && { iterations: wish.iterations }),
  };
  try {
    const after = await planInThreads(problem.problem, limits, { onFound, ...(signal && { signal }) });
    return storePlan(situation, problem, { before, after }, refused);
  } finally {
    clearInterval(telling);
  }
}

/** The deliveries and drivers of the wish as they are now, and which of the named deliveries cannot be planned. */
async function readSituation(
  { db, clock }: ComputeDeps,
  { id: centralId, settings }: Central,
  { wish, isAutomatic, waitingBefore }: Required<Pick<Computing, 'wish' | 'isAutomatic' | 'waitingBefore'>>,
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
  const promises = await findPromises(
    db,
    centralId,
    runs.map(({ id }) => id),
  );
  const locks = new Map(wish.locks.map(({ deliveryId, driverId }) => [deliveryId, driverId]));
  const aboardMax = settings.planAboardMax;
  return { situation: { now, orders, drivers, runs, promises, locks, isAutomatic, aboardMax }, refused };
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
