import { findCentral } from '../centrals/centralStore.ts';
import { startRounds } from '../dispatcher/startRounds.ts';
import { type CourierDeps, type Memory, newMemory } from './courier.ts';
import { holdLeases, releaseLeases } from './courierStore.ts';
import { moveCouriers } from './moveCouriers.ts';
import { answerOffers } from './perform.ts';

/** Longer than any tick takes: a central changes its process only when that process is gone. */
const LEASE_SECONDS = 15;

/**
 * Moves the simulated couriers of every central that enables them to their current positions, except where another
 * process does. The interval decides how smoothly they move, not how fast.
 */
export async function couriersTick(deps: CourierDeps, memory: Memory): Promise<void> {
  const { db, clock, log } = deps;
  const now = clock.now();
  const until = now.add({ seconds: LEASE_SECONDS });
  for (const centralId of await holdLeases(db, memory.holder, now, until)) {
    try {
      const central = await findCentral(db, centralId);
      if (!central) continue;
      const time = { now: clock.now(), speed: central.settings.simulationSpeed };
      await answerOffers(deps, central, time);
      await moveCouriers(deps, memory, central, time);
    } catch (err) {
      log.error({ err, centralId }, 'the simulated couriers of a central could not be moved');
    }
  }
}

const TICK_MS = 1_000;

/** Keeps the simulated couriers moving until it is stopped, and then releases the leases. */
export function startCouriers(deps: CourierDeps): { stop(): Promise<void> } {
  const memory = newMemory();
  const rounds = startRounds({
    everyMs: TICK_MS,
    round: () => couriersTick(deps, memory),
    onError: (err) => deps.log.error({ err }, 'the simulated couriers could not be looked at'),
  });
  return {
    async stop() {
      await rounds.stop();
      // If the database is gone already, the leases expire by themselves.
      await releaseLeases(deps.db, memory.holder).catch(() => undefined);
    },
  };
}
