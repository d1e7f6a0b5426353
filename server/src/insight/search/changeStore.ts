import { findCentralsWith } from '../../centrals/centralStore.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { type Sql, sql } from '../../platform/postgres/sql.ts';
import type { SearchNoun } from './lexemes.ts';

// Finds the deliveries and other records whose entries in the search index are missing or outdated.

export interface Changed {
  noun: SearchNoun;
  id: number;
}

/** The events that change the indexed words of a delivery: its first one, and those that change its stops. */
const CHANGES_WORDS = sql`(sequence = 1 or type in ('delivery.changed', 'delivery.grouped', 'delivery.stop_removed',
  'scheduled.changed', 'scheduled.stop_removed'))`;

/** Deliveries and scheduled deliveries with such an event in `events` that is newer than their index entry. */
const notIndexed = (centralId: number, events: Sql): Sql => sql`
  select 'delivery' as noun, changed.id from (
    select delivery_id as id, max(sequence) as sequence from ${events}
    where delivery_id is not null and sequence is not null and ${CHANGES_WORDS} group by delivery_id) changed
  where not exists (
    select from search_entries e where e.central_id = ${centralId} and e.noun = 'delivery' and e.id = changed.id
      and e.sequence >= changed.sequence)
  union all
  select 'scheduled', changed.id from (
    select scheduled_id as id, max(sequence) as sequence from ${events}
    where scheduled_id is not null and ${CHANGES_WORDS} group by scheduled_id) changed
  where not exists (
    select from search_entries e where e.central_id = ${centralId} and e.noun = 'scheduled' and e.id = changed.id
      and e.sequence >= changed.sequence)`;

export const findChangedBy = (tx: Tx, centralId: number, eventIds: readonly number[]): Promise<Changed[]> =>
  tx.rows<Changed>`
    with announced as materialized (
      select delivery_id, scheduled_id, sequence, type from events
      where central_id = ${centralId} and id = any(${eventIds}::bigint[]))
    ${notIndexed(centralId, sql`announced`)}`;

export interface ChangedSince {
  changed: Changed[];
  /** The time of the last event examined, if there are more. */
  next: Temporal.Instant | null;
}

/** Finds what the first `limit` events since an instant changed and the index does not have yet. */
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
  const rows = await tx.rows<Row>`
    with recent as materialized (
      select delivery_id, scheduled_id, sequence, type, occurred_at from events
      where central_id = ${centralId} and occurred_at >= ${since} order by occurred_at limit ${limit})
    select 'last' as noun, 0 as id, max(occurred_at) as last, count(*) as count from recent
    union all
    select noun, id, null, null from (${notIndexed(centralId, sql`recent`)}) changed`;
  const last = rows.find(({ noun }) => noun === 'last');
  return {
    changed: rows.flatMap(({ noun, id }) => (noun === 'last' ? [] : [{ noun, id }])),
    next: last && last.count! >= limit ? last.last : null,
  };
}

/**
 * Locks entries that are marked as outdated (their sequence is negative). The locks are held while the records are
 * read, so that a change that commits later marks the entry again.
 */
export const lockOutdated = (tx: Tx, centralId: number, limit: number): Promise<Changed[]> =>
  tx.rows<Changed>`
    select noun, id from search_entries
    where central_id = ${centralId} and sequence < 0 order by noun, id limit ${limit} for update`;

const TABLES = {
  delivery: {
    ...{ requests: sql`deliveries`, below: sql`deliveries_below` },
    ...{ stops: sql`stops`, carrier: sql`delivery_id` },
  },
  scheduled: {
    ...{ requests: sql`scheduled`, below: sql`scheduled_below` },
    ...{ stops: sql`scheduled_stops`, carrier: sql`scheduled_id` },
  },
};

export interface OlderRequests {
  /** Records without an entry, or whose entry is older than their last event. */
  ids: number[];
  /** The search continues with ids below this one. 0: there are no more records. */
  below: number;
}

/** Finds older deliveries that the index lacks, from the newest to the oldest. */
export async function findOlder(
  tx: Tx,
  centralId: number,
  noun: 'delivery' | 'scheduled',
  below: number,
  limit: number,
): Promise<OlderRequests> {
  const rows = await tx.rows<{ id: number; isIndexed: boolean }>`
    select r.id, exists (
      select from search_entries e where e.central_id = ${centralId} and e.noun = ${noun} and e.id = r.id
        and (e.sequence < 0 or e.sequence >= r.event_sequence)) as is_indexed
    from ${TABLES[noun].requests} r
    where r.central_id = ${centralId} and r.id < ${below} order by r.id desc limit ${limit}`;
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
  await tx.rows`update search_progress set ${TABLES[noun].below} = ${below} where central_id = ${centralId}`;
}

/** The deliveries whose entries contain these stops. A stop stays in the entry of the delivery it was ordered with. */
export async function findOrdersOfStops(
  tx: Tx,
  centralId: number,
  noun: 'delivery' | 'scheduled',
  carrierIds: readonly number[],
  stopIds: readonly number[],
): Promise<number[]> {
  const { stops, carrier } = TABLES[noun];
  const rows = await tx.rows<{ orderedWith: number }>`
    select distinct ordered_with from ${stops}
    where central_id = ${centralId}
      and (id = any(${stopIds}::bigint[]) or ${carrier} = any(${carrierIds}::bigint[]))`;
  return rows.map((row) => row.orderedWith);
}

export interface Centrals {
  all: number[];
  /** Centrals that have records to index, as the index itself shows. */
  due: number[];
}

/** Also returns as due the centrals that were last examined before `lookedBefore`. */
export async function findCentralsToIndex(tx: Tx, lookedBefore: Temporal.Instant): Promise<Centrals> {
  const centrals = await tx.rows<{ id: number }>`select id from centrals order by id`;
  const known = await tx.rows<{ centralId: number; isDue: boolean }>`
    select central_id, deliveries_below > 0 or scheduled_below > 0 or looked_until < ${lookedBefore} as is_due
    from search_progress`;
  const marked = await findCentralsWith(tx, sql`search_entries where sequence < 0`);
  const upToDate = new Set(known.filter((row) => !row.isDue).map((row) => row.centralId));
  for (const centralId of marked) upToDate.delete(centralId);
  const all = centrals.map(({ id }) => id);
  return { all, due: all.filter((id) => !upToDate.has(id)) };
}

/** The centrals among `centralIds` that have events since an instant. */
export const findCentralsWithEvents = (
  tx: Tx,
  centralIds: readonly number[],
  since: Temporal.Instant,
): Promise<number[]> =>
  findCentralsWith(
    tx,
    sql`events where central_id = any(${centralIds}::bigint[]) and occurred_at >= ${since}`,
  );
