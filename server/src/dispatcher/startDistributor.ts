import type { EstimateNeeds } from '../estimates/estimateTrip.ts';
import { distributeOnce } from './distribute.ts';

/** Deliveries that come within this time are matched together. */
const WINDOW_MS = 1_500;

export interface Distributor {
  stop(): Promise<void>;
}

/** Searches for drivers, round after round, until stopped. */
export function startDistributor(needs: EstimateNeeds, onError: (error: unknown) => void): Distributor {
  let stopped = false;
  let wake: (() => void) | undefined;
  const running = (async () => {
    while (!stopped) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, WINDOW_MS);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      if (!stopped) await distributeOnce(needs).catch(onError);
    }
  })();
  return {
    async stop() {
      stopped = true;
      wake?.();
      await running;
    },
  };
}
