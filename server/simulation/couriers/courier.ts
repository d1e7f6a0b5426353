import type { Script } from '../../src/deliveries/orders/script.ts';
import type { Profile } from '../../src/geo/routing/router.ts';
import type { EstimateDeps } from '../../src/money/pricing/estimateTrip.ts';
import type { Position } from '../../src/platform/kernel/position.ts';
import { randomFrom } from '../../src/platform/kernel/random.ts';
import { Refusal } from '../../src/platform/kernel/refusal.ts';

/**
 * A simulated driver. It answers offers, drives, waits, hands over and finishes by itself, so that a new user sees
 * movement and an integrator can test every outcome.
 *
 * Only drivers registered as simulated are moved, only in centrals that enable the simulation, and only through
 * the commands that a real driver's phone calls. Everything that decides a courier's next action is read from the
 * database each time: its last position, and the status and times of its delivery. When a process dies, another
 * one continues.
 */
export interface Courier {
  id: number;
  /** Takes offers. A courier that is unavailable and carries nothing is not moved. */
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
  /** Another driver refused it or gave it up. */
  wasDeclined: boolean;
  profile: Profile;
  pickup: Position;
  returning: boolean;
  started: boolean;
  arrivedAt: Temporal.Instant | null;
  acceptedAt: Temporal.Instant;
  /** The latest of: acceptance, start, last concluded stop. */
  movedOnAt: Temporal.Instant;
  /** The next stop to visit; null when all are concluded. */
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
  /** The reason given when the simulated operator concludes a stop that wrong codes locked. */
  lockedStopReason: string;
  /** What a simulated driver notes at a stop that fails. */
  failureNote: string;
  log: { error(details: object, message: string): void };
}

/**
 * True when the action succeeded. A refusal means that another actor was faster (an operator, a person at the
 * driver's login, another process), and the next tick reads the result. Any other error concerns this courier
 * alone.
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

/** Finds the script in a delivery's note. The keywords are Portuguese, so wire/ reads them. */
export type ReadScript = (note: string | null) => Script;

/** Minimum and maximum seconds of each pause. */
const PAUSES = {
  answering: [3, 12],
  givingUp: [40, 90],
  loading: [60, 150],
  handingOver: [40, 110],
  closing: [10, 25],
} as const;

/** How long a courier waits for an absent recipient. */
export const ABSENCE_SECONDS = 300;

/** A pause for each occasion, equal in every process and at every call. */
export function pauseSeconds(kind: keyof typeof PAUSES, occasion: number): number {
  const [min, max] = PAUSES[kind];
  return min + (max - min) * shareOf(occasion);
}

/** A fixed number in [0, 1) for an id. */
export const shareOf = (id: number): number => randomFrom(Math.imul(id, 0x9e3779b1))();
