import { secondsBetween } from '../kernel/clock.ts';
import { haversineMetres, type Position } from '../kernel/position.ts';
import { ABSENCE_SECONDS, type NextStop, pauseSeconds, type Seen, type Task } from './courier.ts';

/** Cancellation reasons of every central, see centrals/cancellationReasons.ts. */
const REASON_BREAKDOWN = 3;
const REASON_ABSENT = 5;

/** A courier this near has arrived: two doors of one building are the same place. */
const THERE_METRES = 20;

export type Act =
  | { kind: 'drive'; to: Position }
  | { kind: 'wait' }
  | { kind: 'arrive' | 'start' | 'finish' | 'giveUp' }
  | { kind: 'conclude'; stop: NextStop }
  | { kind: 'cancel'; reasonId: number };

export interface Time {
  now: Temporal.Instant;
  /** Simulated seconds per real second. */
  speed: number;
}

export const simulatedSeconds = (since: Temporal.Instant, { now, speed }: Time): number =>
  secondsBetween(since, now) * speed;

/** When a courier reached its position and could continue. */
export const settledAt = (seen: Seen, task: Task): Temporal.Instant =>
  Temporal.Instant.compare(seen.at, task.movedOnAt) > 0 ? seen.at : task.movedOnAt;

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
  const waited = simulatedSeconds(settledAt(seen, task), time);
  if (!stop)
    return waited >= pauseSeconds('closing', task.deliveryId) ? { kind: 'finish' } : { kind: 'wait' };
  if (task.script === 'absent' && task.stopsLeft === 1)
    return waited >= ABSENCE_SECONDS ? { kind: 'cancel', reasonId: REASON_ABSENT } : { kind: 'wait' };
  return waited >= pauseSeconds('handingOver', stop.id) ? { kind: 'conclude', stop } : { kind: 'wait' };
}
