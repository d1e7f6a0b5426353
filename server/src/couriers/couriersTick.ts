import { findCentral } from '../centrals/centralStore.ts';
import { answerOffers } from './answerOffers.ts';
import type { CourierNeeds, Memory } from './courierNeeds.ts';
import { holdLeases } from './leaseStore.ts';
import { moveCouriers } from './moveCouriers.ts';

/** Longer than any tick takes: a central changes hands only when its process is gone. */
const LEASE_SECONDS = 15;

/**
 * Brings the simulated couriers of every central that asks for them up to now, as far as no other process does
 * it. How often it is called decides how smoothly they move, not how fast.
 */
export async function couriersTick(needs: CourierNeeds, memory: Memory): Promise<void> {
  const { db, clock, log } = needs;
  const now = clock.now();
  const until = now.add({ seconds: LEASE_SECONDS });
  for (const centralId of await holdLeases(db, memory.holder, now, until)) {
    try {
      const central = await findCentral(db, centralId);
      if (!central) continue;
      const time = { now: clock.now(), speed: central.settings.simulationSpeed };
      await answerOffers(needs, central, time);
      await moveCouriers(needs, memory, central, time);
    } catch (err) {
      log.error({ err, centralId }, 'the simulated couriers of a central could not be moved');
    }
  }
}
