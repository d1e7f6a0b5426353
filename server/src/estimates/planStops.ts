import { type Position, samePlace } from '../kernel/position.ts';
import type { Matrix, Profile, Router } from '../routing/router.ts';
import { bestStopOrder, type StopTrip } from './stopOrder.ts';

export interface PlannedTrip {
  /** The pickup, or the driver's last position where only the way ahead matters. */
  start: Position;
  /** Stops that were visited already, in the order of visiting: they lead the trip and stay where they are. */
  done?: readonly Position[];
  /**
   * Where the driver goes on from, when that is neither the last stop done nor the start. It decides the order
   * of the stops to come, and nothing else: the trip is measured along its stops, wherever the driver strays.
   */
  continuesFrom?: Position;
  /** Only those that are still to be visited. */
  stops: readonly Position[];
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
  /** From the start to the last stop, through those that are done. */
  outwardMetres: number;
  outwardSeconds: number;
  /** From the last stop to the end; 0 when the trip does not return. */
  backMetres: number;
  backSeconds: number;
  /** One for each stop to come: `legs[i]` leads to `stops[order[i]]`. The way back is not among them. */
  legs: Leg[];
}

/** No order of the stops can be driven: the roads do not join them. */
export class NoWay extends Error {
  override name = 'NoWay';
  constructor() {
    super('no way joins the stops');
  }
}

/**
 * The order of the stops that takes the fewest seconds, the way back included, and what each leg takes.
 * Asks the router once, for each place once, so a PointOffRoad counts places and not stops.
 * Rejects with NoWay, and with whatever the router rejects with.
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

/** Routing engines refuse a matrix of one point, and there is nothing to ask. */
async function matrixOf(router: Router, places: readonly Position[], profile: Profile): Promise<Matrix> {
  return places.length < 2 ? { metres: [[0]], seconds: [[0]] } : router.matrix(places, profile);
}

/** Staying at a place takes nothing, whatever a routing engine writes there. */
const legsOf =
  (matrix: Matrix): LegBetween =>
  (from, to) => {
    if (from === to) return NOTHING;
    const metres = matrix.metres[from]?.[to] ?? null;
    const seconds = matrix.seconds[from]?.[to] ?? null;
    return metres === null || seconds === null ? null : { metres, seconds };
  };

function fastestOrder(places: readonly Position[], trip: StopTrip, legBetween: LegBetween): number[] {
  // With every stop done, a driver on the way back still has a plan.
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
