import { wholeCentral } from '../centrals/caller.ts';
import { findCentral } from '../centrals/centralStore.ts';
import type { EstimateNeeds } from '../estimates/estimateTrip.ts';
import { Refusal } from '../kernel/refusal.ts';
import { estimateScheduled } from '../scheduled/estimateScheduled.ts';
import { findScheduledStops } from '../scheduled/scheduledStopStore.ts';
import { findScheduled, lockScheduled, saveEstimate } from '../scheduled/scheduledStore.ts';
import { findOutdated, type Key } from './dispatchStore.ts';
import { failDispatch } from './failDispatch.ts';
import { type DispatchNeeds, putOff } from './putOff.ts';

const AT_ONCE_MAX = 10;

export interface RefreshNeeds extends DispatchNeeds, EstimateNeeds {}

/**
 * Estimates the due ones that lost a stop while no router answered, on roads or else on straight lines, so
 * that they can be dispatched. It waits for routers, hence apart from the dispatch of all others. Answers with
 * how many it looked at.
 */
export async function refreshEstimates(needs: RefreshNeeds): Promise<number> {
  const outdated = await findOutdated(needs.db, needs.clock.now(), AT_ONCE_MAX);
  await Promise.all(outdated.map((key) => refresh(needs, key).catch((error) => putOff(needs, key, error))));
  return outdated.length;
}

async function refresh(needs: RefreshNeeds, { centralId, id }: Key): Promise<void> {
  const { db, clock, routers } = needs;
  const sight = wholeCentral(centralId);
  const central = await findCentral(db, centralId);
  if (!central) throw new Error(`there is no central ${centralId}`);
  const before = await findScheduled(db, sight, id);
  const stops = await findScheduledStops(db, centralId, [id]);
  const router = routers.forEstimates(central.settings);
  const estimate = await estimateScheduled(needs, router, central, before, stops).catch(refusalOnly);
  await db.begin(async (tx) => {
    const scheduled = await lockScheduled(tx, sight, id);
    // Changed meanwhile: the next look finds whatever is still to be done.
    if (scheduled.version !== before.version || scheduled.situation !== 'awaiting') return;
    if (estimate instanceof Refusal) await failDispatch(tx, { centralId, id }, estimate.kind, clock.now());
    else await saveEstimate(tx, centralId, id, estimate);
  });
}

function refusalOnly(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}
