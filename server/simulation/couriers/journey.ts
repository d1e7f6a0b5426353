import type { RoadRoute } from '../../src/geo/routing/router.ts';
import { CLOCK_TOLERANCE, secondsBetween } from '../../src/platform/kernel/clock.ts';
import {
  haversineMetres,
  METRES_PER_DEGREE,
  type Position,
  samePlace,
} from '../../src/platform/kernel/position.ts';
import { ABSENCE_SECONDS, type NextStop, pauseSeconds, type Seen, shareOf, type Task } from './courier.ts';

/** A route being driven. It only caches the router's answer: without it the rest is requested again. */
export interface Journey {
  to: Position;
  /** The courier's position on the route. */
  at: Position;
  line: readonly Position[];
  /** For each point of the line, its distance from the start. */
  metres: readonly number[];
  seconds: number;
  driven: number;
}

export function setOff(from: Position, to: Position, route: RoadRoute): Journey {
  const line = route.geometry.map(([lng, lat]): Position => ({ lat, lng }));
  const metres: number[] = [];
  for (const [index, point] of line.entries())
    metres.push(index === 0 ? 0 : metres[index - 1]! + haversineMetres(line[index - 1]!, point));
  return { to, at: from, line, metres, seconds: route.seconds, driven: 0 };
}

/** Whether a courier between these two positions is on this route. */
export const isOn = (journey: Journey, here: Position, to: Position): boolean =>
  samePlace(journey.to, to) && journey.at.lat === here.lat && journey.at.lng === here.lng;

/** The route after more seconds: at constant speed along the line, and exactly at its end. */
export function drive(journey: Journey, seconds: number): Journey {
  const driven = journey.driven + seconds;
  if (driven >= journey.seconds) return { ...journey, driven, at: journey.to };
  return { ...journey, driven, at: pointAlong(journey, driven / journey.seconds) };
}

function pointAlong({ line, metres, at }: Journey, share: number): Position {
  const length = metres.at(-1) ?? 0;
  const reached = length * share;
  const next = metres.findIndex((distance) => distance > reached);
  if (next <= 0) return line[0] ?? at;
  const from = line[next - 1]!;
  const to = line[next]!;
  const part = (reached - metres[next - 1]!) / (metres[next]! - metres[next - 1]!);
  return asReported({
    lat: from.lat + (to.lat - from.lat) * part,
    lng: from.lng + (to.lng - from.lng) * part,
  });
}

/** Phones report positions to a tenth of a metre. */
const asReported = ({ lat, lng }: Position): Position => ({
  lat: sixDecimals(lat),
  lng: sixDecimals(lng),
});

const sixDecimals = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;

/** Cancellation reasons of every central, see centrals/centralStore.ts. */
const REASON_BREAKDOWN = 3;
const REASON_ABSENT = 5;

/** A courier this near has arrived: two doors of one building are the same place. */
const THERE_METRES = 20;

export type Act =
  | { kind: 'drive'; to: Position }
  | { kind: 'wait' }
  | { kind: 'arrive' | 'start' | 'finish' | 'giveUp' }
  | { kind: 'conclude' | 'fail'; stop: NextStop }
  | { kind: 'cancel'; reasonId: number };

export interface Time {
  now: Temporal.Instant;
  /** Simulated seconds per real second. */
  speed: number;
}

/**
 * A time in the future was stored before the clock was set back, so the time since then is unknown. It counts as the
 * longest time that a courier waits, so that no courier waits until that time has come.
 */
export const simulatedSeconds = (since: Temporal.Instant, { now, speed }: Time): number =>
  isAhead(since, now) ? ABSENCE_SECONDS : secondsBetween(since, now) * speed;

export const isAhead = (since: Temporal.Instant, now: Temporal.Instant): boolean =>
  secondsBetween(now, since) > CLOCK_TOLERANCE.seconds;

/** When a courier reached its position and could continue. Its position is reported with each step. */
export const readySince = (seen: Seen, task: Task, now: Temporal.Instant): Temporal.Instant =>
  isAhead(task.movedOnAt, now) || Temporal.Instant.compare(seen.at, task.movedOnAt) > 0
    ? seen.at
    : task.movedOnAt;

const isThere = (here: Position, place: Position): boolean => haversineMetres(here, place) <= THERE_METRES;

/** What a courier does now about its delivery: a pure function of the current state. */
export function nextAct(task: Task, seen: Seen, time: Time): Act {
  return task.started ? carry(task, seen, time) : fetch(task, seen, time);
}

function fetch(task: Task, seen: Seen, time: Time): Act {
  const lastsSince = simulatedSeconds(task.acceptedAt, time);
  if (lastsSince >= pauseSeconds('givingUp', task.deliveryId)) {
    if (task.script === 'giving_up' && !task.wasDeclined) return { kind: 'giveUp' };
    if (task.script === 'breakdown') return { kind: 'cancel', reasonId: REASON_BREAKDOWN };
  }
  // A courier that will break down or give up never starts.
  const goesOn = task.script !== 'breakdown' && (task.script !== 'giving_up' || task.wasDeclined);
  if (task.arrivedAt === null)
    return isThere(seen.position, task.pickup) ? { kind: 'arrive' } : { kind: 'drive', to: task.pickup };
  const loaded = simulatedSeconds(task.arrivedAt, time) >= pauseSeconds('loading', task.deliveryId);
  return goesOn && loaded ? { kind: 'start' } : { kind: 'wait' };
}

function carry(task: Task, seen: Seen, time: Time): Act {
  const { nextStop: stop } = task;
  const goal = stop?.position ?? (task.returning ? task.pickup : seen.position);
  if (!isThere(seen.position, goal)) return { kind: 'drive', to: goal };
  const waited = simulatedSeconds(readySince(seen, task, time.now), time);
  if (!stop)
    return waited >= pauseSeconds('closing', task.deliveryId) ? { kind: 'finish' } : { kind: 'wait' };
  if (task.script === 'absent' && task.stopsLeft === 1)
    return waited >= ABSENCE_SECONDS ? { kind: 'cancel', reasonId: REASON_ABSENT } : { kind: 'wait' };
  if (task.script === 'failure' && task.stopsLeft === 1)
    return waited >= ABSENCE_SECONDS ? { kind: 'fail', stop } : { kind: 'wait' };
  return waited >= pauseSeconds('handingOver', stop.id) ? { kind: 'conclude', stop } : { kind: 'wait' };
}

/** Idle couriers move slowly. */
export const IDLE_PACE = 0.35;

const LOITER_METRES = [150, 900] as const;
const BEGIN_METRES_MAX = 1_800;

/** Where an idle courier moves: near its preferred busy place, up to its own distance. Null: it stays. */
export function driftGoal(courierId: number, here: Position, busy: readonly Position[]): Position | null {
  const place = busy[courierId % busy.length];
  if (!place) return null;
  const [min, max] = LOITER_METRES;
  return haversineMetres(here, place) > min + (max - min) * shareOf(courierId) ? place : null;
}

/** The first position of a courier that has none: near a busy place. */
export function firstPlace(courierId: number, busy: readonly Position[]): Position | null {
  const place = busy[courierId % busy.length];
  if (!place) return null;
  const angle = 2 * Math.PI * shareOf(courierId);
  const degrees = (BEGIN_METRES_MAX * shareOf(courierId + 1)) / METRES_PER_DEGREE;
  return asReported({
    lat: place.lat + degrees * Math.sin(angle),
    lng: place.lng + (degrees * Math.cos(angle)) / Math.cos((place.lat * Math.PI) / 180),
  });
}
