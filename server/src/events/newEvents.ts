import type { Tx } from '../postgres/database.ts';
import { findNewEvents, findNewestIds, type LiveEvent } from './liveStore.ts';

/** A transaction that commits later than this after it took its ids is not waited for. */
const MISSING_KEPT_MS = 60_000;
const MISSING_MAX = 1_000;
const AT_ONCE = 1_000;

export interface NewEvents {
  /** What was committed since the last look, each event once, in an order that no delivery's events contradict. */
  look(): Promise<LiveEvent[]>;
}

/**
 * What is new in one central, from now on.
 *
 * Ids are taken before the commit, so a lower one may become visible after a higher one. They are dense, though:
 * a gap is an event that is about to be committed, or one that never will be. So gaps are looked up again for a
 * while, and nothing is missed however long a transaction takes to commit, within a minute.
 */
export async function trackNewEvents(tx: Tx, centralId: number): Promise<NewEvents> {
  const missing = new Map<number, number>();
  const known = await findNewestIds(tx, centralId, MISSING_MAX + 1);
  let cursor = known[0] ?? 0;
  noteMissing(0, new Set(known));

  function noteMissing(from: number, present: ReadonlySet<number>): void {
    const now = Date.now();
    for (let id = Math.max(from, cursor - MISSING_MAX); id < cursor; id += 1)
      if (!present.has(id)) missing.set(id, now);
  }

  return {
    async look() {
      const found: LiveEvent[] = [];
      for (;;) {
        const events = await findNewEvents(tx, centralId, cursor, [...missing.keys()], AT_ONCE);
        for (const { id } of events) missing.delete(id);
        found.push(...events);
        const newer = events.filter(({ id }) => id > cursor);
        const before = cursor;
        cursor = newer.at(-1)?.id ?? cursor;
        noteMissing(before + 1, new Set(newer.map(({ id }) => id)));
        if (newer.length < AT_ONCE) break;
      }
      const oldest = Date.now() - MISSING_KEPT_MS;
      for (const [id, since] of missing) if (since < oldest) missing.delete(id);
      return found.filter(({ type }) => type !== 'delivery.position' && type !== 'webhook.test');
    },
  };
}
