import { setTimeout as sleep } from 'node:timers/promises';
import type { LiveFeed } from '../../events/record/liveFeed.ts';
import { startRounds, workPerCentral } from '../../platform/kernel/rounds.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { limitConnections } from '../../platform/postgres/limitConnections.ts';
import { findCentralsToIndex, findCentralsWithEvents } from './changeStore.ts';
import { indexBatch } from './indexCentral.ts';
import { mergeWords } from './indexStore.ts';

const CONNECTIONS_MAX = 2;
/** Announcements within this time are indexed together. */
const BATCH_MS = 150;
/** The longer interval used when events come faster than they are indexed. */
const GATHER_MS = 1_000;
/** The words of entries written within this time are merged into the index together. */
const MERGE_MS = 1_000;
/** How often all centrals are checked for changes without an announcement. */
const SCAN_MS = 60_000;
/** Longer than SCAN_MS, for centrals with commits that were not announced. */
const RECENT = { seconds: 180 };
const QUIET = { hours: 12 };
/** The first check covers everything that an ended process may have left. */
const FIRST = { hours: 24 };
/** Beyond this number of announced events, they are found by a query. */
const EVENTS_MAX = 5_000;
/** The pause while another process, which got the same announcements, works on the central. */
const BUSY_MS = 1_000;
/** Indexing of older rows pauses as long as it works, so that it takes half a processor at most. */
const OLDER_SHARE = 1;

interface Waiting {
  eventIds: number[];
  scans: boolean;
}

export interface RunningIndexing {
  stop(): Promise<void>;
}

/**
 * Indexes searchable rows until it is stopped: announced commits of any process at once, and changes without an
 * announcement by periodic checks. Any number of processes may run it; one at a time works on a central.
 */
export function startIndexing(
  deps: Deps & { live: LiveFeed },
  onError: (error: unknown) => void,
): RunningIndexing {
  const { clock } = deps;
  const db = limitConnections(deps.db, CONNECTIONS_MAX);
  const stopping = new AbortController();
  const { signal } = stopping;
  const waiting = new Map<number, Waiting>();
  /** The centrals added since the last round. */
  let added = new Set<number>();
  let askedAt = Number.NEGATIVE_INFINITY;
  let isFirst = true;

  const add = (centralId: number, eventIds: readonly number[], scans = false): void => {
    const known = waiting.get(centralId) ?? { eventIds: [], scans: false };
    waiting.set(centralId, known);
    added.add(centralId);
    known.eventIds.push(...eventIds);
    known.scans ||= scans;
    if (known.eventIds.length > EVENTS_MAX) Object.assign(known, { eventIds: [], scans: true });
  };

  const indexIn = async (centralId: number): Promise<void> => {
    while (!signal.aborted) {
      const hints = waiting.get(centralId) ?? { eventIds: [], scans: false };
      waiting.delete(centralId);
      const begun = performance.now();
      const outcome = await indexBatch({ db, clock }, centralId, hints).catch((error) => {
        add(centralId, [], true);
        throw error;
      });
      merging.wake();
      if (outcome === 'busy') {
        await pause(BUSY_MS, signal);
        // Not earlier, because a round skips a central that is being worked on.
        add(centralId, hints.eventIds, hints.scans);
        return rounds.wake();
      }
      if (outcome === 'more') add(centralId, [], hints.scans);
      if (outcome === 'older') await pause((performance.now() - begun) * OLDER_SHARE, signal);
      if (outcome !== 'done') continue;
      if (!waiting.has(centralId)) return;
      await pause(GATHER_MS, signal);
    }
  };
  const work = workPerCentral(indexIn, onError, { isCrowded: db.isCrowded });

  const ask = async (): Promise<void> => {
    if (performance.now() - askedAt < SCAN_MS) return;
    askedAt = performance.now();
    const now = clock.now();
    const { all, due } = await findCentralsToIndex(db, now.subtract(QUIET));
    const recent = await findCentralsWithEvents(db, all, now.subtract(isFirst ? FIRST : RECENT));
    isFirst = false;
    for (const centralId of [...due, ...recent]) add(centralId, [], true);
  };

  const rounds = startRounds({
    everyMs: SCAN_MS,
    async round() {
      await ask();
      // Not awaited, so that a central with much to index does not delay others.
      const begun = added;
      added = new Set();
      void work.begin(begun);
    },
    onError,
    beginsAtOnce: true,
    pauseMsMin: BATCH_MS,
  });
  const merging = startRounds({
    everyMs: SCAN_MS,
    round: () => mergeWords(db),
    onError,
    pauseMsMin: MERGE_MS,
  });
  const stopListening = deps.live.hearCommits((centralId, eventIds = []) => {
    if (centralId === undefined) askedAt = Number.NEGATIVE_INFINITY;
    else add(centralId, eventIds);
    rounds.wake();
  });

  return {
    async stop() {
      stopListening();
      stopping.abort();
      await rounds.stop();
      await work.end();
      await merging.stop();
    },
  };
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
