import { type Clock, clockOf } from '../../platform/kernel/clock.ts';
import { forEachIsolated, startRounds } from '../../platform/kernel/rounds.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { EVENTS_CHANNEL, parseAnnouncement } from '../../platform/postgres/listen.ts';
import {
  findEvents,
  findEventsSince,
  findIdsSince,
  findPositionsSince,
  type LiveEvent,
  type LivePosition,
} from './liveStore.ts';
import { parseSilentChange, type SilentChange } from './silentChange.ts';

/** Changes are read and passed on in batches. The pause between batches grows with the number of readers. */
const BATCH_MS_MIN = 20;
const BATCH_MS_MAX = 150;
const READERS_PER_BATCH_MS = 10;
/** The interval of the query that finds commits whose notification was lost. */
const POLL_MS = 1_000;

export interface LiveReader {
  centralId: number;
  /** All readers of a central get the same batch object, so that results computed from it can be shared. */
  onEvents(batch: readonly LiveEvent[]): void;
  onPositions(batch: readonly LivePosition[]): void;
  onSilentChange?(change: SilentChange): void;
}

export interface LiveFeed {
  /** Once this resolves, no later commit is missed. Returns a function that leaves the feed. */
  join(reader: LiveReader): Promise<() => void>;
  /**
   * Calls back whenever there may be something to send to webhooks, in one central or, without an id, in any. Returns
   * a function that unsubscribes.
   */
  hear(onToSend: (centralId?: number) => void): () => void;
  /**
   * Calls back with the ids of the events committed in a central, and without arguments when some may have been
   * missed. Returns a function that unsubscribes.
   */
  hearCommits(onCommit: (centralId?: number, eventIds?: readonly number[]) => void): () => void;
  readers(): number;
  stop(): Promise<void>;
}

interface Watched {
  readers: Set<LiveReader>;
  newEvents: Promise<NewEvents>;
  /** The query that is running or waits for its batch interval. */
  reading: Promise<void> | undefined;
  /** The announced events to query next; undefined to query everything. */
  announced: number[] | undefined;
  readAgain: boolean;
}

/**
 * Passes every committed event of a central to every reader of the central in this process, whichever process made it.
 * NOTIFY announces the central and the events, which are read once for all readers of the central. A lost notification
 * delays an event by a second (trackNewEvents). Positions of drivers are read every few seconds from their own table,
 * because position reports record no events.
 */
export async function openLiveFeed(
  { db, clock }: { db: Database; clock: Clock },
  onError: (error: unknown) => void,
): Promise<LiveFeed> {
  const watched = new Map<number, Watched>();
  const listeners = new Set<(centralId?: number) => void>();
  const commitListeners = new Set<(centralId?: number, eventIds?: readonly number[]) => void>();
  let count = 0;
  let stopped = false;

  const batchMs = () => Math.min(BATCH_MS_MAX, BATCH_MS_MIN + count / READERS_PER_BATCH_MS);

  const readSoon = (central: Watched, eventIds?: readonly number[]): void => {
    central.readAgain = true;
    if (eventIds) central.announced?.push(...eventIds);
    else central.announced = undefined;
    central.reading ??= read(central);
  };
  const read = async (central: Watched): Promise<void> => {
    do {
      await new Promise((resolve) => setTimeout(resolve, batchMs()));
      const { announced } = central;
      central.readAgain = false;
      central.announced = [];
      try {
        const batch = await (await central.newEvents).read(announced);
        if (batch.length > 0) for (const reader of central.readers) reader.onEvents(batch);
      } catch (error) {
        // The next query finds these events too.
        if (!stopped) onError(error);
      }
    } while (central.readAgain && central.readers.size > 0 && !stopped);
    central.reading = undefined;
  };
  const readEverywhere = () => {
    for (const central of watched.values()) readSoon(central);
  };

  const listening = await db.listen(
    EVENTS_CHANNEL,
    (payload) => {
      const change = parseSilentChange(payload);
      if (change)
        for (const reader of watched.get(change.centralId)?.readers ?? []) reader.onSilentChange?.(change);
      const announcement = parseAnnouncement(payload);
      if (!announcement) return;
      if (announcement.toSend) for (const listener of listeners) listener(announcement.centralId);
      for (const listener of commitListeners) listener(announcement.centralId, announcement.eventIds);
      const central = watched.get(announcement.centralId);
      if (central && announcement.eventIds.length > 0) readSoon(central, announcement.eventIds);
    },
    () => {
      for (const listener of listeners) listener();
      for (const listener of commitListeners) listener();
      readEverywhere();
    },
  );
  const polling = startRounds({ everyMs: POLL_MS, round: async () => readEverywhere(), onError });
  const positions = startRounds({
    everyMs: POSITIONS_POLL_MS,
    round: positionRound({ db, clock }, watched),
    onError,
  });

  const leave = (reader: LiveReader): void => {
    const central = watched.get(reader.centralId);
    if (!central?.readers.delete(reader)) return;
    count -= 1;
    if (central.readers.size === 0) watched.delete(reader.centralId);
  };

  return {
    async join(reader) {
      const central: Watched = watched.get(reader.centralId) ?? {
        readers: new Set(),
        newEvents: trackNewEvents({ db, clock }, reader.centralId),
        reading: undefined,
        announced: [],
        readAgain: false,
      };
      watched.set(reader.centralId, central);
      central.readers.add(reader);
      count += 1;
      try {
        await central.newEvents;
      } catch (error) {
        leave(reader);
        throw error;
      }
      return () => leave(reader);
    },
    hear(onToSend) {
      listeners.add(onToSend);
      return () => void listeners.delete(onToSend);
    },
    hearCommits(onCommit) {
      commitListeners.add(onCommit);
      return () => void commitListeners.delete(onCommit);
    },
    readers: () => count,
    async stop() {
      stopped = true;
      await Promise.all([polling.stop(), positions.stop(), listening.stop()]);
      await Promise.all([...watched.values()].flatMap(({ reading }) => reading ?? []));
    },
  };
}

/** An event that becomes visible later than this after it happened is found only if it is announced. */
const WINDOW = { seconds: 60 };
/** Longer than the window, so that no event is passed on twice. */
const KNOWN_KEPT_MS = 120_000;

interface NewEvents {
  /**
   * The events committed since the last call, each once, in an order that agrees with the sequence of each delivery.
   * With ids, only those events and the ones before them in the same delivery.
   */
  read(announced?: readonly number[]): Promise<LiveEvent[]>;
}

/**
 * Finds the new events of one central, from now on.
 *
 * The order of ids and times is not that of the commits, so there is no cursor. Commits are announced with the ids of
 * their events; one whose announcement was lost is found among all ids of the last minute.
 */
export async function trackNewEvents({ db, clock }: Deps, centralId: number): Promise<NewEvents> {
  const since = () => clockOf(clock, centralId).now().subtract(WINDOW);
  const known = new Map<number, number>();
  const note = (ids: readonly number[]) => {
    const now = performance.now();
    for (const id of ids) known.set(id, now);
  };
  // Ids are kept in the order in which they became known.
  const forgetOld = () => {
    const oldest = performance.now() - KNOWN_KEPT_MS;
    for (const [id, at] of known) {
      if (at > oldest) return;
      known.delete(id);
    }
  };
  note(await findIdsSince(db, centralId, since()));

  return {
    async read(announced) {
      const ids = announced ?? (await findIdsSince(db, centralId, since()));
      const unknown = ids.filter((id) => !known.has(id));
      if (unknown.length === 0) return [];
      const found = await findEvents(db, centralId, unknown, since());
      const events = found.filter(({ id }) => !known.has(id));
      // An announced event that is not visible yet is found later; events that are not for live feeds are never found.
      note(announced ? [] : unknown);
      note(events.map(({ id }) => id));
      forgetOld();
      return bySequence(events);
    },
  };
}

/**
 * Sorts by time. The events of one delivery keep the places that they have together, in the order of their sequence.
 */
export function bySequence(events: readonly LiveEvent[]): LiveEvent[] {
  const byTime = events.toSorted(
    (event, other) => Temporal.Instant.compare(event.occurredAt, other.occurredAt) || event.id - other.id,
  );
  const bySubject = Map.groupBy(byTime, subjectOf);
  for (const ofSubject of bySubject.values())
    ofSubject.sort((each, other) => (each.sequence ?? 0) - (other.sequence ?? 0));
  return byTime.map((event) => bySubject.get(subjectOf(event))!.shift()!);
}

/** The subject whose events share a sequence, as in the database function fan_out_events. */
function subjectOf(event: LiveEvent): string {
  if (event.type === 'webhook.test') return `test ${event.id}`;
  if (event.deliveryId !== null) return `delivery ${event.deliveryId}`;
  if (event.scheduledId !== null) return `scheduled ${event.scheduledId}`;
  if (event.type === 'driver.entry') return `account ${event.payload.driverId}`;
  if (event.type === 'driver.availability' || event.type === 'driver.help')
    return `driver ${event.payload.driverId}`;
  return `company ${event.companyId}`;
}

const POSITIONS_POLL_MS = 3_000;
const CENTRALS_AT_ONCE = 2;
/** Older positions are outdated and are not passed on. */
const AGE_MAX = { seconds: 15 };

/** Passes each position report of a driver on once. Queries the database only while there are readers. */
function positionRound(
  { db, clock }: Deps,
  watched: ReadonlyMap<number, { readers: ReadonlySet<LiveReader> }>,
): () => Promise<void> {
  /** When each driver of a watched central was last seen. */
  let passedOn = new Map<number, Map<number, Temporal.Instant>>();
  return async () => {
    const before = passedOn;
    passedOn = new Map();
    await forEachIsolated(
      [...watched.keys()],
      async (centralId) => {
        const seen = await findPositionsSince(
          db,
          centralId,
          clockOf(clock, centralId).now().subtract(AGE_MAX),
        );
        passedOn.set(centralId, new Map(seen.map(({ driverId, at }) => [driverId, at])));
        const fresh = seen.filter(({ driverId, at }) => !before.get(centralId)?.get(driverId)?.equals(at));
        if (fresh.length === 0) return;
        for (const reader of watched.get(centralId)?.readers ?? []) reader.onPositions(fresh);
      },
      CENTRALS_AT_ONCE,
    );
  };
}

/** A reader that missed more than this must read everything again. */
const MISSED_MAX = 1_000;

export interface FollowDeps extends Deps {
  live: LiveFeed;
}

/**
 * Joins the feed. The reader first gets all events since the last one it knows, or `onGap` if these are too many.
 * Events committed meanwhile follow, each once. Returns a function that leaves the feed.
 */
export async function followEvents(
  { db, live }: FollowDeps,
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
    const missed = await findEventsSince(db, reader.centralId, lastId, MISSED_MAX);
    if (!missed) reader.onGap();
    else if (missed.length > 0) reader.onEvents(bySequence(missed));
    const sent = new Set(missed?.map(({ id }) => id));
    const rest = meanwhile.filter(({ id }) => !sent.has(id));
    isUpToDate = true;
    if (rest.length > 0) reader.onEvents(rest);
    return leave;
  } catch (error) {
    leave();
    throw error;
  }
}
