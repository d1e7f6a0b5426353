import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { EstimateDeps } from '../estimates/estimateTrip.ts';
import type { Position } from '../kernel/position.ts';
import { randomFrom } from '../kernel/random.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Profile } from '../routing/router.ts';
import type { Journey } from './journey.ts';

/**
 * A driver that nobody is: it answers offers, drives, waits, hands over and finishes by itself, so that a
 * newcomer sees things move and an integrator can try every outcome.
 *
 * Only drivers registered as simulated are ever moved, only in centrals that switched it on, and only by the
 * commands that a real driver's phone calls. All that decides what a courier does next is in the database, read
 * anew each time: its last position and when that was, its delivery's status and moments. A process may die at
 * any point and another one goes on.
 */
export interface Courier {
  id: number;
  /** Takes offers; one that is not available and carries nothing is left alone. */
  available: boolean;
  seen: Seen | null;
  task: Task | null;
}

export interface Seen {
  position: Position;
  at: Temporal.Instant;
}

/** The delivery a courier works on now. */
export interface Task {
  deliveryId: number;
  script: Script;
  /** Another driver said no to it, or gave it up. */
  wasDeclined: boolean;
  profile: Profile;
  pickup: Position;
  returning: boolean;
  started: boolean;
  arrivedAt: Temporal.Instant | null;
  acceptedAt: Temporal.Instant;
  /** The latest of its moments: acceptance, start, the last stop concluded. */
  movedOnAt: Temporal.Instant;
  /** The next to be visited; null when all are done. */
  nextStop: NextStop | null;
  stopsLeft: number;
}

export interface NextStop {
  id: number;
  position: Position;
  code: number | null;
  wrongCodes: number;
}

export interface CourierDeps extends EstimateDeps {
  readScript: ReadScript;
  /** Said where the operator of a simulation concludes a stop that wrong codes locked. */
  lockedStopReason: string;
  log: { error(details: object, message: string): void };
}

/** What spares a process asking again; losing it costs nothing but the asking. */
export interface Memory {
  /** Names this process in its leases. */
  holder: string;
  journeys: LRUCache<string, Journey>;
  busyPlaces: LRUCache<number, { places: Position[]; until: Temporal.Instant }>;
}

const JOURNEYS_MAX = 5_000;
const CENTRALS_MAX = 1_000;

export const newMemory = (): Memory => ({
  holder: randomUUID(),
  journeys: new LRUCache({ max: JOURNEYS_MAX }),
  busyPlaces: new LRUCache({ max: CENTRALS_MAX }),
});

/**
 * True when it was done. A refusal means that somebody else was quicker (an operator, a person at the driver's
 * login, another process): the next look shows what came of it. Anything else concerns this courier alone.
 */
export async function attempt(
  { log }: CourierDeps,
  about: { centralId: number; driverId: number; deliveryId: number },
  work: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (err) {
    if (!(err instanceof Refusal)) log.error({ err, ...about }, 'a simulated courier could not act');
    return false;
  }
}

/**
 * How a delivery goes when simulated couriers carry it.
 *
 * success     accepted, picked up, handed over, finished
 * refusal     the first courier who is asked refuses; the next one carries it to the end
 * no_driver   nobody answers
 * giving_up   the first courier who accepts gives it up before the pickup; the next one carries it to the end
 * breakdown   the courier's vehicle breaks down on the way to the pickup, and the central cancels
 * absent      the recipient of the last stop is not there; after a while the central cancels
 */
export type Script = 'success' | 'refusal' | 'no_driver' | 'giving_up' | 'breakdown' | 'absent';

/** Finds the script in a delivery's note. The words for it are the border's, and so is the reading. */
export type ReadScript = (note: string | null) => Script;

/** Seconds that people take, at least and at most. */
const PAUSES = {
  answering: [3, 12],
  givingUp: [40, 90],
  loading: [60, 150],
  handingOver: [40, 110],
  closing: [10, 25],
} as const;

/** A recipient who is absent is waited for so long. */
export const ABSENCE_SECONDS = 300;

/** A pause of its own for each occasion, the same whenever and by whomever it is asked for. */
export function pauseSeconds(kind: keyof typeof PAUSES, occasion: number): number {
  const [least, most] = PAUSES[kind];
  return least + (most - least) * shareOf(occasion);
}

/** A number in [0, 1) that an id always has. */
export const shareOf = (id: number): number => randomFrom(Math.imul(id, 0x9e3779b1))();
