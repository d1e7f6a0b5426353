import { startRounds } from '../dispatcher/startRounds.ts';
import { type CourierNeeds, newMemory } from './courierNeeds.ts';
import { couriersTick } from './couriersTick.ts';
import { releaseLeases } from './leaseStore.ts';

const TICK_MS = 1_000;

/** Keeps the simulated couriers moving until it is stopped, and then leaves them to whoever comes next. */
export function startCouriers(needs: CourierNeeds): { stop(): Promise<void> } {
  const memory = newMemory();
  const rounds = startRounds({
    everyMs: TICK_MS,
    round: () => couriersTick(needs, memory),
    onError: (err) => needs.log.error({ err }, 'the simulated couriers could not be looked at'),
  });
  return {
    async stop() {
      await rounds.stop();
      // Should the database be gone already, the lease expires by itself.
      await releaseLeases(needs.db, memory.holder).catch(() => undefined);
    },
  };
}
