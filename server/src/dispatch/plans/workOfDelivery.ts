import type { Run } from '../../deliveries/deliveries/driverWorkStore.ts';
import { type Demands, jointDemands } from '../../deliveries/orders/demands.ts';
import type { Matrix } from '../../geo/routing/router.ts';
import type { Position } from '../../platform/kernel/position.ts';
import type { FixedStop, PlanPickup, StopWindow } from '../planning/planProblem.ts';
import type { Places } from './places.ts';
import type { StoredStop } from './plan.ts';
import type { Situation } from './situation.ts';
import type { PlannableOrder } from './situationStore.ts';

/** What receiving and handing over goods takes, as in deliveries/tracking/estimateArrivals.ts. */
const AT_PICKUP_SECONDS = 6 * 60;
const AT_STOP_SECONDS = 3 * 60;

export const epoch = (at: Temporal.Instant): number => at.epochMilliseconds / 1000;

/** What a stop is, apart from its times. */
export interface NamedStop {
  kind: StoredStop['kind'];
  deliveryId: number;
  stopId: number | null;
  /** When it was promised, or nobody receives it any more. */
  dueAt: number | null;
  isHard: boolean;
}

/** The stops of a delivery in their order, and the way back, as one visit. */
export interface Block {
  /** With the seconds from the begin of the visit to the begin of each. */
  stops: readonly (NamedStop & { after: number; serviceSeconds: number })[];
  seconds: number;
  /** Of which travel. */
  travelSeconds: number;
  metres: number;
  window: StopWindow;
}

export function blockOf(
  { id, stops, returning, pickup, promisedAt }: PlannableOrder,
  { demands }: Situation,
  places: Places,
  matrix: Matrix,
): Block {
  const named: Block['stops'][number][] = [];
  let [after, travelSeconds, metres] = [0, 0, 0];
  let here = places.placeOf(stops[0]!);
  const go = (to: number): void => {
    const leg = here === to ? 0 : (matrix.seconds[here]![to] ?? 0);
    after += leg;
    travelSeconds += leg;
    metres += here === to ? 0 : (matrix.metres[here]![to] ?? 0);
    here = to;
  };
  let [earliest, soft, hard] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const stop of stops) {
    go(places.placeOf(stop));
    const demanded = demands.get(stop.id);
    const due = dueOf(demanded, promisedAt);
    if (demanded?.windowFrom) earliest = Math.max(earliest, epoch(demanded.windowFrom) - after);
    if (due.dueAt !== null && due.isHard) hard = Math.min(hard, due.dueAt - after);
    else if (due.dueAt !== null) soft = Math.min(soft, due.dueAt - after);
    const serviceSeconds = demanded?.serviceSeconds ?? AT_STOP_SECONDS;
    named.push({ kind: 'stop', deliveryId: id, stopId: stop.id, after, serviceSeconds, ...due });
    after += serviceSeconds;
  }
  if (returning) {
    go(places.placeOf(pickup));
    const back = { deliveryId: id, stopId: null, dueAt: null, isHard: false, serviceSeconds: 0 };
    named.push({ ...back, kind: 'return', after });
  }
  const latest = Number.isFinite(hard) ? hard : soft;
  return {
    stops: named,
    seconds: after,
    travelSeconds,
    metres,
    window: {
      ...(Number.isFinite(earliest) && { earliest }),
      ...(Number.isFinite(latest) && { latest, isHard: Number.isFinite(hard) }),
    },
  };
}

/** What the caller promised for a stop, or else what the central promised for the delivery. */
function dueOf(
  demanded: Demands | undefined,
  promisedAt: Temporal.Instant | null,
): Pick<NamedStop, 'dueAt' | 'isHard'> {
  const until = demanded?.windowUntil;
  if (until) return { dueAt: epoch(until), isHard: demanded.windowIsHard };
  return { dueAt: promisedAt && epoch(promisedAt), isHard: false };
}

const demandsOfStops = (
  stops: readonly { id: number }[],
  { demands }: Situation,
): { demands: Demands | null }[] => stops.map(({ id }) => ({ demands: demands.get(id) ?? null }));

export function pickupOf(order: PlannableOrder, situation: Situation, places: Places): PlanPickup {
  const { readyAt, pickupSeconds } = jointDemands(demandsOfStops(order.stops, situation));
  return {
    place: places.placeOf(order.pickup),
    serviceSeconds: pickupSeconds ?? AT_PICKUP_SECONDS,
    ...(readyAt && { readyAt: epoch(readyAt) }),
  };
}

export const neededBy = (order: Pick<PlannableOrder, 'stops'>, situation: Situation) =>
  jointDemands(demandsOfStops(order.stops, situation));

/** Aboard, weight, volume and packages of some stops of a delivery. */
export function amountsOf(stops: readonly { id: number }[], situation: Situation): number[] {
  const { weightGrams, volumeMl, packages } = jointDemands(demandsOfStops(stops, situation));
  return [1, weightGrams ?? 0, volumeMl ?? 0, packages ?? 0];
}

/** What is left of a delivery that a driver keeps, in its order. */
export function fixedStopsOf(
  run: Run,
  situation: Situation,
  places: Places,
): { named: NamedStop; stop: FixedStop }[] {
  const { promises, demands } = situation;
  const left = run.stops.filter(({ concluded }) => !concluded);
  const stops: { named: NamedStop; stop: FixedStop }[] = [];
  const add = (
    named: Partial<NamedStop> & Pick<NamedStop, 'kind'>,
    at: Position,
    stop: Omit<FixedStop, 'place'>,
  ): void => {
    stops.push({
      named: { deliveryId: run.id, stopId: null, dueAt: null, isHard: false, ...named },
      stop: { place: places.placeOf(at), ...stop },
    });
  };
  if (run.status !== 'in_progress') {
    const usual = run.hasArrived ? AT_PICKUP_SECONDS / 2 : AT_PICKUP_SECONDS;
    const { pickupSeconds } = jointDemands(demandsOfStops(left, situation));
    const serviceSeconds = run.hasArrived ? usual : (pickupSeconds ?? usual);
    add({ kind: 'pickup' }, run.pickup, { serviceSeconds, amounts: amountsOf(left, situation) });
  }
  for (const stop of left) {
    const demanded = demands.get(stop.id);
    const { dueAt } = dueOf(demanded, promises.get(run.id) ?? null);
    const [, ...amounts] = amountsOf([stop], situation);
    const window = {
      ...(demanded?.windowFrom && { earliest: epoch(demanded.windowFrom) }),
      ...(dueAt !== null && { latest: dueAt, isHard: false }),
    };
    add({ kind: 'stop', stopId: stop.id, dueAt }, stop, {
      serviceSeconds: demanded?.serviceSeconds ?? AT_STOP_SECONDS,
      amounts: [0, ...amounts.map((amount) => -amount)],
      window,
    });
  }
  if (run.returning || stops.length === 0)
    add({ kind: 'return' }, run.pickup, { serviceSeconds: 0, amounts: [0, 0, 0, 0] });
  const last = stops.at(-1)!.stop;
  last.amounts = last.amounts.map((amount, dimension) => (dimension === 0 ? amount - 1 : amount));
  return stops;
}

/** What a driver has aboard of what it keeps. */
export function aboardOf(runs: readonly Run[], situation: Situation): number[] {
  const started = runs.filter(({ status }) => status === 'in_progress');
  const loads = started.map(({ stops }) =>
    amountsOf(
      stops.filter(({ concluded }) => !concluded),
      situation,
    ),
  );
  return loads.reduce((sum, load) => sum.map((each, dimension) => each + load[dimension]!), [0, 0, 0, 0]);
}
