import type { Database } from '../postgres/database.ts';
import { findEvents, type LiveEvent } from './liveStore.ts';

const BATCH_MS = 20;

export interface LiveReader {
  centralId: number;
  onEvent(event: LiveEvent): void;
  /** Events may have been missed: the reader should look at everything again. */
  onGap(): void;
}

export interface LiveFeed {
  /** Returns the way to leave. */
  join(reader: LiveReader): () => void;
  readers(): number;
  stop(): Promise<void>;
}

/**
 * Tells every reader in this process of every committed event of its central, whichever process made it:
 * NOTIFY brings the ids, and those of centrals that somebody is watching are read, in small batches.
 * `onNotified` hears of each one, watched or not.
 */
export async function openLiveFeed(
  db: Database,
  { onNotified, onError }: { onNotified: () => void; onError: (error: unknown) => void },
): Promise<LiveFeed> {
  const readers = new Map<number, Set<LiveReader>>();
  const waiting = new Map<number, number[]>();
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();

  const tell = async (centralId: number, ids: number[]): Promise<void> => {
    try {
      for (const event of await findEvents(db, centralId, ids))
        for (const reader of readers.get(centralId) ?? []) reader.onEvent(event);
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

  const listening = await db.listen(
    'malote_events',
    (payload) => {
      onNotified();
      const [centralId = 0, id = 0] = payload.split(' ').map(Number);
      if (!readers.has(centralId)) return;
      const ids = waiting.get(centralId);
      if (ids) ids.push(id);
      else waiting.set(centralId, [id]);
      timer ??= setTimeout(flush, BATCH_MS);
    },
    () => {
      for (const reader of [...readers.values()].flatMap((set) => [...set])) reader.onGap();
    },
  );

  return {
    join(reader) {
      const watching = readers.get(reader.centralId) ?? new Set();
      watching.add(reader);
      readers.set(reader.centralId, watching);
      return () => {
        watching.delete(reader);
        if (watching.size === 0 && readers.get(reader.centralId) === watching)
          readers.delete(reader.centralId);
      };
    },
    readers: () => [...readers.values()].reduce((sum, set) => sum + set.size, 0),
    async stop() {
      clearTimeout(timer);
      await listening.stop();
      await flushing;
    },
  };
}
