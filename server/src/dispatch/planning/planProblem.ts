/** All instants of a problem are seconds since one zero that the caller chooses, such as epoch seconds. */
export interface PlanProblem {
  matrix: TravelMatrix;
  requests: readonly PlanRequest[];
  drivers: readonly PlanDriver[];
  /** Absent weights are those of `planWeights`. */
  weights?: Partial<PlanWeights>;
  /** The plan that drivers know. The search begins with it, and moving a request to another driver costs. */
  published?: readonly PublishedRoute[];
}

/** Row = from, column = to. Null where there is no way. */
export interface TravelMatrix {
  seconds: readonly (readonly (number | null)[])[];
  metres: readonly (readonly (number | null)[])[];
}

export interface StopWindow {
  /** The driver waits until then. */
  earliest?: number;
  latest?: number;
  /** A request that cannot meet a hard window stays unplanned. A soft window may be missed, which costs. */
  isHard?: boolean;
}

export interface PlanStop {
  /** Index into the matrix. */
  place: number;
  serviceSeconds: number;
  window?: StopWindow;
}

export interface PlanPickup extends PlanStop {
  readyAt?: number;
}

export interface PlanDrop extends PlanStop {
  /** Weight, volume, packages: as many numbers as the capacities have. */
  amounts: readonly number[];
}

export interface PlanRequest {
  id: number;
  /** Null when the driver of `onlyDriver` has already picked the goods up. */
  pickup: PlanPickup | null;
  /** Without drops, what `collected` says stays with the driver until the end. */
  drops: readonly PlanDrop[];
  collected?: readonly number[];
  skills?: readonly string[];
  /** 0 is normal. Lateness and staying unplanned cost 1 + priority times as much. */
  priority?: number;
  /** A lock: no other driver may serve this request. */
  onlyDriver?: number;
}

/** A stop that a driver must serve before all others, in the order given. Its window never excludes the driver. */
export interface FixedStop extends PlanStop {
  /** What comes aboard; negative when it leaves. */
  amounts: readonly number[];
}

export interface DriverBreak {
  from: number;
  to: number;
}

export interface PlanDriver {
  id: number;
  /** The position, as an index into the matrix. */
  start: number;
  /** The place to return to. Absent: the last stop is the end. */
  end?: number;
  shift: { from: number; to: number };
  /** The driver neither drives nor serves a stop meanwhile. A leg may be interrupted. */
  breaks?: readonly DriverBreak[];
  capacity: readonly number[];
  /** What is aboard for the fixed stops. Goods of requests without pickup are added to it. */
  load?: readonly number[];
  skills?: readonly string[];
  fixed?: readonly FixedStop[];
  /** Work done before this plan, for fairness. */
  workedSeconds?: number;
}

/** Cost is measured in seconds of driving. */
export interface PlanWeights {
  /** A request that stays unplanned. */
  unplanned: number;
  lateSecond: number;
  drivingSecond: number;
  /** Waiting with goods aboard. A driver without goods is free, and leaves just in time. */
  waitingSecond: number;
  metre: number;
  /** A driver who gets any request. */
  driver: number;
  /** Times the square of each driver's work in seconds, over 3600: who has worked longer costs more. */
  fairness: number;
  /** A request that moves away from the driver to whom it was published. */
  move: number;
}

export const planWeights: PlanWeights = {
  unplanned: 1_000_000,
  lateSecond: 20,
  drivingSecond: 1,
  waitingSecond: 1,
  metre: 0.02,
  driver: 0,
  fairness: 0.01,
  move: 600,
};

export interface PublishedRoute {
  driver: number;
  stops: readonly StopName[];
}

/** Which stop of which request: 0 is the pickup, 1 the first drop. */
export interface StopName {
  request: number;
  stop: number;
}

export interface Plan {
  /** Drivers with at least one stop. */
  routes: PlannedRoute[];
  unplanned: UnplannedRequest[];
  cost: PlanCost;
  iterations: number;
}

export interface PlannedRoute {
  driver: number;
  leaveAt: number;
  endAt: number;
  stops: PlannedStop[];
  travelSeconds: number;
  metres: number;
}

export interface PlannedStop {
  /** Null for a fixed stop, whose number counts from 0. */
  request: number | null;
  stop: number;
  arriveAt: number;
  beginAt: number;
  leaveAt: number;
  lateSeconds: number;
}

export interface PlanCost {
  /** By the weights. */
  total: number;
  lateSeconds: number;
  travelSeconds: number;
  serviceSeconds: number;
  waitingSeconds: number;
  metres: number;
  drivers: number;
  moved: number;
  unplanned: number;
}

/** Each reason holds for all drivers that the reasons before it leave. */
export type UnplannedReason =
  | 'no-drivers'
  | 'locked-driver-absent'
  | 'no-driver-with-skills'
  | 'no-driver-with-capacity'
  /** There is no way between its stops, or to them. */
  | 'unreachable'
  /** Even a driver who works day and night would miss a hard window. */
  | 'window-impossible'
  /** No shift has enough time before, between or after the breaks. */
  | 'no-shift-then'
  /** Other stops leave no room for it. */
  | 'drivers-occupied'
  /** The time limit came before a place was made for it. */
  | 'out-of-time';

export interface UnplannedRequest {
  request: number;
  reason: UnplannedReason;
}

export interface PlanLimits {
  seed?: number;
  /** The search ends after as many iterations; with one thread the plan then depends on nothing else. */
  iterations?: number;
  millis?: number;
  /** Use as few drivers as possible before anything else. */
  fewestDrivers?: boolean;
}
