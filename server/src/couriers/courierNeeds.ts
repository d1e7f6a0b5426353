import { randomUUID } from 'node:crypto';
import type { EstimateNeeds } from '../estimates/estimateTrip.ts';
import { BoundedMap } from '../kernel/boundedMap.ts';
import type { Position } from '../kernel/position.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Journey } from './journey.ts';
import type { ReadScript } from './script.ts';

export interface CourierNeeds extends EstimateNeeds {
  readScript: ReadScript;
  /** Said where the operator of a simulation concludes a stop that wrong codes locked. */
  lockedStopReason: string;
  log: { error(details: object, message: string): void };
}

/** What spares a process asking again; losing it costs nothing but the asking. */
export interface Memory {
  /** Names this process in its leases. */
  holder: string;
  journeys: BoundedMap<string, Journey>;
  busyPlaces: BoundedMap<number, { places: Position[]; until: Temporal.Instant }>;
}

const JOURNEYS_MAX = 5_000;
const CENTRALS_MAX = 1_000;

export const newMemory = (): Memory => ({
  holder: randomUUID(),
  journeys: new BoundedMap(JOURNEYS_MAX),
  busyPlaces: new BoundedMap(CENTRALS_MAX),
});

/**
 * True when it was done. A refusal means that somebody else was quicker (an operator, a person at the driver's
 * login, another process): the next look shows what came of it. Anything else concerns this courier alone.
 */
export async function attempt(
  { log }: CourierNeeds,
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
