import { metresBetween, type Point } from './geometry.ts';

export interface Fix extends Point {
  /** Milliseconds by the server's clock. */
  at: number;
  /** Metres, as the phone judges it. */
  accuracy: number;
}

/** Moving: every few seconds, once there is something to tell. */
const MOVING_MS = 5_000;
const MOVING_METRES = 25;
/** Standing: a sign of life. */
const STANDING_MS = 120_000;
/** Farther off than this a position misleads more than it tells. */
const ACCURACY_METRES_MAX = 200;

/** Whether a fix is worth sending, after the last one that was. */
export function isWorthKeeping(last: Fix | null, fix: Fix): boolean {
  if (fix.accuracy > ACCURACY_METRES_MAX) return false;
  if (!last) return true;
  const passed = fix.at - last.at;
  // Back in time: the clock was set right meanwhile.
  if (passed < 0 || passed >= STANDING_MS) return true;
  // Within its own inaccuracy a phone at rest seems to wander.
  return passed >= MOVING_MS && metresBetween(last, fix) >= Math.max(MOVING_METRES, fix.accuracy);
}

export const BATCH_MAX = 500;
/** Eight hours of driving at one position every five seconds, rounded down: then the past gets coarser. */
export const QUEUE_MAX = 5_000;

/** A fix and whose way it is: nobody else who signs in on this phone was there. */
export interface OwnFix extends Fix {
  driverId: string;
}

export interface StoredFix extends OwnFix {
  seq: number;
}

/** Keeps fixes across the death of the app. */
export interface FixStorage {
  load(): Promise<StoredFix[]>;
  add(fix: OwnFix): Promise<StoredFix>;
  remove(seqs: readonly number[]): Promise<void>;
}

export interface PositionQueue {
  size(): number;
  /** Whose fixes are kept and sent; those of others are removed. Null, as at first: nobody's. */
  actFor(driverId: string | null): Promise<void>;
  add(fix: Fix): Promise<void>;
  /** Sends the oldest, at most one batch; answers whether more are left to send at once. */
  flush(): Promise<boolean>;
  clear(): Promise<void>;
}

/** `send` answers whether the batch is settled: taken, or refused for good. Positions are not worth blocking for. */
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

/** Of the older half, every second one: the way stays recognisable, and the newest part whole. */
const everySecond = (fixes: readonly StoredFix[]): number[] =>
  fixes
    .slice(0, Math.floor(fixes.length / 2))
    .filter((_, index) => index % 2 === 1)
    .map(({ seq }) => seq);
