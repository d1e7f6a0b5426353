import type { Run } from '../../deliveries/deliveries/driverWorkStore.ts';
import type { Matrix, Profile } from '../../geo/routing/router.ts';
import type { Position } from '../../platform/kernel/position.ts';
import type { FixedStop, PlanDriver, PlanProblem, PlanRequest } from '../planning/planProblem.ts';
import type { StoredStop } from './plan.ts';
import type { PlannableDriver, PlannableOrder } from './situationStore.ts';

/** What receiving and handing over goods takes, as in deliveries/tracking/estimateArrivals.ts. */
const AT_PICKUP_SECONDS = 6 * 60;
const AT_STOP_SECONDS = 3 * 60;
/** How far ahead a driver on duty is planned. */
const HORIZON_SECONDS = 24 * 3600;

/** What a plan is made of: the open deliveries to give away, the drivers, and what these carry already. */
export interface Situation {
  now: Temporal.Instant;
  orders: readonly PlannableOrder[];
  drivers: readonly (PlannableDriver & { position: Position })[];
  /** What the drivers keep; for each driver the current one first. */
  runs: readonly Run[];
  promises: ReadonlyMap<number, Temporal.Instant | null>;
  locks: ReadonlyMap<number, number>;
  /** Whoever let an offer expire counts as having refused it. */
  isAutomatic: boolean;
  /** How many deliveries a driver may have aboard at a time. */
  aboardMax: number;
}

/** A place of a problem. A block is a delivery's stops in their order, and the way back: one visit that ends elsewhere. */
interface Block {
  from: number;
  way: readonly number[];
}

export interface Places {
  positions: Position[];
  placeOf(position: Position): number;
}

function collectPlaces(): Places {
  const positions: Position[] = [];
  const known = new Map<string, number>();
  return {
    positions,
    placeOf({ lat, lng }) {
      const key = `${lat.toFixed(5)} ${lng.toFixed(5)}`;
      const place = known.get(key) ?? positions.push({ lat, lng }) - 1;
      known.set(key, place);
      return place;
    },
  };
}

/** A visit of a block: its stops with the seconds from its begin to the begin of each. */
export interface BlockVisit {
  deliveryId: number;
  stops: readonly { kind: StoredStop['kind']; stopId: number | null; after: number; dueAt: number | null }[];
  /** Travel within the block. */
  travelSeconds: number;
  metres: number;
}

export interface Problem {
  problem: PlanProblem;
  blocks: ReadonlyMap<number, BlockVisit>;
  /** What each fixed stop of each driver is. */
  fixed: ReadonlyMap<number, readonly Pick<StoredStop, 'kind' | 'deliveryId' | 'stopId'>[]>;
  profile: Profile;
}

/** The places that the matrix must have; it is asked for while nothing is locked. */
export function placesOf({ orders, drivers, runs }: Situation): Places {
  const places = collectPlaces();
  for (const { position } of drivers) places.placeOf(position);
  for (const { pickup, stops } of [...orders, ...runs]) {
    places.placeOf(pickup);
    for (const stop of stops) places.placeOf(stop);
  }
  return places;
}

/** Most deliveries decide for which vehicle the ways are. */
export function profileOf(orders: readonly PlannableOrder[]): Profile {
  const counts = Map.groupBy(orders, ({ profile }) => profile);
  const [most] = [...counts].sort(([, one], [, other]) => other.length - one.length);
  return most?.[0] ?? 'motorcycle';
}

export function makeProblem(situation: Situation, places: Places, matrix: Matrix): Problem {
  const { orders, drivers, runs, promises, now } = situation;
  const seconds = matrix.seconds.map((row) => [...row]);
  const metres = matrix.metres.map((row) => [...row]);
  const blocks = new Map<number, BlockVisit>();

  const requests = orders.map((order): PlanRequest => {
    const pickup = places.placeOf(order.pickup);
    const way = order.stops.map((stop) => places.placeOf(stop));
    const dueAt = order.promisedAt && epoch(order.promisedAt);
    const visit = blockVisit(order, { seconds: matrix.seconds, metres: matrix.metres }, way, pickup, dueAt);
    blocks.set(order.id, visit.block);
    const place =
      way.length === 1 && !order.returning
        ? way[0]!
        : addBlockPlace(
            { seconds, metres },
            { from: way[0]!, way: [...way, ...(order.returning ? [pickup] : [])] },
          );
    return {
      id: order.id,
      pickup: { place: pickup, serviceSeconds: AT_PICKUP_SECONDS },
      drops: [
        {
          place,
          serviceSeconds: visit.serviceSeconds,
          amounts: [1],
          ...(visit.latest !== null && { window: { latest: visit.latest, isHard: false } }),
        },
      ],
      skills: skillsOf(order, situation),
      ...onlyDriver(order.id, situation),
    };
  });

  const runsOf = Map.groupBy(runs, ({ driverId }) => driverId);
  const fixed = new Map<number, Pick<StoredStop, 'kind' | 'deliveryId' | 'stopId'>[]>();
  const from = epoch(now);
  const planDrivers = drivers.map((driver): PlanDriver => {
    const own = runsOf.get(driver.id) ?? [];
    const stops = own.flatMap((run) => fixedStops(run, places, promises.get(run.id) ?? null));
    fixed.set(
      driver.id,
      stops.map(({ kind, deliveryId, stopId }) => ({ kind, deliveryId, stopId })),
    );
    return {
      id: driver.id,
      start: places.placeOf(driver.position),
      shift: { from, to: from + HORIZON_SECONDS },
      capacity: [situation.aboardMax],
      load: [own.filter(({ status }) => status === 'in_progress').length],
      skills: skillsOfDriver(driver, situation),
      fixed: stops.map(({ stop }) => stop),
    };
  });

  const published = drivers.map(({ id: driver }) => ({
    driver,
    stops: orders
      .filter(({ driverId }) => driverId === driver)
      .flatMap(({ id }) => [
        { request: id, stop: 0 },
        { request: id, stop: 1 },
      ]),
  }));
  return {
    problem: {
      matrix: { seconds, metres },
      requests,
      drivers: planDrivers,
      published: published.filter(({ stops }) => stops.length > 0),
    },
    blocks,
    fixed,
    profile: profileOf(orders),
  };
}

export const epoch = (at: Temporal.Instant): number => at.epochMilliseconds / 1000;

/** The stops of a delivery one after another, as one visit. */
function blockVisit(
  { id, stops, returning }: PlannableOrder,
  matrix: { seconds: Matrix['seconds']; metres: Matrix['metres'] },
  way: readonly number[],
  pickup: number,
  dueAt: number | null,
): { block: BlockVisit; serviceSeconds: number; latest: number | null } {
  const shown: BlockVisit['stops'][number][] = [];
  let [after, travelSeconds, metres] = [0, 0, 0];
  const go = (from: number, to: number): void => {
    const leg = from === to ? 0 : (matrix.seconds[from]![to] ?? 0);
    after += leg;
    travelSeconds += leg;
    metres += from === to ? 0 : (matrix.metres[from]![to] ?? 0);
  };
  for (const [index, stop] of stops.entries()) {
    if (index > 0) go(way[index - 1]!, way[index]!);
    shown.push({ kind: 'stop', stopId: stop.id, after, dueAt });
    after += AT_STOP_SECONDS;
  }
  const lastBegin = after - AT_STOP_SECONDS;
  if (returning) {
    go(way.at(-1)!, pickup);
    shown.push({ kind: 'return', stopId: null, after, dueAt: null });
  }
  return {
    block: { deliveryId: id, stops: shown, travelSeconds, metres },
    serviceSeconds: after,
    latest: dueAt === null ? null : dueAt - lastBegin,
  };
}

/** A place that is reached where the block begins and left where it ends. */
function addBlockPlace(
  { seconds, metres }: { seconds: (number | null)[][]; metres: (number | null)[][] },
  { from, way }: Block,
): number {
  const end = way.at(-1)!;
  for (const cells of [seconds, metres]) {
    for (const row of cells) row.push(row[from]!);
    const last = cells[end]!;
    cells.push(last.map((cell, column) => (column === cells.length ? 0 : cell)));
  }
  return seconds.length - 1;
}

interface NamedFixed {
  kind: StoredStop['kind'];
  deliveryId: number;
  stopId: number | null;
  stop: FixedStop;
}

/** What is left of a delivery that a driver keeps, in its order. */
function fixedStops(run: Run, places: Places, promisedAt: Temporal.Instant | null): NamedFixed[] {
  const isStarted = run.status === 'in_progress';
  const left = run.stops.filter(({ concluded }) => !concluded);
  const stops: NamedFixed[] = [];
  const add = (
    kind: StoredStop['kind'],
    stopId: number | null,
    at: Position,
    stop: Partial<FixedStop>,
  ): void => {
    const base = { place: places.placeOf(at), serviceSeconds: AT_STOP_SECONDS, amounts: [0] };
    stops.push({ kind, deliveryId: run.id, stopId, stop: { ...base, ...stop } });
  };
  if (!isStarted)
    add('pickup', null, run.pickup, {
      serviceSeconds: run.hasArrived ? AT_PICKUP_SECONDS / 2 : AT_PICKUP_SECONDS,
      amounts: [1],
    });
  for (const stop of left)
    add('stop', stop.id, stop, promisedAt ? { window: { latest: epoch(promisedAt), isHard: false } } : {});
  if (run.returning || stops.length === 0) add('return', null, run.pickup, { serviceSeconds: 0 });
  stops.at(-1)!.stop.amounts = isStarted || stops.length > 1 ? [-1] : [0];
  return stops;
}

/*
 * Whom a driver may serve, as skills: the category, the company, and that the driver has not refused the delivery. A
 * driver without companies has those of all.
 */

const skillsOf = (order: PlannableOrder, situation: Situation): string[] => [
  `category ${order.categoryId}`,
  `company ${order.companyId}`,
  ...(situation.locks.has(order.id) || refusersOf(order, situation).length === 0
    ? []
    : [`not refused ${order.id}`]),
];

const refusersOf = (
  { refusedBy, ignoredBy }: PlannableOrder,
  { isAutomatic }: Situation,
): readonly number[] => (isAutomatic ? [...refusedBy, ...ignoredBy] : refusedBy);

function skillsOfDriver(driver: PlannableDriver, situation: Situation): string[] {
  const { orders } = situation;
  const companies =
    driver.companyIds.length > 0 ? driver.companyIds : new Set(orders.map(({ companyId }) => companyId));
  const unrefused = orders.filter((order) => {
    const refusers = refusersOf(order, situation);
    return refusers.length > 0 && !refusers.includes(driver.id);
  });
  return [
    ...driver.categoryIds.map((id) => `category ${id}`),
    ...[...companies].map((id) => `company ${id}`),
    ...unrefused.map(({ id }) => `not refused ${id}`),
  ];
}

function onlyDriver(id: number, { locks }: Situation): { onlyDriver?: number } {
  const driver = locks.get(id);
  return driver === undefined ? {} : { onlyDriver: driver };
}
