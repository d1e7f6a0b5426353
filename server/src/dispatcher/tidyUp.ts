import { forgetEvents } from '../events/forgetEvents.ts';
import { deleteOldKeys } from '../http/idempotencyStore.ts';
import type { Needs } from '../postgres/needs.ts';
import { deleteExpiredClaims } from './tidyUpStore.ts';

/** How long a repeated request is recognised. */
const KEYS_KEPT_HOURS = 48;
const BATCH = 1_000;

export interface TidiedUp {
  keys: number;
  claims: number;
  events: number;
  positions: number;
  sendings: number;
}

/** Removes what has served its time, in small steps that hold nobody up. Repeating it does no harm. */
export async function tidyUp({ db, clock }: Needs): Promise<TidiedUp> {
  const now = clock.now();
  const before = now.subtract({ hours: KEYS_KEPT_HOURS });
  const keys = await inBatches(() => db.beginAside((tx) => deleteOldKeys(tx, before, BATCH)));
  const claims = await inBatches(() => db.beginAside((tx) => deleteExpiredClaims(tx, now, BATCH)));
  return { keys, claims, ...(await forgetEvents({ db, clock })) };
}

async function inBatches(deleteSome: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const deleted = await deleteSome();
    total += deleted;
    if (deleted < BATCH) return total;
  }
}
