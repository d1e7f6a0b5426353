import { wholeCentral } from '../centrals/caller.ts';
import { findCentral } from '../centrals/centralStore.ts';
import type { EstimateDeps } from '../estimates/estimateTrip.ts';
import { Refusal } from '../kernel/refusal.ts';
import { findStops } from '../requests/stopStore.ts';
import { estimateScheduled } from '../scheduled/estimateScheduled.ts';
import { findScheduled, lockScheduled, saveEstimate } from '../scheduled/scheduledStore.ts';
import { type DispatchDeps, failDispatch, postpone } from './dispatchScheduled.ts';
import { findOutdated, type Key } from './dispatchStore.ts';

const AT_ONCE_MAX = 10;

export interface RefreshDeps extends DispatchDeps, EstimateDeps {}

/**
 * Estimates the due scheduled deliveries whose figures are outdated, on roads or else on straight lines, so that they
 * can be dispatched. It waits for routers, so it runs apart from the dispatch of all others. Answers with the number
 * of scheduled deliveries it tried.
 */
export async function refreshEstimates(deps: RefreshDeps): Promise<number> {
  const outdated = await findOutdated(deps.db, deps.clock.now(), AT_ONCE_MAX);
  await Promise.all(outdated.map((key) => refresh(deps, key).catch((error) => postpone(deps, key, error))));
  return outdated.length;
}

async function refresh(deps: RefreshDeps, { centralId, id }: Key): Promise<void> {
  const { db, clock, routers } = deps;
  const scope = wholeCentral(centralId);
  const central = await findCentral(db, centralId);
  if (!central) throw new Error(`there is no central ${centralId}`);
  const before = await findScheduled(db, scope, id);
  const stops = await findStops(db, centralId, 'scheduled', [id]);
  const router = routers.forEstimates(central.settings);
  const estimate = await estimateScheduled(deps, router, central, before, stops).catch(refusalOnly);
  await db.begin(async (tx) => {
    const scheduled = await lockScheduled(tx, scope, id);
    // It changed meanwhile. The next round finds what is still to be done.
    if (scheduled.version !== before.version || scheduled.situation !== 'awaiting') return;
    if (estimate instanceof Refusal) await failDispatch(tx, { centralId, id }, estimate.kind, clock.now());
    else await saveEstimate(tx, centralId, id, estimate);
  });
}

function refusalOnly(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}
