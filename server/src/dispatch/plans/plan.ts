import type { Equipment } from '../../platform/kernel/load.ts';
import type { UnplannedReason } from '../planning/planProblem.ts';

/**
 * A proposal of who carries which open deliveries in which order. It is computed in the background, read while it grows,
 * and applied to what still fits. It refers to deliveries, stops and drivers by their ids and is forgotten after a day.
 */
export interface PlanRecord {
  id: number;
  state: PlanState;
  phase: PlanPhase | null;
  /** From 0 to 100. */
  progress: number;
  /** The cost of the best plan so far. */
  bestCost: number | null;
  createdAt: Temporal.Instant;
  readyAt: Temporal.Instant | null;
  /** How many deliveries it gives to drivers; null until it is ready. */
  given: number | null;
  isAutomatic: boolean;
  wish: PlanWish;
  plan: StoredPlan | null;
  /** What has been applied of it. */
  applied: readonly Application[];
  appliedAt: Temporal.Instant | null;
  undoneAt: Temporal.Instant | null;
}

/** A running plan whose process ended is shown as failed. */
export type PlanState = 'running' | 'ready' | 'failed';
export type PlanPhase = 'reading' | 'ways' | 'searching';

export interface PlanWish {
  /** Null: all open deliveries without a driver. */
  deliveryIds: readonly number[] | null;
  /** Null: all drivers on duty. */
  driverIds: readonly number[] | null;
  seconds: number;
  seed: number;
  /** With a number of iterations one thread searches, and the same seed gives the same plan. */
  iterations: number | null;
  locks: readonly { deliveryId: number; driverId: number }[];
}

/** Instants are seconds since 1970. */
export interface StoredPlan {
  routes: readonly StoredRoute[];
  leftOut: readonly LeftOut[];
  before: PlanFigures;
  after: PlanFigures;
  cost: number;
  iterations: number;
}

export interface StoredRoute {
  driverId: number;
  leaveAt: number;
  endAt: number;
  travelSeconds: number;
  metres: number;
  lateSeconds: number;
  /** The deliveries that the plan gives to the driver, in the order in which they are carried out. */
  orders: readonly PlannedOrder[];
  stops: readonly StoredStop[];
  /** What the driver carried when the plan was made, except what the plan moves. */
  carriedIds: readonly number[];
  wasOnDuty: boolean;
}

export interface PlannedOrder {
  deliveryId: number;
  /** The driver who had accepted it. */
  fromDriverId: number | null;
  /** What the plan depends on; another mark means that the delivery was edited. */
  mark: string;
  /** How much later than planned its hard windows and the driver's shift allow; null without any. */
  hardSlack: number | null;
}

export interface StoredStop {
  kind: 'pickup' | 'stop' | 'return';
  deliveryId: number;
  stopId: number | null;
  isFixed: boolean;
  arriveAt: number;
  beginAt: number;
  leaveAt: number;
  dueAt: number | null;
  lateSeconds: number;
  /** Deliveries aboard afterwards. */
  aboard: number;
}

export type LeftOutReason =
  | UnplannedReason
  | 'no-driver-of-category'
  | 'no-driver-of-company'
  | 'no-driver-with-equipment'
  | 'refused-by-all'
  | 'not-open'
  | 'in-progress'
  | 'arrived'
  | 'awaiting-release'
  | 'grouped';

export interface LeftOut {
  deliveryId: number;
  reason: LeftOutReason;
  /** What no driver has of what it needs. */
  equipment?: readonly Equipment[];
  /** Until when its first stop should be reached; seconds since 1970. */
  until?: number;
}

export interface PlanFigures {
  lateSeconds: number;
  /** Deliveries whose last stop is late. */
  late: number;
  travelSeconds: number;
  metres: number;
  drivers: number;
  leftOut: number;
}

/** How a delivery reached its driver. */
export type ApplicationWay = 'offered' | 'assigned' | 'handed-over';

export interface Application {
  deliveryId: number;
  driverId: number;
  way: ApplicationWay;
  fromDriverId: number | null;
  /** When, in seconds since 1970. */
  at: number;
  isUndone?: boolean;
}

/** Why a delivery of a plan could not be applied any more. */
export type NotAppliedReason =
  | 'over'
  | 'taken'
  | 'awaiting-release'
  | 'grouped'
  | 'begun'
  | 'edited'
  | 'window-passed'
  | 'driver-off-duty'
  | 'driver-inactive'
  | 'driver-changed'
  | 'driver-has-more';

/** Why an application was not undone. */
export type NotUndoneReason = 'begun' | 'accepted' | 'elsewhere';

export const UNDO_SECONDS = 60;
