import { setTimeout as sleep } from 'node:timers/promises';
import type { EstimateDeps } from '../estimates/estimateTrip.ts';
import { distributeIn, nothingDistributed } from './distribute.ts';
import { findSearchingCentrals } from './distributionStore.ts';
import { startRounds } from './startRounds.ts';

/** Deliveries that come within this time are matched with drivers together. */
const EVERY_MS = 1_500;
/** Centrals at work at the same time. One that only waits for its router gives its place up after a while. */
const AT_ONCE = 4;
const PLACE_MS = 1_000;
/** What is under way when the end is asked for may take this long. */
const ENDING_MS = 5_000;

/**
 * Searches for drivers until it is stopped, round after round. A central is passed over while its own last round goes
 * on, and nobody waits for it longer than a moment: a router that is slow for one central delays no other.
 */
export function startDistribution(
  deps: EstimateDeps,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  const underWay = new Map<number, Promise<void>>();

  const begin = (centralId: number): Promise<void> => {
    const working = distributeIn(deps, centralId, nothingDistributed())
      .catch(onError)
      .finally(() => underWay.delete(centralId));
    underWay.set(centralId, working);
    return working;
  };
  const round = async (): Promise<void> => {
    const centrals = (await findSearchingCentrals(deps.db)).filter((id) => !underWay.has(id));
    const waiting = centrals.values();
    const takeTurns = async () => {
      for (const centralId of waiting) await withoutWaiting(begin(centralId));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, takeTurns));
  };

  const rounds = startRounds({ everyMs: EVERY_MS, round, onError });
  return {
    async stop() {
      await rounds.stop();
      await Promise.race([Promise.all(underWay.values()), sleep(ENDING_MS, undefined, { ref: false })]);
    },
  };
}

async function withoutWaiting(working: Promise<void>): Promise<void> {
  const timer = new AbortController();
  const late = sleep(PLACE_MS, undefined, { signal: timer.signal }).catch(() => undefined);
  await Promise.race([working, late]);
  timer.abort();
}
