import type { Alternative, SearchWord, Term } from './searchWords.ts';

/*
 * The form that words have in the index (search_entries.words): in front of each stand the central, the noun and the
 * bucket of the id. A bucket holds consecutive ids, so a higher one is newer. A search asks one bucket after another
 * and ends as soon as it has enough, so a word that occurs everywhere costs the same whatever the history; and what
 * other centrals have is never read, although they share the index.
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

/** Ids of a bucket of words. What everybody has (a city) is read for so many rows at a time. */
const BUCKET_IDS = 4_096;
/** Codes and phones are rare by themselves and not in search_words: their buckets are larger, to be fewer. */
export const BUCKETS_PER_LARGE = 8;

export const bucketOf = (id: number): number => Math.floor(id / BUCKET_IDS);
const largeOf = (bucket: number): number => Math.floor(bucket / BUCKETS_PER_LARGE);

/** The company that a request belongs to, as a word: a scope that costs no more than any other word. */
export const companyWord = (companyId: number): SearchWord => ({ kind: 'word', text: `#${companyId}` });

/** In front of the variants of a word, so that typing errors are looked for in one central and noun. */
export const variantPrefix = (centralId: number, noun: SearchNoun): string => `${centralId}${LETTERS[noun]}.`;

/** Of the characters a to z, 0 to 9, "." and "#" alone, so it needs no escape within quotes. */
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
 * What to ask of some buckets, as a tsquery: every term, by any of its alternatives. All words of a row have the bucket
 * of its id, so the terms of different buckets never meet in one row.
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

/** The words of kind "word" within a value of search_entries.words, without what stands in front. */
export const wordsIn = (lexemes: readonly string[]): string[] =>
  lexemes.flatMap((each) => /^\d+[a-z]\d+\.(.+)$/.exec(each)?.[1] ?? []);
