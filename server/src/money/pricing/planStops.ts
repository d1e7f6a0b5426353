import { isUnroutable, type Matrix, type Profile, type Router } from '../../geo/routing/router.ts';
import { type Position, samePlace } from '../../platform/kernel/position.ts';
import { bestStopOrder, type StopTrip } from './stopOrder.ts';

export interface PlannedTrip {
  /** The pickup, or the driver's last position where only the remaining way matters. */
  start: Position;
  /** Concluded stops, in the order of visiting: they come first and keep their places. */
  done?: readonly Position[];
  /**
   * Where the driver continues, when that is neither the last concluded stop nor the start. It decides the order
   * of the open stops and nothing else: the trip is measured along its stops, wherever the driver is.
   */
  continuesFrom?: Position;
  /** Open stops only. */
  stops: readonly Position[];
  /** Indexes into `stops` that come after all others where the order is chosen. */
  last?: readonly number[];
  /** Where the driver returns to, which is the pickup; absent when the delivery does not return. */
  end?: Position;
  profile: Profile;
  /** False keeps the stops in the order given. */
  optimise: boolean;
}

export interface Leg {
  metres: number;
  seconds: number;
}

export interface Plan {
  /** Indexes into the trip's stops, in the order of visiting. */
  order: number[];
  /** From the start to the last stop, through the concluded ones. */
  outwardMetres: number;
  outwardSeconds: number;
  /** From the last stop to the end; 0 when the trip does not return. */
  backMetres: number;
  backSeconds: number;
  /** One for each open stop: `legs[i]` leads to `stops[order[i]]`. The way back is not included. */
  legs: Leg[];
}

/** No order of the stops is possible: the roads do not connect them. */
export class NoWay extends Error {
  override name = 'NoWay';
  constructor() {
    super('no way joins the stops');
  }
}

/** The trip cannot be planned: a router gives no route, or no way joins its stops. */
export const isUnplannable = (error: unknown): boolean => isUnroutable(error) || error instanceof NoWay;

/**
 * The order of the stops that takes the fewest seconds, including the way back, and each leg. Calls the router
 * once, with each place once, so the index of a PointOffRoad counts places and not stops. Rejects with NoWay, and
 * with the router's errors.
 */
export async function planStops(router: Router, planned: PlannedTrip): Promise<Plan> {
  const places: Position[] = [];
  const indexOf = (position: Position): number => {
    const known = places.findIndex((place) => samePlace(place, position));
    return known === -1 ? places.push(position) - 1 : known;
  };
  const led = [planned.start, ...(planned.done ?? [])].map(indexOf);
  const trip: StopTrip = {
    start: planned.continuesFrom ? indexOf(planned.continuesFrom) : led.at(-1)!,
    stops: planned.stops.map(indexOf),
    ...(planned.end && { end: indexOf(planned.end) }),
    ...(planned.last?.length && { last: new Set(planned.last) }),
  };

  const legBetween = legsOf(await matrixOf(router, places, planned.profile));
  const order = planned.optimise ? fastestOrder(places, trip, legBetween) : [...trip.stops.keys()];

  const visited = [...led, ...order.map((stop) => trip.stops[stop]!)];
  const legs = visited.slice(1).map((to, index) => mustLead(legBetween(visited[index]!, to)));
  const back = trip.end === undefined ? NOTHING : mustLead(legBetween(visited.at(-1)!, trip.end));
  return {
    order,
    outwardMetres: legs.reduce((sum, { metres }) => sum + metres, 0),
    outwardSeconds: legs.reduce((sum, { seconds }) => sum + seconds, 0),
    backMetres: back.metres,
    backSeconds: back.seconds,
    legs: legs.slice(led.length - 1),
  };
}

const NOTHING: Leg = { metres: 0, seconds: 0 };

type LegBetween = (from: number, to: number) => Leg | null;

/** Routing engines refuse a matrix of one point, and its answer is known. */
async function matrixOf(router: Router, places: readonly Position[], profile: Profile): Promise<Matrix> {
  return places.length < 2 ? { metres: [[0]], seconds: [[0]] } : router.matrix(places, profile);
}

/** Staying at a place costs nothing, whatever the routing engine answers. */
const legsOf =
  (matrix: Matrix): LegBetween =>
  (from, to) => {
    if (from === to) return NOTHING;
    const metres = matrix.metres[from]?.[to] ?? null;
    const seconds = matrix.seconds[from]?.[to] ?? null;
    return metres === null || seconds === null ? null : { metres, seconds };
  };

function fastestOrder(places: readonly Position[], trip: StopTrip, legBetween: LegBetween): number[] {
  // With every stop concluded, a driver on the way back still has a plan.
  if (trip.stops.length === 0) return [];
  const seconds = places.map((_, from) => places.map((_, to) => legBetween(from, to)?.seconds ?? null));
  const best = bestStopOrder(seconds, trip);
  if (!best) throw new NoWay();
  return best.order;
}

function mustLead(leg: Leg | null): Leg {
  if (!leg) throw new NoWay();
  return leg;
}
