import type { Tx } from '../../platform/postgres/database.ts';
import { raw } from '../../platform/postgres/sql.ts';
import type { SearchNoun } from './lexemes.ts';

// Reads the index.

export interface KnownWord {
  noun: SearchNoun;
  word: string;
  sound: string;
  /** Null: not known. */
  buckets: ReadonlySet<number> | null;
}

/** The index's data about the typed words. */
export interface KnownWords {
  words: KnownWord[];
  /** The buckets of words that begin with the unfinished word. Null: too many to list. */
  beginnings: ReadonlyMap<SearchNoun, ReadonlySet<number> | null>;
  /** The oldest and the newest id with an entry. */
  ids: ReadonlyMap<SearchNoun, { first: number; last: number }>;
  /** Whether a word that is missing here has no entry. */
  isComplete: boolean;
}

export interface WordsAsked {
  words: readonly string[];
  sounds: readonly string[];
  /** With the central and the noun in front. */
  variants: readonly string[];
  beginning: string | null;
}

/** With more words of the same beginning, their buckets are not read. */
const BEGINNINGS_MAX = 2_000;
const BEGINNINGS = raw(`limit ${BEGINNINGS_MAX + 1}`);

interface WordRow {
  part: 'word' | 'beginning' | 'ids';
  noun: SearchNoun;
  word: string;
  sound: string;
  buckets: string | null;
  first: number | null;
  last: number | null;
}

/** Reads variants one by one through the index: for many at once PostgreSQL would read all words. */
export async function findKnownWords(
  tx: Tx,
  centralId: number,
  nouns: readonly SearchNoun[],
  { words, sounds, variants, beginning }: WordsAsked,
): Promise<KnownWords> {
  const rows = await tx.rows<WordRow>`
    select 'word' as part, noun, word, sound, buckets::text, null::bigint as first, null::bigint as last
    from search_words
    where central_id = ${centralId} and noun = any(${nouns}::text[]) and word = any(${words}::text[])
    union
    select 'word', noun, word, sound, buckets::text, null, null
    from search_words
    where central_id = ${centralId} and noun = any(${nouns}::text[]) and sound = any(${sounds}::text[])
    union
    select 'word', alike.noun, alike.word, alike.sound, alike.buckets, null, null
    from unnest(${variants}::text[]) as typed (variant)
    cross join lateral (
      select noun, word, sound, buckets::text as buckets from search_words
      where central_id = ${centralId} and variants @> array[typed.variant] offset 0) alike
    union all
    select 'beginning', kind.noun, null, null, agg.buckets, agg.count, null
    from unnest(${nouns}::text[]) as kind (noun)
    cross join lateral (
      select range_agg(beginning.buckets)::text as buckets, count(*) as count from (
        select buckets from search_words
        where central_id = ${centralId} and noun = kind.noun
          and word >= ${beginning}::text and word < ${beginning}::text || '~' ${BEGINNINGS}) beginning) agg
    where ${beginning}::text is not null
    union all
    select 'ids', kind.noun, null, null, null,
      (select min(id) from search_entries where central_id = ${centralId} and noun = kind.noun),
      (select max(id) from search_entries where central_id = ${centralId} and noun = kind.noun)
    from unnest(${nouns}::text[]) as kind (noun)`;
  const of = (part: WordRow['part']) => rows.filter((row) => row.part === part);
  return {
    words: of('word').map(({ noun, word, sound, buckets }) => ({
      noun,
      word,
      sound,
      buckets: parseBuckets(buckets),
    })),
    beginnings: new Map(
      of('beginning').map(({ noun, buckets, first }) => [
        noun,
        first! > BEGINNINGS_MAX ? null : parseBuckets(buckets),
      ]),
    ),
    ids: new Map(
      of('ids').flatMap(({ noun, first, last }) =>
        first === null || last === null ? [] : [[noun, { first, last }]],
      ),
    ),
    isComplete: true,
  };
}

/** A multirange as PostgreSQL writes it: {[1,3),[7,8)}. */
function parseBuckets(text: string | null): Set<number> {
  const buckets = new Set<number>();
  for (const [, from, to] of (text ?? '').matchAll(/\[(\d+),(\d+)\)/g))
    for (let bucket = Number(from); bucket < Number(to); bucket++) buckets.add(bucket);
  return buckets;
}

/** A query of a few buckets. */
export interface Unit {
  noun: SearchNoun;
  /** As a tsquery. */
  query: string;
}

/**
 * Ids of each noun, the newest first. Queries one unit after another, in the order given, and ends as soon as a noun has
 * enough ids. `offset 0` isolates the innermost part, so that it uses the index of words and never reads all ids from
 * the newest on.
 */
export async function findEntries(
  tx: Tx,
  centralId: number,
  units: readonly Unit[],
  limit: number,
): Promise<Map<SearchNoun, number[]>> {
  if (units.length === 0) return new Map();
  const nouns = units.map(({ noun }) => noun);
  const rows = await tx.rows<{ noun: SearchNoun; id: number }>`
    select kind.noun, found.id from unnest(${[...new Set(nouns)]}::text[]) as kind (noun)
    cross join lateral (
      select hit.id from unnest(${nouns}::text[], ${units.map(({ query }) => query)}::text[]) as unit (noun, query)
      cross join lateral (
        select entry.id from (
          select id from search_entries
          where central_id = ${centralId} and noun = kind.noun and words @@ unit.query::tsquery offset 0) entry
        order by entry.id desc limit ${limit}) hit
      where unit.noun = kind.noun limit ${limit}) found`;
  const ids = new Map<SearchNoun, number[]>();
  for (const { noun, id } of rows) ids.set(noun, [...(ids.get(noun) ?? []), id]);
  for (const of of ids.values()) of.sort((a, b) => b - a);
  return ids;
}

/** The words of some entries, with their prefixes, each once. */
export async function findWordsOf(
  tx: Tx,
  centralId: number,
  entries: ReadonlyMap<SearchNoun, readonly number[]>,
): Promise<Map<SearchNoun, string[]>> {
  const nouns = [...entries].flatMap(([noun, ids]) => ids.map(() => noun));
  const rows = await tx.rows<{ noun: SearchNoun; lexemes: string[] }>`
    select entry.noun, array_agg(distinct lexeme) as lexemes
    from unnest(${nouns}::text[], ${[...entries.values()].flat()}::bigint[]) as asked (noun, id)
    join search_entries entry
      on entry.central_id = ${centralId} and entry.noun = asked.noun and entry.id = asked.id
    cross join unnest(tsvector_to_array(entry.words)) as each (lexeme)
    group by entry.noun`;
  return new Map(rows.map(({ noun, lexemes }) => [noun, lexemes]));
}
