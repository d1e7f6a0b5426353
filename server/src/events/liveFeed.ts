import type { Clock } from '../kernel/clock.ts';
import { EVENTS_CHANNEL } from '../postgres/announceCommits.ts';
import type { Database } from '../postgres/database.ts';
import type { LivePosition } from './livePositionStore.ts';
import { tellPositions } from './livePositions.ts';
import type { LiveEvent } from './liveStore.ts';
import { type NewEvents, trackNewEvents } from './newEvents.ts';

/** Changes that come together are read and told together: at first soon, and with many readers less often. */
const BATCH_MS_MIN = 20;
const BATCH_MS_MAX = 150;
const READERS_PER_BATCH_MS = 10;
/** In case that nobody told us of a commit. */
const LOOK_MS = 1_000;

export interface LiveReader {
  centralId: number;
  /** All readers of a central are given the very same batch, so that what is made of it can be shared. */
  onEvents(batch: readonly LiveEvent[]): void;
  onPositions(batch: readonly LivePosition[]): void;
}

export interface LiveFeed {
  /** From when this resolves, nothing that is committed is missed. Returns the way to leave. */
  join(reader: LiveReader): Promise<() => void>;
  /** Calls back whenever there may be something to send to webhooks; returns the way to end that. */
  hear(onToSend: () => void): () => void;
  readers(): number;
  stop(): Promise<void>;
}

interface Watched {
  readers: Set<LiveReader>;
  news: Promise<NewEvents>;
  /** The look that is going on or waits for its moment. */
  looking: Promise<void> | undefined;
  lookAgain: boolean;
}

/**
 * Tells every reader in this process of every committed event of its central, whichever process made it. NOTIFY
 * says in which central something happened, and those that somebody is watching are looked at, for all their
 * readers at once. One that gets lost costs a second, not an event: see trackNewEvents.ts. Where drivers are is read
 * every few seconds from their own table, where the reports leave it without telling anybody.
 */
export async function openLiveFeed(
  { db, clock }: { db: Database; clock: Clock },
  onError: (error: unknown) => void,
): Promise<LiveFeed> {
  const watched = new Map<number, Watched>();
  const hearers = new Set<() => void>();
  let count = 0;
  let stopped = false;

  const batchMs = () => Math.min(BATCH_MS_MAX, BATCH_MS_MIN + count / READERS_PER_BATCH_MS);

  const lookSoon = (one: Watched): void => {
    if (one.looking) {
      one.lookAgain = true;
      return;
    }
    one.looking = look(one);
  };
  const look = async (one: Watched): Promise<void> => {
    do {
      await new Promise((resolve) => setTimeout(resolve, batchMs()));
      one.lookAgain = false;
      try {
        const batch = await (await one.news).look();
        if (batch.length > 0) for (const reader of one.readers) reader.onEvents(batch);
      } catch (error) {
        // The next look finds it all.
        if (!stopped) onError(error);
      }
    } while (one.lookAgain && one.readers.size > 0 && !stopped);
    one.looking = undefined;
  };
  const lookEverywhere = () => {
    for (const one of watched.values()) lookSoon(one);
  };

  const listening = await db.listen(
    EVENTS_CHANNEL,
    (payload) => {
      const [centralId, toSend] = payload.split(' ');
      if (toSend) for (const hearer of hearers) hearer();
      const one = watched.get(Number(centralId));
      if (one) lookSoon(one);
    },
    () => {
      for (const hearer of hearers) hearer();
      lookEverywhere();
    },
  );
  const interval = setInterval(lookEverywhere, LOOK_MS);
  interval.unref();
  const positions = tellPositions({ db, clock }, () => watched, onError);

  const leave = (reader: LiveReader): void => {
    const one = watched.get(reader.centralId);
    if (!one?.readers.delete(reader)) return;
    count -= 1;
    if (one.readers.size === 0) watched.delete(reader.centralId);
  };

  return {
    async join(reader) {
      const one: Watched = watched.get(reader.centralId) ?? {
        readers: new Set(),
        news: trackNewEvents(db, reader.centralId),
        looking: undefined,
        lookAgain: false,
      };
      watched.set(reader.centralId, one);
      one.readers.add(reader);
      count += 1;
      try {
        await one.news;
      } catch (error) {
        leave(reader);
        throw error;
      }
      return () => leave(reader);
    },
    hear(onToSend) {
      hearers.add(onToSend);
      return () => void hearers.delete(onToSend);
    },
    readers: () => count,
    async stop() {
      stopped = true;
      clearInterval(interval);
      await Promise.all([positions.stop(), listening.stop()]);
      await Promise.all([...watched.values()].flatMap(({ looking }) => looking ?? []));
    },
  };
}
