import type { Breaks } from './calendar.ts';
import {
  type FixedStop,
  type PlanDriver,
  type PlanProblem,
  type PlanRequest,
  type PlanStop,
  type PlanWeights,
  planWeights,
} from './planProblem.ts';

/** Stands for "no way" and "no limit". The sum of many still is an exact double. */
export const FAR = 1e12;

/** More stops than any day has. Bounds the memory of a route. */
const STOPS_PER_DRIVER_MAX = 250;

/** A problem as flat arrays. A visit is a stop of a request, the pickup first, or a fixed stop of a driver. */
export interface Compiled {
  problem: PlanProblem;
  weights: PlanWeights;
  /** Side of the matrices. The last place is nowhere: every way there costs nothing. */
  places: number;
  seconds: Float64Array;
  /** Row = to, so that the ways to one place lie side by side. */
  secondsTo: Float64Array;
  cost: Float64Array;
  costTo: Float64Array;
  dimensions: number;

  place: Int32Array;
  service: Float64Array;
  earliest: Float64Array;
  /** Hard. */
  latest: Float64Array;
  /** Hard or soft. */
  due: Float64Array;
  /** What a second of lateness costs. */
  lateCost: Float64Array;
  /** What the visit adds to the load, `dimensions` numbers each. */
  amounts: Float64Array;
  /** The request of each visit, or -1. */
  requestOf: Int32Array;
  /** How many drops remain aboard after the visit, more than before. */
  aboardChange: Int32Array;

  requests: number;
  /** Where the visits of each request begin; one more for the end. */
  first: Int32Array;
  /** 1: the first visit is a pickup. 0: the goods are aboard. */
  hasPickup: Uint8Array;
  bankCost: Float64Array;

  drivers: number;
  start: Int32Array;
  end: Int32Array;
  from: Float64Array;
  to: Float64Array;
  breaks: Breaks[];
  capacity: Float64Array;
  load: Float64Array;
  worked: Float64Array;
  fixed: Int32Array[];
  /** Drivers of one class are alike while they have no stops. */
  classOf: Int32Array;
  /** Row = driver. Locks, skills and capacity. */
  mayServe: Uint8Array;
  moveCost: Float64Array;
  /** Some requests cost more with another driver. */
  isPublished: boolean;
  /** Stops that a route may hold, start and end included. */
  stride: number;
  /** Some cost depends on times, so distance alone does not rank two places. */
  isTimed: boolean;
  someAboard: boolean;
}

export function compileProblem(problem: PlanProblem): Compiled {
  assertProblem(problem);
  const weights = { ...planWeights, ...problem.weights };
  const { requests, drivers } = problem;
  const dimensions = drivers[0]?.capacity.length ?? 0;
  const first = new Int32Array(requests.length + 1);
  for (const [at, request] of requests.entries())
    first[at + 1] = first[at]! + (request.pickup ? 1 : 0) + request.drops.length;
  const ofRequests = first[requests.length]!;
  const fixedStops = drivers.reduce((sum, { fixed }) => sum + (fixed?.length ?? 0), 0);
  const fixedMax = Math.max(0, ...drivers.map(({ fixed }) => fixed?.length ?? 0));
  const visits = visitArrays(ofRequests + fixedStops, dimensions);

  for (const [at, request] of requests.entries()) addRequest(visits, request, at, first[at]!, weights);
  let next = ofRequests;
  const fixed = drivers.map((driver) =>
    Int32Array.from(driver.fixed ?? [], (stop) => {
      addFixed(visits, stop, next, weights);
      return next++;
    }),
  );
  const travel = compileMatrix(problem, weights);
  const nowhere = travel.places - 1;
  const flat = (numbersOf: (driver: PlanDriver) => readonly number[]): Float64Array =>
    Float64Array.from(drivers.flatMap((driver) => [...numbersOf(driver)]));

  return {
    problem,
    weights,
    ...travel,
    dimensions,
    ...visits,
    requests: requests.length,
    first,
    hasPickup: Uint8Array.from(requests, ({ pickup }) => (pickup ? 1 : 0)),
    bankCost: Float64Array.from(requests, ({ priority = 0 }) => weights.unplanned * (1 + priority)),
    drivers: drivers.length,
    start: Int32Array.from(drivers, ({ start }) => start),
    end: Int32Array.from(drivers, ({ end }) => end ?? nowhere),
    from: Float64Array.from(drivers, ({ shift }) => shift.from),
    to: Float64Array.from(drivers, ({ shift }) => shift.to),
    breaks: drivers.map(({ breaks = [] }) => joinedBreaks(breaks)),
    capacity: flat(({ capacity }) => capacity),
    load: flat(({ load }) => load ?? new Array<number>(dimensions).fill(0)),
    worked: Float64Array.from(drivers, ({ workedSeconds = 0 }) => workedSeconds),
    fixed,
    ...driverTables(problem, weights),
    stride: Math.min(ofRequests, STOPS_PER_DRIVER_MAX) + fixedMax + 2,
    isTimed:
      weights.waitingSecond > 0 ||
      weights.fairness > 0 ||
      visits.due.some((due, at) => due < visits.latest[at]!),
    isPublished: (problem.published?.length ?? 0) > 0,
    someAboard: requests.some(({ pickup }) => !pickup),
  };
}

function visitArrays(count: number, dimensions: number) {
  return {
    place: new Int32Array(count),
    service: new Float64Array(count),
    earliest: new Float64Array(count),
    latest: new Float64Array(count),
    due: new Float64Array(count),
    lateCost: new Float64Array(count),
    amounts: new Float64Array(count * dimensions),
    requestOf: new Int32Array(count).fill(-1),
    aboardChange: new Int32Array(count),
  };
}

type Visits = ReturnType<typeof visitArrays>;

function addVisit(visits: Visits, at: number, stop: PlanStop, amounts: readonly number[]): void {
  const { window = {} } = stop;
  visits.place[at] = stop.place;
  visits.service[at] = stop.serviceSeconds;
  visits.earliest[at] = window.earliest ?? -FAR;
  visits.due[at] = window.latest ?? Number.POSITIVE_INFINITY;
  visits.latest[at] = window.isHard ? Math.min(FAR, visits.due[at]!) : FAR;
  for (const [k, amount] of amounts.entries()) visits.amounts[at * amounts.length + k] = amount;
}

function addRequest(
  visits: Visits,
  request: PlanRequest,
  index: number,
  first: number,
  { lateSecond }: PlanWeights,
): void {
  const { pickup, drops, collected, priority = 0 } = request;
  const sizes = drops.map(({ amounts }) => amounts);
  const total = (collected ?? sizes[0] ?? []).map((_, k) =>
    sizes.reduce((sum, amounts) => sum + amounts[k]!, collected?.[k] ?? 0),
  );
  let at = first;
  if (pickup) {
    addVisit(visits, at, pickup, total);
    visits.earliest[at] = Math.max(visits.earliest[at]!, pickup.readyAt ?? -FAR);
    visits.aboardChange[at] = drops.length + (collected ? 1 : 0);
    at += 1;
  }
  for (const drop of drops) {
    addVisit(
      visits,
      at,
      drop,
      drop.amounts.map((amount) => -amount),
    );
    visits.aboardChange[at] = -1;
    at += 1;
  }
  visits.requestOf.fill(index, first, at);
  visits.lateCost.fill(lateSecond * (1 + priority), first, at);
}

/** Whatever happens the driver serves it, so its window is never hard. */
function addFixed(visits: Visits, stop: FixedStop, at: number, { lateSecond }: PlanWeights): void {
  addVisit(visits, at, stop, stop.amounts);
  visits.latest[at] = FAR;
  visits.lateCost[at] = lateSecond;
  visits.aboardChange[at] = -1;
}

function compileMatrix({ matrix }: PlanProblem, weights: PlanWeights) {
  const size = matrix.seconds.length;
  const places = size + 1;
  const [seconds, secondsTo, cost, costTo] = Array.from(
    { length: 4 },
    () => new Float64Array(places * places),
  ) as [Float64Array, Float64Array, Float64Array, Float64Array];
  for (let from = 0; from < size; from += 1)
    for (let to = 0; to < size; to += 1) {
      const time = from === to ? 0 : Math.min(FAR, matrix.seconds[from]![to] ?? FAR);
      const metres = from === to ? 0 : (matrix.metres[from]?.[to] ?? 0);
      const price = time >= FAR ? FAR : weights.drivingSecond * time + weights.metre * metres;
      seconds[from * places + to] = time;
      secondsTo[to * places + from] = time;
      cost[from * places + to] = price;
      costTo[to * places + from] = price;
    }
  return { places, seconds, secondsTo, cost, costTo };
}

/** Ascending and apart from each other. */
function joinedBreaks(breaks: readonly { from: number; to: number }[]): Breaks {
  const joined: number[] = [];
  for (const { from, to } of [...breaks]
    .filter((each) => each.from < each.to)
    .sort((a, b) => a.from - b.from))
    if (joined.length > 0 && from <= joined.at(-1)!) joined[joined.length - 1] = Math.max(joined.at(-1)!, to);
    else joined.push(from, to);
  return Float64Array.from(joined);
}

export const hasSkills = (driver: PlanDriver, request: PlanRequest): boolean =>
  (request.skills ?? []).every((skill) => driver.skills?.includes(skill));

/** Whether the goods of one request fit into the empty vehicle. */
export function hasCapacity({ capacity }: PlanDriver, { drops, collected }: PlanRequest): boolean {
  return capacity.every(
    (most, k) => drops.reduce((sum, { amounts }) => sum + amounts[k]!, collected?.[k] ?? 0) <= most,
  );
}

function driverTables({ requests, drivers, published = [] }: PlanProblem, weights: PlanWeights) {
  const publishedTo = new Map(
    published.flatMap(({ driver, stops }) => stops.map(({ request }) => [request, driver] as const)),
  );
  const singled = new Set([...publishedTo.values(), ...requests.map(({ onlyDriver }) => onlyDriver)]);
  const classes = new Map<string, number>();
  const classOf = new Int32Array(drivers.length);
  const mayServe = new Uint8Array(drivers.length * requests.length);
  const moveCost = new Float64Array(drivers.length * requests.length);
  for (const [at, driver] of drivers.entries()) {
    const { id, ...rest } = driver;
    const isSingle = singled.has(id) || (driver.fixed?.length ?? 0) > 0;
    const key = isSingle ? `driver ${id}` : JSON.stringify(rest);
    if (!classes.has(key)) classes.set(key, classes.size);
    classOf[at] = classes.get(key)!;
    for (const [index, request] of requests.entries()) {
      const cell = at * requests.length + index;
      const isLocked = request.onlyDriver !== undefined && request.onlyDriver !== id;
      if (!isLocked && hasSkills(driver, request) && hasCapacity(driver, request)) mayServe[cell] = 1;
      const before = publishedTo.get(request.id);
      if (before !== undefined && before !== id) moveCost[cell] = weights.move;
    }
  }
  return { classOf, mayServe, moveCost };
}

function assertProblem({ matrix, requests, drivers }: PlanProblem): void {
  const size = matrix.seconds.length;
  const dimensions = drivers[0]?.capacity.length;
  const assert = (isTrue: boolean, fault: string): void => {
    if (!isTrue) throw new RangeError(fault);
  };
  const assertPlace = (place: number): void =>
    assert(Number.isInteger(place) && place >= 0 && place < size, `no place ${place} in the matrix`);
  const assertAmounts = (amounts: readonly number[]): void =>
    assert(
      (dimensions === undefined || amounts.length === dimensions) && amounts.every(Number.isFinite),
      `amounts of another length than the capacities: ${amounts.length}`,
    );
  const assertStop = (stop: PlanStop): void => {
    assertPlace(stop.place);
    const { earliest = 0, latest = 0 } = stop.window ?? {};
    assert(
      stop.serviceSeconds >= 0 && [earliest, latest, stop.serviceSeconds].every(Number.isFinite),
      'a stop has times that are no times',
    );
  };
  for (const rows of [matrix.seconds, matrix.metres]) {
    assert(rows.length === size, 'seconds and metres of different sizes');
    for (const row of rows)
      assert(
        row.length === size && row.every((cell) => cell === null || cell >= 0),
        'the matrix is not square, or holds a negative number',
      );
  }
  for (const { id, pickup, drops, collected, onlyDriver, priority = 0 } of requests) {
    assert(pickup !== null || onlyDriver !== undefined, `request ${id} is aboard of no driver`);
    assert(pickup !== null || drops.length > 0, `request ${id} has no stops`);
    assert(priority >= 0, `request ${id} has a negative priority`);
    if (pickup) assertStop(pickup);
    if (collected) assertAmounts(collected);
    for (const drop of drops) {
      assertStop(drop);
      assertAmounts(drop.amounts);
      assert(
        drop.amounts.every((amount) => amount >= 0),
        `request ${id} has a negative amount`,
      );
    }
  }
  for (const { start, end, capacity, load, fixed = [], shift } of drivers) {
    assertPlace(start);
    if (end !== undefined) assertPlace(end);
    assertAmounts(capacity);
    if (load) assertAmounts(load);
    assert(Number.isFinite(shift.from) && Number.isFinite(shift.to), 'a shift has no times');
    for (const stop of fixed) {
      assertStop(stop);
      assertAmounts(stop.amounts);
    }
  }
  for (const list of [requests, drivers])
    assert(new Set(list.map(({ id }) => id)).size === list.length, 'two requests or drivers have one id');
}
