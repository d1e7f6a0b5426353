import type { Clock } from '../kernel/clock.ts';
import type { Database } from '../postgres/database.ts';
import { findEvents, findPositionsSince, type LiveEvent, type LivePosition } from './liveStore.ts';

/** Changes that come together are read and told together: at first soon, and with many readers less often. */
const BATCH_MS_MIN = 20;
const BATCH_MS_MAX = 150;
const READERS_PER_BATCH_MS = 10;

const POSITIONS_MS = 3_000;
/** An older one tells nobody where the driver is. */
const POSITION_AGE_MAX = { seconds: 15 };

export interface LiveReader {
  centralId: number;
  /** All readers of a central are given the very same batch, so that what is made of it can be shared. */
  onEvents(batch: readonly LiveEvent[]): void;
  onPositions(batch: readonly LivePosition[]): void;
  /** Events may have been missed: the reader should look at everything again. */
  onGap(): void;
}

export interface LiveFeed {
  /** Returns the way to leave. */
  join(reader: LiveReader): () => void;
  /** Calls back whenever something was committed, watched or not; returns the way to end that. */
  hear(onCommitted: () => void): () => void;
  readers(): number;
  stop(): Promise<void>;
}

/**
 * Tells every reader in this process of every committed event of its central, whichever process made it:
 * NOTIFY brings the ids, and those of centrals that somebody is watching are read, in small batches. Where
 * drivers are is read every few seconds from their own table, where the reports leave it without a NOTIFY.
 */
export async function openLiveFeed(
  { db, clock }: { db: Database; clock: Clock },
  onError: (error: unknown) => void,
): Promise<LiveFeed> {
  const readers = new Map<number, Set<LiveReader>>();
  const hearers = new Set<() => void>();
  const waiting = new Map<number, number[]>();
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();
  let count = 0;

  const tell = async (centralId: number, ids: number[]): Promise<void> => {
    try {
      const batch = await findEvents(db, centralId, ids);
      for (const reader of readers.get(centralId) ?? []) reader.onEvents(batch);
    } catch (error) {
      onError(error);
      for (const reader of readers.get(centralId) ?? []) reader.onGap();
    }
  };

  const flush = () => {
    timer = undefined;
    const batches = [...waiting];
    waiting.clear();
    // One after the other, so that a reader never sees a delivery's events out of order.
    flushing = flushing.then(async () => {
      await Promise.all(batches.map(([centralId, ids]) => tell(centralId, ids)));
    });
  };
  const batchMs = () => Math.min(BATCH_MS_MAX, BATCH_MS_MIN + count / READERS_PER_BATCH_MS);

  const listening = await db.listen(
    'malote_events',
    (payload) => {
      for (const hearer of hearers) hearer();
      const [centralId = 0, id = 0] = payload.split(' ').map(Number);
      if (!readers.has(centralId)) return;
      const ids = waiting.get(centralId);
      if (ids) ids.push(id);
      else waiting.set(centralId, [id]);
      timer ??= setTimeout(flush, batchMs());
    },
    () => {
      for (const hearer of hearers) hearer();
      for (const reader of [...readers.values()].flatMap((set) => [...set])) reader.onGap();
    },
  );

  const positions = tellPositions(db, clock, readers, onError);

  return {
    join(reader) {
      const watching = readers.get(reader.centralId) ?? new Set();
      watching.add(reader);
      readers.set(reader.centralId, watching);
      count += 1;
      return () => {
        if (!watching.delete(reader)) return;
        count -= 1;
        if (watching.size === 0 && readers.get(reader.centralId) === watching)
          readers.delete(reader.centralId);
      };
    },
    hear(onCommitted) {
      hearers.add(onCommitted);
      return () => void hearers.delete(onCommitted);
    },
    readers: () => count,
    async stop() {
      clearTimeout(timer);
      await Promise.all([positions.stop(), listening.stop()]);
      await flushing;
    },
  };
}

/** Each report of a driver is told once; nothing is asked of the database while nobody watches. */
function tellPositions(
  db: Database,
  clock: Clock,
  readers: ReadonlyMap<number, ReadonlySet<LiveReader>>,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  let told = new Map<string, Temporal.Instant>();
  let looking: Promise<void> | undefined;

  const look = async (): Promise<void> => {
    try {
      const since = clock.now().subtract(POSITION_AGE_MAX);
      const seen = await findPositionsSince(db, [...readers.keys()], since);
      const before = told;
      told = new Map(seen.map((one) => [keyOf(one), one.at]));
      const fresh = seen.filter((one) => !before.get(keyOf(one))?.equals(one.at));
      for (const [centralId, batch] of Map.groupBy(fresh, (one) => one.centralId))
        for (const reader of readers.get(centralId) ?? []) reader.onPositions(batch);
    } catch (error) {
      onError(error);
    } finally {
      looking = undefined;
    }
  };
  const interval = setInterval(() => {
    if (readers.size > 0) looking ??= look();
  }, POSITIONS_MS);
  interval.unref();
  return {
    async stop() {
      clearInterval(interval);
      await looking;
    },
  };
}

const keyOf = ({ centralId, driverId }: LivePosition): string => `${centralId} ${driverId}`;
