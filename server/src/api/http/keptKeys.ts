import type { Caller } from '../../centrals/caller.ts';
import { keptBytes, type OwnedKey } from '../../centrals/idempotencyStore.ts';
import { lruCache } from '../../platform/kernel/lru.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Db } from '../../platform/postgres/database.ts';

const MEBIBYTE = 1024 * 1024;
/** Enough for some 200,000 orders in the time that keys are kept. */
const LOGIN_BYTES_MAX = 128 * MEBIBYTE;
/** Enough for some 7,000 steps of deliveries. */
const DRIVER_BYTES_MAX = 4 * MEBIBYTE;
/** The bytes of a row with its index entries, in addition to those of the answer. */
const KEY_BYTES = 512;
/** The share of its limit that a login fills before the database is asked again how many bytes it has. */
const MEASURED_EVERY = 1 / 16;
const REMEASURED_AFTER_MS = 60_000;
/** Old keys are removed once an hour. */
const RETRY_SECONDS = 3_600;
const LOGINS_MAX = 10_000;

interface Kept {
  /** The bytes that the database reported last. What other processes added since is not included. */
  measured: number;
  measuredAt: number;
  added: number;
}

const keptOf = new WeakMap<Db, ReturnType<typeof lruCache<string, Kept>>>();

function keptBy(db: Db, { centralId, userId }: OwnedKey): Kept {
  const logins = keptOf.get(db) ?? lruCache<string, Kept>(LOGINS_MAX);
  keptOf.set(db, logins);
  const name = `${centralId} ${userId}`;
  const known = logins.get(name) ?? { measured: 0, measuredAt: 0, added: 0 };
  logins.set(name, known);
  return known;
}

/**
 * Refuses with too-many-keys when the login has too much stored under its keys: no key is given up before its time, so
 * a new one has to wait, or the request is sent without. The database is asked rarely: each process lets a login go
 * over its room by a sixteenth at most.
 */
export async function assertRoomForKey(
  db: Db,
  owned: OwnedKey,
  { driverId }: Caller,
  nowMs: number,
): Promise<void> {
  const max = driverId === null ? LOGIN_BYTES_MAX : DRIVER_BYTES_MAX;
  const kept = keptBy(db, owned);
  const isFull = () => kept.measured + kept.added >= max;
  if (kept.added >= max * MEASURED_EVERY || (isFull() && nowMs - kept.measuredAt > REMEASURED_AFTER_MS)) {
    kept.added = 0;
    kept.measuredAt = nowMs;
    kept.measured = await keptBytes(db, owned, KEY_BYTES);
  }
  if (isFull()) throw new Refusal('too-many-keys', { seconds: RETRY_SECONDS });
}

export function countKey(db: Db, owned: OwnedKey, answer: string): void {
  keptBy(db, owned).added += KEY_BYTES + answer.length;
}
