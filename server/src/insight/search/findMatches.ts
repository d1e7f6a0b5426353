import type { Scope } from '../centrals/caller.ts';
import { variantsOf, wordKey, wordLikeness } from '../geocoding/embedded/wordKey.ts';
import type { Tx } from '../postgres/database.ts';
import {
  BUCKETS_PER_LARGE,
  bucketOf,
  companyWord,
  queryOf,
  type SearchNoun,
  variantPrefix,
} from './lexemes.ts';
import { findEntries, findKnownWords, type KnownWords, type Unit } from './matchStore.ts';
import { type Alternative, parseTyped, type Term } from './searchWords.ts';

/** The matches in a noun, with the terms searched: the typed words, and similar words of the index. */
export interface Matches {
  ids: number[];
  terms: readonly Term[];
}

/** The minimum likeness of a typing error: one letter of four, two of nine. */
const LIKENESS_MIN = 0.64;
/** Shorter words have too many neighbours. */
const SOUND_LENGTH_MIN = 3;
const TYPED_LENGTH_MIN = 4;
const SIMILAR_WORDS_MAX = 12;
/** The maximum of units searched, enough for four million deliveries. */
const UNITS_MAX = 1_024;

const isPlain = (text: string): boolean => /^[a-z]+$/.test(text);

/** The words of kind "word" that were typed, in all spellings. */
const typedWords = (terms: readonly Term[]): Alternative[] =>
  terms.flatMap(({ alternatives }) => alternatives.flat()).filter(({ kind }) => kind === 'word');

/**
 * Finds the newest entries that match a typed text, up to a limit for each noun. Spellings that sound alike count as
 * the same. If these find fewer than `enough`, words with a typing error are searched too, and their matches come
 * after.
 */
export async function findMatches(
  tx: Tx,
  { centralId, companyId }: Scope,
  nouns: readonly SearchNoun[],
  typed: string,
  limit: number,
  enough = limit,
): Promise<Map<SearchNoun, Matches>> {
  const terms = parseTyped(typed);
  if (terms.length === 0 || nouns.length === 0) return new Map();
  // The requests of a company contain a word for the company, so the scope is one more term.
  const scope: Term[] =
    companyId === null ? [] : [{ alternatives: [[{ ...companyWord(companyId), isBeginning: false }]] }];
  const all = [...terms, ...scope];
  const words = typedWords(all);
  const asked = {
    words: words.map(({ text }) => text),
    sounds: words
      .filter(({ text }) => isPlain(text) && text.length >= SOUND_LENGTH_MIN)
      .map(({ text }) => wordKey(text)),
    variants: [],
    beginning: words.find(({ isBeginning }) => isBeginning)?.text ?? null,
  };
  const known = await findKnownWords(tx, centralId, nouns, asked);
  const ask = async (from: KnownWords, among: readonly SearchNoun[], isTolerant: boolean) => {
    const planned = among.map((noun) => ({
      noun,
      terms: all.map((term) => widen(term, from, noun, isTolerant)),
    }));
    const units = planned.flatMap(({ noun, terms: widened }) => unitsOf(centralId, noun, widened, from));
    const ids = await findEntries(tx, centralId, units, limit);
    return planned.map(({ noun, terms: widened }) => ({ noun, terms: widened, ids: ids.get(noun) ?? [] }));
  };

  const found = new Map((await ask(known, nouns, false)).map(({ noun, ...matches }) => [noun, matches]));
  const short = nouns.filter((noun) => found.get(noun)!.ids.length < enough);
  const tolerant = words.filter(({ text }) => isPlain(text) && text.length >= TYPED_LENGTH_MIN);
  if (short.length === 0 || tolerant.length === 0) return found;
  const variants = tolerant.flatMap(({ text }) => variantsOf(wordKey(text)));
  const similar = await findKnownWords(tx, centralId, short, {
    ...asked,
    variants: short.flatMap((noun) => variants.map((variant) => variantPrefix(centralId, noun) + variant)),
  });
  for (const { noun, terms: widened, ids } of await ask(similar, short, true)) {
    const before = found.get(noun)!;
    const more = ids.filter((id) => !before.ids.includes(id));
    if (more.length > 0) found.set(noun, { ids: [...before.ids, ...more].slice(0, limit), terms: widened });
  }
  return found;
}

/**
 * The newest deliveries or scheduled deliveries that match a typed text, which may be an id. Typing errors are
 * tolerated only if nothing else matches, because a list is not sorted by likeness and would mix in unintended rows.
 */
export async function findMatchingIds(
  tx: Tx,
  scope: Scope,
  noun: 'delivery' | 'scheduled',
  typed: string,
  limit: number,
): Promise<number[]> {
  const found = await findMatches(tx, scope, [noun], typed, limit, 1);
  const ids = found.get(noun)?.ids ?? [];
  const id = parseId(typed);
  return id === null || ids.includes(id) ? ids : [id, ...ids].slice(0, limit);
}

/** The id that the text is, or null. */
export function parseId(typed: string): number | null {
  const digits = /^\s*#?\s*(\d{1,15})\s*$/.exec(typed)?.[1];
  return digits === undefined || Number(digits) === 0 ? null : Number(digits);
}

/** Adds to a term the words of the index that count as the same. */
function widen(term: Term, known: KnownWords, noun: SearchNoun, isTolerant: boolean): Term {
  const single = term.alternatives.flatMap((all) => (all.length === 1 && all[0]!.kind === 'word' ? all : []));
  const plain = single.filter(({ text }) => isPlain(text));
  if (plain.length === 0) return term;
  const alikeness = (word: string, sound: string): number =>
    Math.max(
      ...plain.map(({ text }) => {
        if (text.length >= SOUND_LENGTH_MIN && wordKey(text) === sound) return 1;
        return isTolerant && text.length >= TYPED_LENGTH_MIN ? wordLikeness(text, word) : 0;
      }),
    );
  const like = known.words
    .filter((each) => each.noun === noun && !single.some(({ text }) => text === each.word))
    .map((each) => ({ word: each.word, likeness: alikeness(each.word, each.sound) }))
    .filter(({ likeness }) => likeness >= LIKENESS_MIN)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, SIMILAR_WORDS_MAX)
    .map(({ word }): Alternative[] => [{ kind: 'word', text: word, isBeginning: false }]);
  return { alternatives: [...term.alternatives, ...like] };
}

/** Null: all buckets. */
type Buckets = ReadonlySet<number> | null;

const both = (a: Buckets, b: Buckets): Buckets => (a === null ? b : b === null ? a : a.intersection(b));
const either = (a: Buckets, b: Buckets): Buckets => (a === null || b === null ? null : a.union(b));

function bucketsOf({ kind, text, isBeginning }: Alternative, known: KnownWords, noun: SearchNoun): Buckets {
  if (kind !== 'word') return null;
  if (isBeginning) return known.beginnings.get(noun) ?? null;
  return known.words.find((each) => each.noun === noun && each.word === text)?.buckets ?? new Set();
}

/** The buckets in which all terms occur, newest first, with their queries. */
function unitsOf(centralId: number, noun: SearchNoun, terms: readonly Term[], known: KnownWords): Unit[] {
  const ids = known.ids.get(noun);
  if (!ids) return [];
  const possible = terms.map(({ alternatives }) => {
    const places = alternatives.map((all) => ({
      all,
      buckets: all.reduce<Buckets>((sum, each) => both(sum, bucketsOf(each, known, noun)), null),
    }));
    return places.filter(({ buckets }) => buckets === null || buckets.size > 0);
  });
  if (possible.some((alternatives) => alternatives.length === 0)) return [];
  const asked: Term[] = possible.map((alternatives) => ({
    alternatives: alternatives.map(({ all }) => all),
  }));
  const within = possible
    .map((alternatives) => alternatives.map(({ buckets }) => buckets).reduce(either, new Set()))
    .reduce(both, null);
  return groupsOf(within, bucketOf(ids.first), bucketOf(ids.last))
    .slice(0, UNITS_MAX)
    .map((buckets) => ({ noun, query: queryOf(centralId, noun, buckets, asked) }));
}

/** Single buckets if they are known. Otherwise all buckets, grouped as those of codes and phones are. */
function groupsOf(within: Buckets, first: number, last: number): number[][] {
  if (within) return [...within].sort((a, b) => b - a).map((bucket) => [bucket]);
  const groups: number[][] = [];
  for (let bucket = last; bucket >= first; bucket--) {
    const group = groups.at(-1);
    if (group && Math.floor(group[0]! / BUCKETS_PER_LARGE) === Math.floor(bucket / BUCKETS_PER_LARGE))
      group.push(bucket);
    else groups.push([bucket]);
  }
  return groups;
}
