import { secondsBetween } from '../../platform/kernel/clock.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import {
  type Changed,
  findChangedBy,
  findChangedSince,
  findOlder,
  lockOutdated,
  markOlderIndexed,
} from './changeStore.ts';
import { findCustomersOf, findDocuments } from './documentStore.ts';
import {
  deleteEntries,
  insertProgress,
  lockProgress,
  markScanned,
  mergeWords,
  type Progress,
  restartProgress,
  upsertEntries,
} from './indexStore.ts';
import type { SearchNoun } from './lexemes.ts';

/** Rows of one transaction. */
const BATCH = 250;
const EVENTS_SCANNED_MAX = 2_000;
/** How much later than its time an event may become visible: longer than any statement takes. */
const LATE = { seconds: 60 };
/** Events are kept for at least a day. After a longer time without a check, some may have been deleted. */
const UNSEEN_SECONDS_MAX = 20 * 3_600;

/** Announcements that a process received about a central. */
export interface Hints {
  /** Announced events. */
  eventIds: readonly number[];
  /** Whether to query for events whose announcement was lost. */
  scans: boolean;
}

/** busy: another process works on it. more: there is more to do. older: only rows older than the index are left. */
export type Outcome = 'busy' | 'more' | 'older' | 'done';

/**
 * Indexes changes in a central, at most one batch of each kind, in one transaction. If the process dies, the next one
 * finds the same changes again.
 */
export async function indexBatch({ db, clock }: Deps, centralId: number, hints: Hints): Promise<Outcome> {
  const now = clock.now();
  return db.beginIndependent(async (tx) => {
    let progress = await lockProgress(tx, centralId);
    if (!progress) {
      await insertProgress(tx, centralId, now);
      progress = await lockProgress(tx, centralId);
      if (!progress) return 'busy';
    }
    const marked = await lockOutdated(tx, centralId, BATCH);
    const announced = hints.eventIds.length > 0 ? await findChangedBy(tx, centralId, hints.eventIds) : [];
    const seen = hints.scans ? await scan(tx, centralId, progress, now) : { changed: [], isWhole: true };
    await indexRows(tx, centralId, [...marked, ...announced, ...seen.changed]);
    if (marked.length === BATCH || !seen.isWhole) return 'more';
    return (await indexOlder(tx, centralId)) ? 'older' : 'done';
  });
}

/** Reads the events since the last check, a limited number at a time. */
async function scan(
  tx: Tx,
  centralId: number,
  { scannedUntil }: Progress,
  now: Temporal.Instant,
): Promise<{ changed: Changed[]; isWhole: boolean }> {
  if (secondsBetween(scannedUntil, now) > UNSEEN_SECONDS_MAX) await restartProgress(tx, centralId);
  // The clock may have been set back.
  const from = Temporal.Instant.compare(scannedUntil, now) < 0 ? scannedUntil : now;
  const { changed, next } = await findChangedSince(tx, centralId, from.subtract(LATE), EVENTS_SCANNED_MAX);
  // Continues after that time: otherwise EVENTS_SCANNED_MAX events with the same time would be read again for ever.
  const until = next ? next.add(LATE).add({ nanoseconds: 1_000 }) : now;
  await markScanned(tx, centralId, until);
  return { changed, isWhole: next === null };
}

async function indexOlder(tx: Tx, centralId: number): Promise<boolean> {
  const progress = (await lockProgress(tx, centralId))!;
  for (const [noun, below] of [
    ['delivery', progress.deliveriesBelow],
    ['scheduled', progress.scheduledBelow],
  ] as const) {
    if (below === 0) continue;
    const older = await findOlder(tx, centralId, noun, below, BATCH);
    await indexRows(
      tx,
      centralId,
      older.ids.map((id) => ({ noun, id })),
    );
    await markOlderIndexed(tx, centralId, noun, older.below);
    return true;
  }
  return false;
}

/** Indexes each row once. Deleted rows lose their entries. */
async function indexRows(tx: Tx, centralId: number, rows: readonly Changed[]): Promise<void> {
  const ids = new Map<SearchNoun, Set<number>>();
  const add = (noun: SearchNoun, id: number) => void ids.set(noun, (ids.get(noun) ?? new Set()).add(id));
  for (const { noun, id } of rows) add(noun, id);
  for (const noun of ['delivery', 'scheduled'] as const)
    if (ids.has(noun))
      for (const id of await findCustomersOf(tx, centralId, noun, [...ids.get(noun)!])) add('customer', id);
  for (const [noun, of] of ids) {
    const documents = await findDocuments(tx, centralId, noun, [...of]);
    await upsertEntries(tx, centralId, noun, documents);
    for (const { id } of documents) of.delete(id);
    await deleteEntries(tx, centralId, noun, [...of]);
  }
}

/** Indexes everything outdated in a central, regardless of announcements. */
export async function indexCentral(deps: Deps, centralId: number): Promise<void> {
  let outcome: Outcome = 'more';
  while (outcome !== 'done') outcome = await indexBatch(deps, centralId, { eventIds: [], scans: true });
  await mergeWords(deps.db);
}
