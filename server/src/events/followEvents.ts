import type { Deps } from '../postgres/deps.ts';
import type { LiveFeed, LiveReader } from './liveFeed.ts';
import { findEventsSince, type LiveEvent } from './liveStore.ts';

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
