import type { Caller } from '../../centrals/caller.ts';
import { estimatorFor } from '../../geo/routing/routers.ts';
import type { EstimateDeps } from '../../money/pricing/estimateTrip.ts';
import { haversineMetres, type Position } from '../../platform/kernel/position.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { type Driver, findDriverNow } from '../../registers/drivers/driverStore.ts';
import { isConcluded } from '../orders/request.ts';
import type { Delivery } from './delivery.ts';
import { findDelivery } from './deliveryStore.ts';
import { findRun, listRuns, type Run } from './driverWorkStore.ts';
import { assertHandable, chooseStep, orderFor } from './reassignDelivery.ts';
import { arrivalsOf, expectedAt, workLeft } from './runArrivals.ts';
import { assertStep, isCarried, type Status, steps } from './status.ts';
import { assertUngrouped } from './takeSteps.ts';

export interface ReassignmentPreview {
  driver: Driver;
  /** The refusal of the reassignment; null if it would succeed. */
  refusal: Refusal | null;
  status: Status | null;
  /** Straight-line distance to the pickup or, once started, to the driver with the goods. Null if unknown. */
  metres: number | null;
  /** Open stops, in their new order. */
  stops: readonly { id: number; address: string; now: Temporal.Instant | null; after: Temporal.Instant }[];
}

/**
 * Shows how a reassignment to a driver would change the arrival times. A delivery without a driver is treated as if
 * this driver accepted it. Nothing is locked or written.
 */
export async function previewReassignment(
  deps: EstimateDeps,
  caller: Caller,
  id: number,
  driverId: number,
): Promise<ReassignmentPreview> {
  const { db, clock } = deps;
  const { central, centralId } = caller;
  const delivery = await findDelivery(db, caller, id);
  const driver = await findDriverNow(db, centralId, driverId);
  const carrier = delivery.driverId === null ? null : await findDriverNow(db, centralId, delivery.driverId);
  const started = delivery.status === 'in_progress';
  const place = started ? (carrier?.position ?? null) : delivery.pickup.position;
  const metres = driver.position && place && Math.round(haversineMetres(driver.position, place));
  const run = await findRun(db, centralId, id);
  try {
    const status = await statusAfter(db, centralId, delivery, driver);
    const estimator = estimatorFor(central.settings);
    const order = await orderFor(deps, caller, delivery, driver);
    const stops = order.stops.map((stop) => ({
      id: stop.id,
      address: stop.address,
      concluded: isConcluded(stop),
      ...stop.position,
    }));
    const before = run && (await expectedAt(estimator, run, carrier?.position ?? null, clock.now()));
    const runs = await listRuns(db, centralId, [driverId]);
    const { seconds, endsAt } = await workLeft(estimator, runs, driver.position);
    const way = {
      status: started ? ('in_progress' as const) : ('accepted' as const),
      hasArrived: false,
      pickup: delivery.pickup.position,
      returning: delivery.returning,
      plannedSeconds: delivery.plannedSeconds,
      stops,
    };
    const { toStops } = await arrivalsOf(estimator, way, endsAt);
    const open = stops.filter(({ concluded }) => !concluded);
    return {
      driver,
      refusal: null,
      status,
      metres,
      stops: open.map((stop, index) => ({
        id: stop.id,
        address: stop.address,
        now: before?.get(stop.id) ?? null,
        after: clock.now().add({ seconds: seconds + toStops[index]! }),
      })),
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { driver, refusal: error, status: null, metres, stops: [] };
  }
}

/** Refuses as the reassignment would or, for a delivery without a driver, as the acceptance would. */
async function statusAfter(tx: Tx, centralId: number, delivery: Delivery, driver: Driver): Promise<Status> {
  if (isCarried(delivery.status)) {
    assertHandable(delivery, driver.id);
    return steps[await chooseStep(tx, centralId, delivery, driver)].to;
  }
  assertUngrouped(delivery);
  assertStep('accept', delivery.status);
  // Before the start both lead to the same status: accepted, or on hold behind the driver's current delivery.
  return steps[await chooseStep(tx, centralId, delivery, driver)].to;
}

/** A driver to whom a delivery could be given. */
export interface Candidate {
  driverId: number;
  /** The deliveries it carries, the current one first. */
  runs: readonly Run[];
  /** Until all of its runs are done. */
  secondsUntilFree: number;
  /** Until it reaches the delivery's next place, after its other runs; null without a known position. */
  secondsUntilThere: number | null;
}

/** How soon each of some drivers could be at the delivery's next place, the soonest first. */
export async function rankCandidates(
  { db }: Pick<EstimateDeps, 'db'>,
  { central, centralId }: Pick<Caller, 'central' | 'centralId'>,
  next: Position,
  drivers: readonly { id: number; position: Position | null }[],
): Promise<Candidate[]> {
  const estimator = estimatorFor(central.settings);
  const runs = Map.groupBy(await listRuns(db, centralId, null), ({ driverId }) => driverId);
  const candidates = await Promise.all(
    drivers.map(async ({ id, position }) => {
      const carried = runs.get(id) ?? [];
      const { seconds, endsAt } = await workLeft(estimator, carried, position);
      const way = endsAt && (await estimator.route([endsAt, next], 'motorcycle'));
      return {
        driverId: id,
        runs: carried,
        secondsUntilFree: seconds,
        secondsUntilThere: way && seconds + way.seconds,
      };
    }),
  );
  const last = Number.POSITIVE_INFINITY;
  return candidates.sort(
    (a, b) => (a.secondsUntilThere ?? last) - (b.secondsUntilThere ?? last) || a.driverId - b.driverId,
  );
}
