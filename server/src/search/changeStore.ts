import type { Tx } from '../postgres/database.ts';
import type { SearchNoun } from './lexemes.ts';

// Finds the rows to index.

export interface Changed {
  noun: SearchNoun;
  id: number;
}

/** The events that change the words of a request: its first one, and those that change its stops. */
const TELLING = `(sequence = 1 or type in ('delivery.changed', 'delivery.grouped', 'delivery.stop_removed',
  'scheduled.changed', 'scheduled.stop_removed'))`;

/** Requests with such events that are newer than their index entries. */
const notIndexed = (events: string): string => `
  select 'delivery' as noun, changed.id from (
    select delivery_id as id, max(sequence) as sequence from ${events}
    where delivery_id is not null and sequence is not null and ${TELLING} group by delivery_id) changed
  where not exists (
    select from search_entries e where e.central_id = $1 and e.noun = 'delivery' and e.id = changed.id
      and e.sequence >= changed.sequence)
  union all
  select 'scheduled', changed.id from (
    select scheduled_id as id, max(sequence) as sequence from ${events}
    where scheduled_id is not null and ${TELLING} group by scheduled_id) changed
  where not exists (
    select from search_entries e where e.central_id = $1 and e.noun = 'scheduled' and e.id = changed.id
      and e.sequence >= changed.sequence)`;

const BY_IDS = `
  with announced as materialized (
    select delivery_id, scheduled_id, sequence, type from events where central_id = $1 and id = any($2::bigint[]))
  ${notIndexed('announced')}`;

export const findChangedBy = (tx: Tx, centralId: number, eventIds: readonly number[]): Promise<Changed[]> =>
  tx.run<Changed>(BY_IDS, [centralId, eventIds]);

const SINCE = `
  with recent as materialized (
    select delivery_id, scheduled_id, sequence, type, occurred_at from events
    where central_id = $1 and occurred_at >= $2 order by occurred_at limit $3)
  select 'last' as noun, 0 as id, max(occurred_at) as last, count(*) as count from recent
  union all
  select noun, id, null, null from (${notIndexed('recent')}) changed`;

export interface ChangedSince {
  changed: Changed[];
  /** The time of the last event examined, if there are more. */
  next: Temporal.Instant | null;
}

/** The same for the first `limit` events since an instant. */
export async function findChangedSince(
  tx: Tx,
  centralId: number,
  since: Temporal.Instant,
  limit: number,
): Promise<ChangedSince> {
  interface Row {
    noun: SearchNoun | 'last';
    id: number;
    last: Temporal.Instant | null;
    count: number | null;
  }
  const rows = await tx.run<Row>(SINCE, [centralId, since, limit]);
  const last = rows.find(({ noun }) => noun === 'last');
  return {
    changed: rows.flatMap(({ noun, id }) => (noun === 'last' ? [] : [{ noun, id }])),
    next: last && last.count! >= limit ? last.last : null,
  };
}

/**
 * Locks entries that are marked as outdated. The locks are held while the rows are read, so that a change that commits
 * later marks the entry again.
 */
export const lockOutdated = (tx: Tx, centralId: number, limit: number): Promise<Changed[]> =>
  tx<Changed>`
    select noun, id from search_entries
    where central_id = ${centralId} and sequence < 0 order by noun, id limit ${limit} for update`;

export interface OlderRequests {
  /** Rows without an entry, or with an entry of an earlier event. */
  ids: number[];
  /** The next rows have smaller ids than this; 0: there are no more. */
  below: number;
}

/** Requests that may be older than the index, from the newest on. */
export async function findOlder(
  tx: Tx,
  centralId: number,
  noun: 'delivery' | 'scheduled',
  below: number,
  limit: number,
): Promise<OlderRequests> {
  const rows = await tx.run<{ id: number; isIndexed: boolean }>(
    `select r.id, exists (
       select from search_entries e where e.central_id = $1 and e.noun = $4 and e.id = r.id
         and (e.sequence < 0 or e.sequence >= r.event_sequence)) as "isIndexed"
     from ${noun === 'delivery' ? 'deliveries' : 'scheduled'} r
     where r.central_id = $1 and r.id < $2 order by r.id desc limit $3`,
    [centralId, below, limit, noun],
  );
  return {
    ids: rows.filter(({ isIndexed }) => !isIndexed).map(({ id }) => id),
    below: rows.length < limit ? 0 : rows.at(-1)!.id,
  };
}

export async function markOlderIndexed(
  tx: Tx,
  centralId: number,
  noun: 'delivery' | 'scheduled',
  below: number,
): Promise<void> {
  const column = noun === 'delivery' ? 'deliveries_below' : 'scheduled_below';
  await tx.run(`update search_progress set ${column} = $2 where central_id = $1`, [centralId, below]);
}

/** The requests whose entries contain these stops: a stop belongs to the entry of the order it came with. */
export async function findOrdersOfStops(
  tx: Tx,
  centralId: number,
  noun: 'delivery' | 'scheduled',
  carrierIds: readonly number[],
  stopIds: readonly number[],
): Promise<number[]> {
  const [stops, carrier] =
    noun === 'delivery' ? ['stops', 'delivery_id'] : ['scheduled_stops', 'scheduled_id'];
  const rows = await tx.run<{ ordered_with: number }>(
    `select distinct ordered_with from ${stops}
     where central_id = $1 and (id = any($3::bigint[]) or ${carrier} = any($2::bigint[]))`,
    [centralId, carrierIds, stopIds],
  );
  return rows.map((row) => row.ordered_with);
}

export interface Centrals {
  all: number[];
  /** Centrals that have rows to index according to the index itself. */
  due: number[];
}

/** Includes centrals that were not checked since `lookedBefore`, even without events. */
export async function findCentralsToIndex(tx: Tx, lookedBefore: Temporal.Instant): Promise<Centrals> {
  const centrals = await tx<{ id: number }>`select id from centrals order by id`;
  const known = await tx<{ central_id: number; is_due: boolean }>`
    select central_id, deliveries_below > 0 or scheduled_below > 0 or looked_until < ${lookedBefore} as is_due
    from search_progress`;
  const marked = await tx<{ central_id: number }>`
    select distinct central_id from search_entries where sequence < 0`;
  const upToDate = new Set(known.filter((row) => !row.is_due).map((row) => row.central_id));
  for (const row of marked) upToDate.delete(row.central_id);
  const all = centrals.map(({ id }) => id);
  return { all, due: all.filter((id) => !upToDate.has(id)) };
}

/** Those of the centrals with events since an instant. */
export async function findCentralsWithEvents(
  tx: Tx,
  centralIds: readonly number[],
  since: Temporal.Instant,
): Promise<number[]> {
  const rows = await tx<{ central_id: number }>`
    select distinct central_id from events
    where central_id = any(${centralIds}::bigint[]) and occurred_at >= ${since}`;
  return rows.map((row) => row.central_id);
}
