import { metresBetween, type Point } from './geometry.ts';

/** Whether the phone tells its position. */
export type LocationState = 'off' | 'on' | 'denied' | 'unavailable';

export interface Fix extends Point {
  /** Milliseconds by the server's clock. */
  at: number;
  /** In metres, as estimated by the phone. */
  accuracy: number;
}

/** While moving: a position at most this often, and only after this distance. */
const MOVING_MS = 5_000;
const MOVING_METRES = 25;
/** While standing still: a position at least this often. */
const STANDING_MS = 120_000;
/** A less accurate position is misleading and is dropped. */
const ACCURACY_METRES_MAX = 200;

/** Whether a fix is worth sending, given the last one kept. */
export function isWorthKeeping(last: Fix | null, fix: Fix): boolean {
  if (fix.accuracy > ACCURACY_METRES_MAX) return false;
  if (!last) return true;
  const passed = fix.at - last.at;
  // A negative interval means that the clock was corrected meanwhile.
  if (passed < 0 || passed >= STANDING_MS) return true;
  // The positions of a phone at rest vary within its accuracy.
  return passed >= MOVING_MS && metresBetween(last, fix) >= Math.max(MOVING_METRES, fix.accuracy);
}

export const BATCH_MAX = 500;
/** About seven hours at one position every five seconds. Beyond it, older positions are thinned out. */
export const QUEUE_MAX = 5_000;

/** A fix and the driver it belongs to, because several drivers may sign in on one phone. */
export interface OwnFix extends Fix {
  driverId: string;
}

export interface StoredFix extends OwnFix {
  seq: number;
}

/** Stores fixes, so that they survive the end of the app. */
export interface FixStorage {
  load(): Promise<StoredFix[]>;
  add(fix: OwnFix): Promise<StoredFix>;
  remove(seqs: readonly number[]): Promise<void>;
}

export interface PositionQueue {
  size(): number;
  /** Sets the driver whose fixes are kept and sent; those of others are removed. Null, the initial value: nobody. */
  actFor(driverId: string | null): Promise<void>;
  add(fix: Fix): Promise<void>;
  /** Sends the oldest fixes, at most one batch. Resolves to whether more can be sent at once. */
  flush(): Promise<boolean>;
  clear(): Promise<void>;
}

/** `send` resolves to true when a batch was accepted or refused for good, so a refused one does not block others. */
export async function openPositionQueue(
  storage: FixStorage,
  send: (batch: readonly Fix[]) => Promise<boolean>,
): Promise<PositionQueue> {
  let fixes = await storage.load();
  let flushing = false;
  let driverId: string | null = null;
  const remove = async (seqs: readonly number[]): Promise<void> => {
    const gone = new Set(seqs);
    fixes = fixes.filter(({ seq }) => !gone.has(seq));
    await storage.remove(seqs);
  };
  return {
    size: () => fixes.length,
    async actFor(id) {
      driverId = id;
      const others = fixes.filter((fix) => fix.driverId !== id);
      if (id !== null && others.length > 0) await remove(others.map(({ seq }) => seq));
    },
    async add(fix) {
      if (driverId === null) return;
      fixes = [...fixes, await storage.add({ ...fix, driverId })];
      if (fixes.length > QUEUE_MAX) await remove(everySecond(fixes));
    },
    async flush() {
      if (flushing || driverId === null || fixes.length === 0) return false;
      flushing = true;
      try {
        const batch = fixes.filter((fix) => fix.driverId === driverId).slice(0, BATCH_MAX);
        if (batch.length === 0) return false;
        if (!(await send(batch))) return false;
        await remove(batch.map(({ seq }) => seq));
        return fixes.length > 0;
      } finally {
        flushing = false;
      }
    },
    clear: () => remove(fixes.map(({ seq }) => seq)),
  };
}

/** Every second fix of the older half. The route stays recognisable and its newest part complete. */
const everySecond = (fixes: readonly StoredFix[]): number[] =>
  fixes
    .slice(0, Math.floor(fixes.length / 2))
    .filter((_, index) => index % 2 === 1)
    .map(({ seq }) => seq);
