import type { Tx } from '../postgres/database.ts';
import type { Deps } from '../postgres/deps.ts';
import {
  deleteGoneSendings,
  deleteGoneWebhooks,
  deleteOldEvents,
  deleteOldPositions,
  findKeepingTimes,
} from './forgetEventsStore.ts';

/** Positions are worth nothing after some seconds; this long they can be looked up in the sending log. */
const POSITIONS_KEPT_HOURS = 24;
const BATCH = 500;

/**
 * Drops events and their sendings after the time that each central keeps them, and what deleted webhooks left
 * behind: in small steps, each a transaction of its own, so that nobody waits for it.
 */
export async function forgetEvents({
  db,
  clock,
}: Deps): Promise<{ events: number; positions: number; sendings: number }> {
  const now = clock.now();
  const forgotten = { events: 0, positions: 0, sendings: 0 };
  for (const { centralId, days } of await findKeepingTimes(db)) {
    const before = now.subtract({ hours: 24 * days });
    forgotten.events += await inSteps(db, (tx) => deleteOldEvents(tx, centralId, before, BATCH));
  }
  const stale = now.subtract({ hours: POSITIONS_KEPT_HOURS });
  forgotten.positions += await inSteps(db, (tx) => deleteOldPositions(tx, stale, BATCH));
  forgotten.sendings += await inSteps(db, (tx) => deleteGoneSendings(tx, BATCH));
  await db.beginIndependent(deleteGoneWebhooks);
  return forgotten;
}

async function inSteps(db: Deps['db'], deleteSome: (tx: Tx) => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const deleted = await db.beginIndependent(deleteSome);
    total += deleted;
    if (deleted < BATCH) return total;
  }
}
