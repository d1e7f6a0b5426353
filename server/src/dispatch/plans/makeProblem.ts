import type { Matrix, Profile } from '../../geo/routing/router.ts';
import type { PlanDriver, PlanProblem, PlanRequest } from '../planning/planProblem.ts';
import { capacityOf, exclusionsOf, shiftOf, skillsOf, skillsOfDriver } from './abilities.ts';
import { addJoinedPlace, copyOf, type Places } from './places.ts';
import type { Situation } from './situation.ts';
import type { PlannableOrder } from './situationStore.ts';
import {
  aboardOf,
  amountsOf,
  type Block,
  blockOf,
  fixedStopsOf,
  type NamedStop,
  neededBy,
  pickupOf,
} from './workOfDelivery.ts';

export interface Problem {
  problem: PlanProblem;
  /** The one drop of each request. */
  blocks: ReadonlyMap<number, Block>;
  /** What each fixed stop of each driver is. */
  fixed: ReadonlyMap<number, readonly NamedStop[]>;
}

/** Most deliveries decide for which vehicle the ways are. */
export function profileOf(orders: readonly PlannableOrder[]): Profile {
  const counts = Map.groupBy(orders, ({ profile }) => profile);
  const [most] = [...counts].sort(([, one], [, other]) => other.length - one.length);
  return most?.[0] ?? 'motorcycle';
}

/** A delivery is a pickup and one drop: its stops stay together and in their order. */
export function makeProblem(situation: Situation, places: Places, ways: Matrix): Problem {
  const { orders, drivers, runs, locks } = situation;
  const matrix = copyOf(ways);
  const blocks = new Map(orders.map((order) => [order.id, blockOf(order, situation, places, ways)]));
  const exclusions = new Map(orders.map((order) => [order.id, exclusionsOf(order, situation)]));

  const requests = orders.map((order): PlanRequest => {
    const block = blocks.get(order.id)!;
    const [first, last] = [order.stops[0]!, order.returning ? order.pickup : order.stops.at(-1)!].map(
      places.placeOf,
    ) as [number, number];
    const only = locks.get(order.id);
    return {
      id: order.id,
      pickup: pickupOf(order, situation, places),
      drops: [
        {
          place: first === last ? first : addJoinedPlace(matrix, first, last),
          serviceSeconds: block.seconds,
          amounts: amountsOf(order.stops, situation),
          window: block.window,
        },
      ],
      skills: skillsOf(order, exclusions),
      priority: neededBy(order, situation).priority ?? 0,
      ...(only !== undefined && { onlyDriver: only }),
    };
  });

  const runsOf = Map.groupBy(runs, ({ driverId }) => driverId);
  const fixed = new Map<number, NamedStop[]>();
  const planDrivers = drivers.flatMap((driver): PlanDriver[] => {
    const time = shiftOf(driver, situation);
    if (!time) return [];
    const own = runsOf.get(driver.id) ?? [];
    const stops = own.flatMap((run) => fixedStopsOf(run, situation, places));
    fixed.set(
      driver.id,
      stops.map(({ named }) => named),
    );
    return [
      {
        id: driver.id,
        start: places.placeOf(driver.position),
        ...time,
        capacity: capacityOf(driver, situation),
        load: aboardOf(own, situation),
        skills: skillsOfDriver(driver, situation, exclusions),
        fixed: stops.map(({ stop }) => stop),
      },
    ];
  });

  const published = planDrivers.map(({ id: driver }) => ({
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
      matrix,
      requests,
      drivers: planDrivers,
      published: published.filter(({ stops }) => stops.length > 0),
    },
    blocks,
    fixed,
  };
}
