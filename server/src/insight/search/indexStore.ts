import { variantsOf, wordKey } from '../../geo/geocoding/embedded/wordKey.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { type Sql, sql } from '../../platform/postgres/sql.ts';
import { bucketOf, type SearchNoun, variantPrefix, vectorOf } from './lexemes.ts';
import { type SearchDocument, wordsOfDocument } from './searchDocuments.ts';

/*
 * Writes the index. Every function that changes entries or words of a central is called under the lock of the central's
 * row in search_progress, so a word is never deleted while an entry with it is added. Changes of registers only mark
 * entries (mark_search_outdated in the migration) and wait only for the lock of the entry.
 */

export interface Progress {
  scannedUntil: Temporal.Instant;
  deliveriesBelow: number;
  scheduledBelow: number;
}

const progressOf = (centralId: number): Sql => sql`
  select looked_until as scanned_until, deliveries_below, scheduled_below from search_progress
  where central_id = ${centralId}`;

/** Undefined when another process works on the central, or when the central is new. */
export const lockProgress = (tx: Tx, centralId: number): Promise<Progress | undefined> =>
  tx.row<Progress>`${progressOf(centralId)} for update skip locked`;

/**
 * Waits for the lock, for work that must not be postponed. If nothing is indexed yet, the row is inserted: a process
 * that begins to index at the same time inserts it too, and one of the two waits for the other.
 */
export async function awaitProgress(tx: Tx, centralId: number, now: Temporal.Instant): Promise<void> {
  const lock = () => tx.rows`${progressOf(centralId)} for update`;
  if ((await lock()).length > 0) return;
  await insertProgress(tx, centralId, now);
  await lock();
}

/** Begins to index a central with all of its existing rows. Does nothing if that has begun. */
export async function insertProgress(tx: Tx, centralId: number, now: Temporal.Instant): Promise<void> {
  const begun = await tx.rows`
    insert into search_progress (central_id, looked_until, deliveries_below, scheduled_below)
    select ${centralId}::bigint, ${now}::timestamptz, coalesce(delivery.below, 0), coalesce(scheduled.below, 0)
    from (select max(id) + 1 as below from deliveries where central_id = ${centralId}) delivery
    cross join (select max(id) + 1 as below from scheduled where central_id = ${centralId}) scheduled
    on conflict do nothing returning central_id`;
  if (begun.length === 0) return;
  await tx.rows`
    insert into search_entries (central_id, noun, id, words, sequence)
    select central_id, 'company', id, ''::tsvector, -1 from companies where central_id = ${centralId}
    union all
    select central_id, 'driver', id, ''::tsvector, -1 from drivers where central_id = ${centralId}
    on conflict do nothing`;
}

/** Checks all rows again, because changes may have been missed. Entries of the latest event stay unchanged. */
export async function restartProgress(tx: Tx, centralId: number): Promise<void> {
  await tx.rows`
    update search_progress set
      deliveries_below = coalesce((select max(id) + 1 from deliveries where central_id = ${centralId}), 0),
      scheduled_below = coalesce((select max(id) + 1 from scheduled where central_id = ${centralId}), 0)
    where central_id = ${centralId}`;
}

export async function markScanned(tx: Tx, centralId: number, until: Temporal.Instant): Promise<void> {
  await tx.rows`update search_progress set looked_until = ${until} where central_id = ${centralId}`;
}

/** Adds or replaces the entries of documents. */
export async function upsertEntries(
  tx: Tx,
  centralId: number,
  noun: SearchNoun,
  documents: readonly SearchDocument[],
): Promise<void> {
  if (documents.length === 0) return;
  const entries = documents.map((document) => ({ document, words: wordsOfDocument(document) }));
  const buckets = new Map<string, Set<number>>();
  for (const { document, words } of entries)
    for (const { kind, text } of words) {
      if (kind !== 'word') continue;
      const known = buckets.get(text) ?? new Set();
      buckets.set(text, known.add(bucketOf(document.id)));
    }
  await addWords(tx, centralId, noun, buckets);
  const vectors = entries.map(({ document, words }) => vectorOf(centralId, noun, document.id, words));
  await tx.rows`
    insert into search_entries (central_id, noun, id, words, sequence)
    select ${centralId}::bigint, ${noun}::text, id, words::tsvector, sequence
    from unnest(${documents.map(({ id }) => id)}::bigint[], ${vectors}::text[],
      ${documents.map(({ sequence }) => sequence)}::integer[]) as entry (id, words, sequence)
    on conflict (central_id, noun, id) do update set words = excluded.words, sequence = excluded.sequence`;
}

/** Merges the words of new entries from the pending list, which every search reads, into the index. */
export async function mergeWords(db: Tx): Promise<void> {
  await db.rows`select merge_search_words()`;
}

/** Writes only words that are new, or new in a bucket; in a usual batch these are few. */
async function addWords(
  tx: Tx,
  centralId: number,
  noun: SearchNoun,
  words: ReadonlyMap<string, ReadonlySet<number>>,
): Promise<void> {
  const pairs = [...words].flatMap(([word, buckets]) => [...buckets].map((bucket) => ({ word, bucket })));
  const missing = await tx.rows<{ word: string; bucket: number }>`
    select pair.word, pair.bucket
    from unnest(${pairs.map(({ word }) => word)}::text[], ${pairs.map(({ bucket }) => bucket)}::integer[])
      as pair (word, bucket)
    left join search_words known
      on known.central_id = ${centralId} and known.noun = ${noun} and known.word = pair.word
    where known.word is null or not known.buckets @> pair.bucket`;
  if (missing.length === 0) return;
  const prefix = variantPrefix(centralId, noun);
  const rows = [...Map.groupBy(missing, ({ word }) => word)].map(([word, of]) => {
    const sound = wordKey(word);
    return {
      word,
      sound,
      variants: /^[a-z]+$/.test(word) ? variantsOf(sound).map((variant) => prefix + variant) : [],
      buckets: `{${of.map(({ bucket }) => `[${bucket},${bucket}]`).join()}}`,
    };
  });
  await tx.rows`
    insert into search_words (central_id, noun, word, sound, variants, buckets)
    select ${centralId}::bigint, ${noun}::text, word, sound, variants, buckets::int4multirange
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as new (word text, sound text, variants text[], buckets text)
    on conflict (central_id, noun, word) do update set buckets = search_words.buckets + excluded.buckets`;
}

export async function deleteEntries(
  tx: Tx,
  centralId: number,
  noun: SearchNoun,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  await tx.rows`
    delete from search_entries where central_id = ${centralId} and noun = ${noun} and id = any(${ids}::bigint[])`;
}

/** Empties entries and marks them to be indexed again from the remaining data. Returns their former words. */
export async function emptyEntries(
  tx: Tx,
  centralId: number,
  noun: SearchNoun,
  ids: readonly number[],
): Promise<string[]> {
  const rows = await tx.rows<{ lexeme: string }>`
    with old as materialized (
      select id, words from search_entries
      where central_id = ${centralId} and noun = ${noun} and id = any(${ids}::bigint[]) order by id for update),
    emptied as (
      update search_entries set words = '', sequence = -1
      where central_id = ${centralId} and noun = ${noun} and id in (select id from old))
    select distinct lexeme from old cross join unnest(tsvector_to_array(old.words)) as each (lexeme)`;
  return rows.map(({ lexeme }) => lexeme);
}

/** A word in more buckets is too common to identify a person. */
const RARE_BUCKETS_MAX = 8;

/** The rare words among the given ones, with their buckets. */
export const findRareWords = (
  tx: Tx,
  centralId: number,
  noun: SearchNoun,
  words: readonly string[],
): Promise<{ word: string; buckets: number[] }[]> =>
  tx.rows`
    select word, array(
      select generate_series(lower(range), upper(range) - 1) from unnest(buckets) as each (range)) as buckets
    from search_words
    where central_id = ${centralId} and noun = ${noun} and word = any(${words}::text[])
      and (select coalesce(sum(upper(range) - lower(range)), 0)
        from unnest(buckets) as each (range)) <= ${RARE_BUCKETS_MAX}::integer`;

/** Deletes words that no entry contains any more; each is given with the query that finds its entries. */
export async function deleteUnusedWords(
  tx: Tx,
  centralId: number,
  noun: SearchNoun,
  words: readonly { word: string; query: string }[],
): Promise<void> {
  if (words.length === 0) return;
  await tx.rows`
    delete from search_words where central_id = ${centralId} and noun = ${noun} and word in (
      select word
      from unnest(${words.map(({ word }) => word)}::text[], ${words.map(({ query }) => query)}::text[])
        as rare (word, query)
      where not exists (
        select from search_entries e
        where e.central_id = ${centralId} and e.noun = ${noun} and e.words @@ rare.query::tsquery))`;
}
