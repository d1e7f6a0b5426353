import type { Scope } from '../../centrals/caller.ts';
import { variantsOf, wordKey, wordLikeness } from '../../geo/geocoding/embedded/wordKey.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import {
  BUCKETS_PER_LARGE,
  bucketOf,
  companyWord,
  queryOf,
  type SearchNoun,
  variantPrefix,
  wordsIn,
} from './lexemes.ts';
import { findEntries, findKnownWords, findWordsOf, type KnownWords, type Unit } from './matchStore.ts';
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
  if (companyId !== null) return findOwnMatches(tx, { centralId, companyId }, nouns, terms, limit, enough);
  const words = typedWords(terms);
  const asked = {
    words: words.map(({ text }) => text),
    sounds: words
      .filter(({ text }) => isPlain(text) && text.length >= SOUND_LENGTH_MIN)
      .map(({ text }) => wordKey(text)),
    variants: [],
    beginning: words.find(({ isBeginning }) => isBeginning)?.text ?? null,
  };
  const known = await findKnownWords(tx, centralId, nouns, asked);
  const search = { tx, centralId, terms, limit };
  const found = await ask(search, known, nouns, false);
  const short = nouns.filter((noun) => found.get(noun)!.ids.length < enough);
  const tolerant = words.filter(({ text }) => isPlain(text) && text.length >= TYPED_LENGTH_MIN);
  if (short.length === 0 || tolerant.length === 0) return found;
  const variants = tolerant.flatMap(({ text }) => variantsOf(wordKey(text)));
  const similar = await findKnownWords(tx, centralId, short, {
    ...asked,
    variants: short.flatMap((noun) => variants.map((variant) => variantPrefix(centralId, noun) + variant)),
  });
  return withMore(found, await ask(search, similar, short, true), limit);
}

interface Search {
  tx: Tx;
  centralId: number;
  terms: readonly Term[];
  limit: number;
}

/** The matches of each noun by the words known of the index. */
async function ask(
  { tx, centralId, terms, limit }: Search,
  known: KnownWords,
  nouns: readonly SearchNoun[],
  isTolerant: boolean,
): Promise<Map<SearchNoun, Matches>> {
  const planned = nouns.map((noun) => ({
    noun,
    terms: terms.map((term) => widen(term, known, noun, isTolerant)),
  }));
  const units = planned.flatMap(({ noun, terms: widened }) => unitsOf(centralId, noun, widened, known));
  const ids = await findEntries(tx, centralId, units, limit);
  return new Map(
    planned.map(({ noun, terms: widened }) => [noun, { terms: widened, ids: ids.get(noun) ?? [] }]),
  );
}

function withMore(
  found: ReadonlyMap<SearchNoun, Matches>,
  more: ReadonlyMap<SearchNoun, Matches>,
  limit: number,
): Map<SearchNoun, Matches> {
  const all = new Map(found);
  for (const [noun, { terms, ids }] of more) {
    const before = found.get(noun)!;
    const added = ids.filter((id) => !before.ids.includes(id));
    if (added.length > 0) all.set(noun, { ids: [...before.ids, ...added].slice(0, limit), terms });
  }
  return all;
}

/** The newest entries of a company whose words are read for spellings and typing errors. */
const OWN_ENTRIES_READ = 400;

/**
 * The matches within a company. The words of the index belong to all companies of the central: statements that depend
 * on them would reveal by their number and time which words others have. So these use only what the company's own
 * entries contain. Each bucket in which the company has entries is searched, and similar words are those of its newest
 * entries.
 */
async function findOwnMatches(
  tx: Tx,
  { centralId, companyId }: { centralId: number; companyId: number },
  nouns: readonly SearchNoun[],
  typed: readonly Term[],
  limit: number,
  enough: number,
): Promise<Map<SearchNoun, Matches>> {
  const own = companyWord(companyId);
  const scope: Term = { alternatives: [[{ ...own, isBeginning: false }]] };
  const asked = { words: [own.text], sounds: [], variants: [], beginning: null };
  const known = { ...(await findKnownWords(tx, centralId, nouns, asked)), isComplete: false };
  const search = { tx, centralId, terms: [...typed, scope], limit };
  const found = await ask(search, known, nouns, false);
  const short = nouns.filter((noun) => found.get(noun)!.ids.length < enough);
  const words = typedWords(typed);
  if (short.length === 0 || !words.some(({ text }) => isPlain(text) && text.length >= SOUND_LENGTH_MIN))
    return found;
  const units = short.flatMap((noun) => unitsOf(centralId, noun, [scope], known));
  const newest = await findEntries(tx, centralId, units, OWN_ENTRIES_READ);
  const lexemes = await findWordsOf(tx, centralId, newest);
  const similar = short.flatMap((noun) =>
    wordsIn(lexemes.get(noun) ?? []).map((word) => ({ noun, word, sound: wordKey(word), buckets: null })),
  );
  const widened = { ...known, words: [...known.words, ...similar.filter(({ word }) => word !== own.text)] };
  return withMore(found, await ask(search, widened, short, true), limit);
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
  const word = known.words.find((each) => each.noun === noun && each.word === text);
  return word ? word.buckets : known.isComplete ? new Set() : null;
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
