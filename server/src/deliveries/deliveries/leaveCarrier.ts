import type { Central } from '../../centrals/central.ts';
import type { Actor } from '../../events/record/event.ts';
import type { Router } from '../../geo/routing/router.ts';
import { type Estimate, type EstimateDeps, estimateTrip } from '../../money/pricing/estimateTrip.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { ChangedMeanwhile } from '../../platform/kernel/retryOnConflict.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import {
  inVisitOrder,
  isConcluded,
  type Stop,
  separateInProportion,
  separateMetresOf,
  splitByVisit,
} from '../orders/request.ts';
import { findStops, moveStops } from '../orders/stopStore.ts';
import type { Delivery } from './delivery.ts';
import { carriesOthersThan, markUngrouped, saveDeliveryEstimate } from './deliveryStore.ts';
import { type RemainingStops, remainingTripOf } from './remainingTrip.ts';
import { giveBack, holdAvailable } from './reserveCredit.ts';
import { clearReserved, markReason, recordDeliveryEvent } from './stepStore.ts';
import { finishLocked } from './steps.ts';
import { takeSteps } from './takeSteps.ts';

/**
 * Cancels a grouped delivery alone: its open stops leave the carrier, which continues with its other stops, or ends if
 * none is left to visit. The caller holds both locks.
 */
export async function leaveCarrier(
  tx: Tx,
  central: Central,
  delivery: Delivery,
  departure: StopDeparture,
  reasonId: number | null,
  actor: Actor,
): Promise<void> {
  const centralId = central.id;
  const { carrier, leaving, remaining } = departure;
  const held = await clearReserved(tx, centralId, [delivery.id]);
  await saveStopDeparture(
    tx,
    centralId,
    carrier,
    departure,
    await separateWithout(tx, centralId, delivery, departure),
  );
  await moveStops(
    tx,
    centralId,
    'delivery',
    delivery.id,
    leaving.map(({ id }) => id),
  );
  // It is cancelled before it is ungrouped, because a driver cannot have two deliveries in progress.
  await takeSteps(tx, centralId, [delivery], 'cancel', actor, () => ({ reasonId, groupedInto: null }));
  await markUngrouped(tx, centralId, delivery.id);
  await markReason(tx, centralId, [delivery.id], reasonId);
  await recordDeliveryEvent(
    tx,
    centralId,
    {
      deliveryId: carrier.id,
      type: 'delivery.grouped',
      payload: { groupedInto: null, left: [delivery.id], stopIds: remaining.map(({ id }) => id) },
    },
    actor,
  );
  const { estimate, netCents } = departure;
  const { grossCents, metres: plannedMetres } = estimate ?? { ...carrier, metres: carrier.plannedMetres };
  const lighter = { ...carrier, netCents, grossCents, plannedMetres };
  const isDone = remaining.every(isConcluded) && !carrier.returning;
  if (isDone) await finishLocked(tx, central, lighter, actor, [delivery, ...held]);
  await giveBack(tx, centralId, held, actor);
  if (!isDone) await holdAvailable(tx, centralId, carrier, netCents, actor);
}

/**
 * The separate routes of the deliveries that stay with the carrier; null if none stays. Undefined where visited stops
 * stay although their order leaves: then the saving of the grouping stays the same, as with an edit.
 */
async function separateWithout(
  tx: Tx,
  centralId: number,
  delivery: Delivery,
  { carrier, leaving, remaining, estimate }: StopDeparture,
): Promise<number | null | undefined> {
  const { separateMetres, plannedMetres } = carrier;
  if (separateMetres === null) return null;
  if (remaining.some(({ orderedWith }) => orderedWith === delivery.id)) return undefined;
  const isAlone =
    remaining.every(({ orderedWith }) => orderedWith === carrier.id) &&
    !(await carriesOthersThan(tx, centralId, delivery.id, carrier.id));
  if (isAlone) return null;
  // Its stops, and so its part of the route, were removed before.
  if (leaving.length === 0) return undefined;
  const leavingMetres = separateMetresOf(delivery);
  if (estimate?.isPlanned) return separateMetres - leavingMetres;
  return separateInProportion(
    { separateMetres, plannedMetres },
    leavingMetres,
    estimate?.metres ?? plannedMetres,
  );
}

/**
 * Some stops leave a delivery, which is planned and priced again without them.
 *
 * `planStopDeparture` asks the router while nothing is locked. `saveStopDeparture` runs under the carrier's lock and
 * throws ChangedMeanwhile if the carrier has changed since it was planned, so that retryOnConflict plans again. In the
 * same transaction the caller moves the leaving stops to another delivery, or deletes them. Then, after every other
 * lock, the caller adjusts the reserve with `holdAvailable(tx, centralId, carrier, departure.netCents, actor)`.
 */
export interface StopDeparture {
  /** The carrier at the time of planning. */
  carrier: Delivery;
  leaving: readonly Stop[];
  /** In the carrier's new order. May be empty; the caller refuses that where it is not allowed. */
  remaining: readonly Stop[];
  /** The estimate of the carrier without them. Null if there is none: then the carrier keeps its figures. */
  estimate: CarrierEstimate | null;
  /** The new price of the carrier. */
  netCents: number;
}

export interface DepartureOptions {
  /** True lets the server choose the order of the stops to visit; false keeps it. */
  optimise: boolean;
}

export async function planStopDeparture(
  deps: EstimateDeps,
  central: Central,
  carrier: Delivery,
  leaves: (stop: Stop) => boolean,
  options: DepartureOptions,
): Promise<StopDeparture> {
  // Read after the carrier: if it changes in between, the plan has the older version and is not saved.
  const stops = inVisitOrder(await findStops(deps.db, central.id, 'delivery', [carrier.id]));
  const leaving = stops.filter(leaves);
  const staying = stops.filter((stop) => !leaves(stop));
  const { done, open } = splitByVisit(staying);
  const without =
    leaving.length === 0 || staying.length === 0
      ? null
      : await estimateCarrier(deps, central, carrier, { done, open, ...options });
  const estimate = without && noDearer(without, carrier);
  return {
    carrier,
    leaving,
    remaining: estimate ? [...done, ...estimate.order.map((index) => open[index]!)] : staying,
    estimate,
    netCents: estimate?.netCents ?? carrier.netCents,
  };
}

/** Losing a stop or a return never raises the price, so the reserved credit always covers the rest. */
export const noDearer = <Each extends Estimate>(
  estimate: Each,
  { grossCents, netCents }: Pick<Delivery, 'grossCents' | 'netCents'>,
): Each => ({
  ...estimate,
  grossCents: Math.min(estimate.grossCents, grossCents),
  netCents: Math.min(estimate.netCents, netCents),
});

export interface CarrierEstimate extends Estimate {
  /** True if measured by the planning router, as routes of groups are; false if by the estimator in its place. */
  isPlanned: boolean;
}

/**
 * Estimates a delivery with changed open stops, on roads if the router answers. A router that is down does not block
 * the change: then the order stays, and the price is computed as at creation, by the estimator if necessary.
 */
export async function estimateCarrier(
  deps: EstimateDeps,
  central: Central,
  carrier: Delivery,
  { done, open, optimise }: RemainingStops,
): Promise<CarrierEstimate | null> {
  const trip = await remainingTripOf(deps, central, carrier, { done, open, optimise });
  const estimateWith = (router: Router, choosesOrder: boolean): Promise<Estimate | null> =>
    estimateTrip(deps, router, central, { ...trip, optimise: choosesOrder }).catch(nullIfRefused);
  const planned = await estimateWith(deps.routers.forPlanning(central.settings), optimise);
  if (planned) return { ...planned, isPlanned: true };
  const estimated = await estimateWith(deps.routers.forEstimates(central.settings), false);
  return estimated && { ...estimated, isPlanned: false };
}

function nullIfRefused(error: unknown): null {
  if (error instanceof Refusal) return null;
  throw error;
}

/** `carrier` was read under its lock, which the caller holds. `separateMetres` is given if a whole order leaves. */
export async function saveStopDeparture(
  tx: Tx,
  centralId: number,
  carrier: Delivery,
  departure: StopDeparture,
  separateMetres?: number | null,
): Promise<void> {
  if (carrier.version !== departure.carrier.version) throw new ChangedMeanwhile();
  if (departure.leaving.length === 0 && separateMetres === undefined) return;
  await moveStops(
    tx,
    centralId,
    'delivery',
    carrier.id,
    departure.remaining.map(({ id }) => id),
  );
  await saveDeliveryEstimate(tx, centralId, carrier.id, departure.estimate, separateMetres);
}
