import type { Alternative, SearchWord, Term } from './searchWords.ts';

/*
 * The form of words in the index (search_entries.words): each has the central, the noun and the bucket of the id as a
 * prefix. A bucket holds consecutive ids, so a higher one is newer. A search queries one bucket after another and ends
 * as soon as it has enough matches, so a word that occurs everywhere costs the same whatever the history. Entries of
 * other centrals are never read, although they share the index.
 */

export const NOUNS = ['delivery', 'scheduled', 'company', 'driver', 'customer'] as const;
export type SearchNoun = (typeof NOUNS)[number];

const LETTERS = {
  delivery: 'd',
  scheduled: 's',
  company: 'c',
  driver: 'r',
  customer: 'p',
} as const satisfies Record<SearchNoun, string>;

/** The number of ids in a bucket of words. A very common word (a city) is read for so many rows at a time. */
const BUCKET_IDS = 4_096;
/** Codes and phones are rare and not in search_words, so their buckets are larger and fewer. */
export const BUCKETS_PER_LARGE = 8;

export const bucketOf = (id: number): number => Math.floor(id / BUCKET_IDS);
const largeOf = (bucket: number): number => Math.floor(bucket / BUCKETS_PER_LARGE);

/** The company of a request as a word, so that a scope costs no more than any other word. */
export const companyWord = (companyId: number): SearchWord => ({ kind: 'word', text: `#${companyId}` });

/** The prefix of the variants of a word, so that typing errors are searched in one central and noun. */
export const variantPrefix = (centralId: number, noun: SearchNoun): string => `${centralId}${LETTERS[noun]}.`;

/** Contains only the characters a to z, 0 to 9, "." and "#", so it needs no escape within quotes. */
function lexeme(
  centralId: number,
  noun: SearchNoun,
  bucket: number,
  { kind, text }: Pick<SearchWord, 'kind' | 'text'>,
): string {
  const place = kind === 'word' ? bucket : kind === 'code' ? `i${largeOf(bucket)}` : `t${largeOf(bucket)}`;
  return `'${centralId}${LETTERS[noun]}${place}.${text}'`;
}

/** The value of search_entries.words, as text. */
export const vectorOf = (
  centralId: number,
  noun: SearchNoun,
  id: number,
  words: readonly SearchWord[],
): string => words.map((word) => lexeme(centralId, noun, bucketOf(id), word)).join(' ');

/**
 * The query of some buckets as a tsquery: every term, by any of its alternatives. All words of a row have the bucket of
 * its id, so terms of different buckets never occur in the same row.
 */
export const queryOf = (
  centralId: number,
  noun: SearchNoun,
  buckets: readonly number[],
  terms: readonly Term[],
): string => {
  const operand = (alternative: Alternative): string => {
    const lexemes = new Set(buckets.map((bucket) => lexeme(centralId, noun, bucket, alternative)));
    return `(${[...lexemes].map((each) => (alternative.isBeginning ? `${each}:*` : each)).join('|')})`;
  };
  const allOf = (all: readonly Alternative[]): string => `(${all.map(operand).join('&')})`;
  return terms.map(({ alternatives }) => `(${alternatives.map(allOf).join('|')})`).join('&');
};

/** The words of kind "word" in a value of search_entries.words, without their prefix. */
export const wordsIn = (lexemes: readonly string[]): string[] =>
  lexemes.flatMap((each) => /^\d+[a-z]\d+\.(.+)$/.exec(each)?.[1] ?? []);
