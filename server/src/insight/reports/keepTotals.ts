import { findCentral } from '../../centrals/centralStore.ts';
import type { PriceBooks } from '../../money/pricing/priceBook.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { countDeliveries } from './countDeliveries.ts';
import { takeHistory, takeQueued } from './endedDeliveryStore.ts';
import { addTotals, forgetTotals, lockState, saveState } from './totalsStore.ts';

/** Few enough for short transactions, and enough that many deliveries share the rows of totals. */
const DELIVERIES_AT_ONCE = 500;

export interface ReportDeps {
  db: Db;
  priceBooks: PriceBooks;
}

/**
 * Adds ended deliveries of a central to its totals: first the history, if the totals are new or being rebuilt, then the
 * queue. Counts until nothing is left, or until another process counts. Returns the number of deliveries counted.
 */
export async function countCentral(deps: ReportDeps, centralId: number): Promise<number> {
  let counted = 0;
  for (;;) {
    const batch = await countBatch(deps, centralId);
    counted += batch.counted;
    if (!batch.isMore) return counted;
  }
}

/**
 * One transaction takes deliveries, adds them and stores its progress. If it fails, nothing of it remains; if it
 * commits, its deliveries are removed from the queue. So each is counted exactly once.
 */
async function countBatch(
  { db, priceBooks }: ReportDeps,
  centralId: number,
): Promise<{ counted: number; isMore: boolean }> {
  const central = await findCentral(db, centralId);
  if (!central) throw new Error(`there is no central ${centralId}`);
  const { areas } = await priceBooks.of(centralId);
  return db.begin(async (tx) => {
    const state = await lockState(tx, centralId);
    if (!state) return { counted: 0, isMore: false };
    if (state.isComplete) {
      const ended = await takeQueued(tx, centralId, DELIVERIES_AT_ONCE);
      await addTotals(tx, centralId, countDeliveries(ended, central.timeZone, areas));
      return { counted: ended.length, isMore: ended.length === DELIVERIES_AT_ONCE };
    }
    const { to, ended } = await takeHistory(tx, centralId, state.countedTo, DELIVERIES_AT_ONCE);
    await addTotals(tx, centralId, countDeliveries(ended, central.timeZone, areas));
    await saveState(tx, centralId, { countedTo: to ?? state.countedTo, isComplete: to === null });
    return { counted: ended.length, isMore: true };
  });
}

/** Counts the whole history of a central again, from the deliveries as they are stored. */
export async function rebuildTotals(deps: ReportDeps, centralId: number): Promise<number> {
  await deps.db.begin((tx) => forgetTotals(tx, centralId));
  return countCentral(deps, centralId);
}
