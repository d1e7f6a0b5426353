import { bySequence, type FollowDeps } from './liveFeed.ts';
import { type EventCursor, findEventsAfter, type LiveEvent } from './liveStore.ts';

/** A transaction may commit after one that began later: events from this long before a place may appear after it. */
const LATE = { seconds: 60 };
const PAGE = 500;
/** How much later than a reading finds an event the live feed may announce it. */
const ANNOUNCED_MS = 120_000;

export interface LogReader {
  centralId: number;
  /** Oldest first. All readers of a central get the same objects of live events. */
  onEvents(batch: readonly LiveEvent[]): void;
  /** Resolves when more can be passed on; false when the reader has gone. */
  isReady(): Promise<boolean>;
}

/** The place from which a reader continues who knows the event at this place, and all before it that it was sent. */
export const continuedFrom = ({ at }: EventCursor): EventCursor => ({ at: at.subtract(LATE), id: 0 });

/**
 * Passes on all events after a place, if one is given, as fast as the reader takes them, and those committed from now on:
 * each once, and those of a subject in the order of its sequence. Each query reads one page, so that neither a long
 * history nor a slow reader holds much of the database or of the memory. Returns a function that ends it.
 */
export async function followLog(
  { db, live }: FollowDeps,
  after: EventCursor | undefined,
  reader: LogReader,
): Promise<() => void> {
  /** The events passed on whose successors may still appear before them. */
  const known = new Map<number, Temporal.Instant>();
  const isUnknown = ({ id }: LiveEvent) => !known.has(id);
  const pass = (events: readonly LiveEvent[]): void => {
    const unknown = events.filter(isUnknown);
    for (const { id, occurredAt } of unknown) known.set(id, occurredAt);
    if (unknown.length > 0) reader.onEvents(unknown);
  };
  const forgetBefore = (at: Temporal.Instant): void => {
    for (const [id, occurredAt] of known) if (Temporal.Instant.compare(occurredAt, at) < 0) known.delete(id);
  };
  /** Undefined: the reader has gone. */
  const readFrom = async (start: EventCursor): Promise<EventCursor | undefined> => {
    let cursor = start;
    for (;;) {
      const page = await findEventsAfter(db, reader.centralId, cursor, PAGE);
      const last = page.at(-1);
      if (last) cursor = { at: last.occurredAt, id: last.id };
      pass(bySequence(page));
      forgetBefore(continuedFrom(cursor).at);
      if (!(await reader.isReady())) return undefined;
      if (page.length < PAGE) return cursor;
    }
  };

  if (!after) return live.join({ ...reader, onPositions: () => undefined });
  const nearNow = await readFrom(after);
  if (!nearNow) return () => undefined;
  const meanwhile: LiveEvent[] = [];
  let upToDateAt: number | undefined;
  /** An event that was read may be announced a moment later. */
  const passLive = (batch: readonly LiveEvent[]): void => {
    if (upToDateAt === undefined) return void meanwhile.push(...batch);
    if (performance.now() - upToDateAt > ANNOUNCED_MS) known.clear();
    const unknown = known.size === 0 ? batch : batch.filter(isUnknown);
    if (unknown.length > 0) reader.onEvents(unknown);
  };
  const leave = await live.join({
    centralId: reader.centralId,
    onEvents: passLive,
    onPositions: () => undefined,
  });
  try {
    const late = continuedFrom(nearNow);
    // From here on every commit is either found by this reading or announced.
    await readFrom(Temporal.Instant.compare(late.at, after.at) < 0 ? after : late);
    upToDateAt = performance.now();
    pass(meanwhile);
    return leave;
  } catch (error) {
    leave();
    throw error;
  }
}
