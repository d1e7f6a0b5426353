import type { Clock } from '../kernel/clock.ts';
import type { Database, Tx } from '../postgres/database.ts';
import type { Deps } from '../postgres/deps.ts';
import { EVENTS_CHANNEL } from '../postgres/listen.ts';
import {
  findEventsSince,
  findNewEvents,
  findNewestIds,
  findPositionsSince,
  type LiveEvent,
  type LivePosition,
} from './liveStore.ts';

/** Changes that come together are read and told together: at first soon, and with many readers less often. */
const BATCH_MS_MIN = 20;
const BATCH_MS_MAX = 150;
const READERS_PER_BATCH_MS = 10;
/** In case that nobody told us of a commit. */
const LOOK_MS = 1_000;

interface LiveReader {
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

/** A transaction that commits later than this after it took its ids is not waited for. */
const MISSING_KEPT_MS = 60_000;
const MISSING_MAX = 1_000;
const AT_ONCE = 1_000;

interface NewEvents {
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

const POSITIONS_LOOK_MS = 3_000;
/** An older one tells nobody where the driver is. */
const AGE_MAX = { seconds: 15 };

/** Each report of a driver is told once; nothing is asked of the database while nobody watches. */
function tellPositions(
  { db, clock }: Deps,
  watched: () => ReadonlyMap<number, { readers: ReadonlySet<LiveReader> }>,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  let told = new Map<string, Temporal.Instant>();
  let looking: Promise<void> | undefined;

  const look = async (): Promise<void> => {
    try {
      const seen = await findPositionsSince(db, [...watched().keys()], clock.now().subtract(AGE_MAX));
      const before = told;
      told = new Map(seen.map((one) => [keyOf(one), one.at]));
      const fresh = seen.filter((one) => !before.get(keyOf(one))?.equals(one.at));
      for (const [centralId, batch] of Map.groupBy(fresh, (one) => one.centralId))
        for (const reader of watched().get(centralId)?.readers ?? []) reader.onPositions(batch);
    } catch (error) {
      onError(error);
    } finally {
      looking = undefined;
    }
  };
  const interval = setInterval(() => {
    if (watched().size > 0) looking ??= look();
  }, POSITIONS_LOOK_MS);
  interval.unref();
  return {
    async stop() {
      clearInterval(interval);
      await looking;
    },
  };
}

const keyOf = ({ centralId, driverId }: LivePosition): string => `${centralId} ${driverId}`;

/** One who missed more than this had better look at everything again. */
const MISSED_MAX = 1_000;

export interface FollowDeps extends Deps {
  live: LiveFeed;
}

/**
 * Joins the feed and first brings the reader up to date with all that it missed since the event it knows last,
 * or says that this is too much. What is committed meanwhile comes after that, once. Returns the way to leave.
 */
export async function followEvents(
  { db, clock, live }: FollowDeps,
  lastId: number | undefined,
  reader: LiveReader & { onGap(): void },
): Promise<() => void> {
  if (lastId === undefined) return live.join(reader);
  const meanwhile: LiveEvent[] = [];
  let isUpToDate = false;
  const leave = await live.join({
    ...reader,
    onEvents: (batch) => (isUpToDate ? reader.onEvents(batch) : void meanwhile.push(...batch)),
  });
  try {
    const missed = await findEventsSince(db, reader.centralId, lastId, clock.now(), MISSED_MAX + 1);
    const tooMany = missed.length > MISSED_MAX;
    if (tooMany) reader.onGap();
    else if (missed.length > 0) reader.onEvents(missed);
    const told = new Set(tooMany ? [] : missed.map(({ id }) => id));
    const rest = meanwhile.filter(({ id }) => !told.has(id));
    isUpToDate = true;
    if (rest.length > 0) reader.onEvents(rest);
    return leave;
  } catch (error) {
    leave();
    throw error;
  }
}
