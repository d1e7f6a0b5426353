import { variantsOf, wordKey } from '../geocoding/embedded/wordKey.ts';
import type { Tx } from '../postgres/database.ts';
import { type SearchDocument, wordsOfDocument } from './documents.ts';
import { bucketOf, type SearchNoun, variantPrefix, vectorOf } from './lexemes.ts';

/*
 * Writes the index. Every function that changes entries or words of a central is called under the lock of the central's
 * row in search_progress, so a word is never deleted while an entry with it is added. Changes of registers only mark
 * entries (mark_search_outdated in the migration) and wait only for the lock of the entry.
 */

export interface Progress {
  lookedUntil: Temporal.Instant;
  deliveriesBelow: number;
  scheduledBelow: number;
}

const PROGRESS = `select looked_until as "lookedUntil", deliveries_below as "deliveriesBelow",
  scheduled_below as "scheduledBelow" from search_progress where central_id = $1`;

/** Undefined when another process works on the central, or when the central is new. */
export async function lockProgress(tx: Tx, centralId: number): Promise<Progress | undefined> {
  const [row] = await tx.run<Progress>(`${PROGRESS} for update skip locked`, [centralId]);
  return row;
}

/**
 * Waits for the lock, for work that must not be postponed. If nothing is indexed yet, the row is inserted: a process
 * that begins to index at the same time inserts it too, and one of the two waits for the other.
 */
export async function awaitProgress(tx: Tx, centralId: number, now: Temporal.Instant): Promise<void> {
  const lock = () => tx.run(`${PROGRESS} for update`, [centralId]);
  if ((await lock()).length > 0) return;
  await insertProgress(tx, centralId, now);
  await lock();
}

/** Begins to index a central with all of its existing rows. Does nothing if that has begun. */
export async function insertProgress(tx: Tx, centralId: number, now: Temporal.Instant): Promise<void> {
  const begun = await tx.run(
    `insert into search_progress (central_id, looked_until, deliveries_below, scheduled_below)
     select $1::bigint, $2::timestamptz, coalesce(delivery.below, 0), coalesce(scheduled.below, 0)
     from (select max(id) + 1 as below from deliveries where central_id = $1) delivery
     cross join (select max(id) + 1 as below from scheduled where central_id = $1) scheduled
     on conflict do nothing returning central_id`,
    [centralId, now],
  );
  if (begun.length === 0) return;
  await tx.run(
    `insert into search_entries (central_id, noun, id, words, sequence)
     select $1::bigint, 'company', id, ''::tsvector, -1 from companies where central_id = $1
     union all
     select $1::bigint, 'driver', id, ''::tsvector, -1 from drivers where central_id = $1
     on conflict do nothing`,
    [centralId],
  );
}

/** Checks all rows again, because changes may have been missed. Entries of the latest event stay unchanged. */
export async function restartProgress(tx: Tx, centralId: number): Promise<void> {
  await tx.run(
    `update search_progress set
       deliveries_below = coalesce((select max(id) + 1 from deliveries where central_id = $1), 0),
       scheduled_below = coalesce((select max(id) + 1 from scheduled where central_id = $1), 0)
     where central_id = $1`,
    [centralId],
  );
}

export async function markLooked(tx: Tx, centralId: number, until: Temporal.Instant): Promise<void> {
  await tx`update search_progress set looked_until = ${until} where central_id = ${centralId}`;
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
  await tx.run(
    `insert into search_entries (central_id, noun, id, words, sequence)
     select $1::bigint, $2::text, id, words::tsvector, sequence
     from unnest($3::bigint[], $4::text[], $5::integer[]) as entry (id, words, sequence)
     on conflict (central_id, noun, id) do update set words = excluded.words, sequence = excluded.sequence`,
    [
      centralId,
      noun,
      entries.map(({ document }) => document.id),
      entries.map(({ document, words }) => vectorOf(centralId, noun, document.id, words)),
      entries.map(({ document }) => document.sequence),
    ],
  );
}

/** Merges the words of new entries from the pending list, which every search reads, into the index. */
export async function mergeWords(db: Tx): Promise<void> {
  await db`select merge_search_words()`;
}

/** Writes only words that are new, or new in a bucket; in a usual batch these are few. */
async function addWords(
  tx: Tx,
  centralId: number,
  noun: SearchNoun,
  words: ReadonlyMap<string, ReadonlySet<number>>,
): Promise<void> {
  const pairs = [...words].flatMap(([word, buckets]) => [...buckets].map((bucket) => ({ word, bucket })));
  const missing = await tx.run<{ word: string; bucket: number }>(
    `select pair.word, pair.bucket from unnest($3::text[], $4::integer[]) as pair (word, bucket)
     left join search_words known on known.central_id = $1 and known.noun = $2 and known.word = pair.word
     where known.word is null or not known.buckets @> pair.bucket`,
    [centralId, noun, pairs.map(({ word }) => word), pairs.map(({ bucket }) => bucket)],
  );
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
  await tx.run(
    `insert into search_words (central_id, noun, word, sound, variants, buckets)
     select $1::bigint, $2::text, word, sound, variants, buckets::int4multirange
     from json_to_recordset($3::json) as new (word text, sound text, variants text[], buckets text)
     on conflict (central_id, noun, word) do update set buckets = search_words.buckets + excluded.buckets`,
    [centralId, noun, JSON.stringify(rows)],
  );
}

export async function deleteEntries(
  tx: Tx,
  centralId: number,
  noun: SearchNoun,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  await tx.run(`delete from search_entries where central_id = $1 and noun = $2 and id = any($3::bigint[])`, [
    centralId,
    noun,
    ids,
  ]);
}

/** Empties entries and marks them to be indexed again from the remaining data. Returns their former words. */
export async function emptyEntries(
  tx: Tx,
  centralId: number,
  noun: SearchNoun,
  ids: readonly number[],
): Promise<string[]> {
  const rows = await tx.run<{ lexeme: string }>(
    `with old as materialized (
       select id, words from search_entries
       where central_id = $1 and noun = $2 and id = any($3::bigint[]) order by id for update),
     emptied as (
       update search_entries set words = '', sequence = -1
       where central_id = $1 and noun = $2 and id in (select id from old))
     select distinct lexeme from old cross join unnest(tsvector_to_array(old.words)) as each (lexeme)`,
    [centralId, noun, ids],
  );
  return rows.map(({ lexeme }) => lexeme);
}

/** A word in more buckets is too common to identify a person. */
const RARE_BUCKETS_MAX = 8;

/** The rare words among the given ones, with their buckets. */
export function findRareWords(
  tx: Tx,
  centralId: number,
  noun: SearchNoun,
  words: readonly string[],
): Promise<{ word: string; buckets: number[] }[]> {
  return tx.run(
    `select word, array(select generate_series(lower(range), upper(range) - 1) from unnest(buckets) as each (range)) as buckets
     from search_words
     where central_id = $1 and noun = $2 and word = any($3::text[])
       and (select coalesce(sum(upper(range) - lower(range)), 0) from unnest(buckets) as each (range)) <= $4::integer`,
    [centralId, noun, words, RARE_BUCKETS_MAX],
  );
}

/** Deletes words that no entry contains any more; each is given with the query that finds its entries. */
export async function deleteUnusedWords(
  tx: Tx,
  centralId: number,
  noun: SearchNoun,
  words: readonly { word: string; query: string }[],
): Promise<void> {
  if (words.length === 0) return;
  await tx.run(
    `delete from search_words where central_id = $1 and noun = $2 and word in (
       select word from unnest($3::text[], $4::text[]) as rare (word, query)
       where not exists (
         select from search_entries e where e.central_id = $1 and e.noun = $2 and e.words @@ rare.query::tsquery))`,
    [centralId, noun, words.map(({ word }) => word), words.map(({ query }) => query)],
  );
}
