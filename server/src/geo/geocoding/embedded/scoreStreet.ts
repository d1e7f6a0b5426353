import { haversineMetres, type Position } from '../../../platform/kernel/position.ts';
import { fullWords } from './abbreviations.ts';
import type { Street } from './lookupStore.ts';
import { splitType, standardiseName, wordsOf } from './standardise.ts';
import { wordKey, wordLikeness } from './wordKey.ts';

/** The standardised query. */
export interface StreetQuery {
  type: string | null;
  words: readonly string[];
  /** The last word may be unfinished. */
  isTyping: boolean;
  /** Words may also belong to the district or the city. */
  mayNamePlaces: boolean;
  district: readonly string[];
  postcode: number | null;
  near: Position | undefined;
}

export interface ScoredStreet {
  street: Street;
  /** How well the name fits, from 0 to 1. */
  nameScore: number;
  /** The score of the name together with the other parts of the address. */
  score: number;
}

/** Titles are often left out, so they count less. */
const TITLES = new Set(fullWords.values());
const weightOf = (word: string): number => (TITLES.has(word) ? 0.4 : 1);

// Tuned with addresses damaged in known ways: `npm run bench -- addresses`.
const QUERY_SHARE = 0.6;
const PLACE_WORD = 0.8;
const UNFINISHED_WORD = 0.93;
const TYPE_BONUS = 0.04;
const DISTRICT_BONUS = 0.08;
const POSTCODE_BONUS = { same: 0.1, near: 0.04, other: -0.03 };
const FAR_PENALTY = 0.05;
const FAR_METRES = 50_000;

export function scoreStreet(query: StreetQuery, street: Street): ScoredStreet {
  const { type, rest } = splitType(standardiseName(street.name));
  const nameScore = nameLikeness(query, wordsOf(rest), street.tokens);
  let score = nameScore;
  if (query.type && type) score += query.type === type ? TYPE_BONUS : -TYPE_BONUS;
  if (query.district.length)
    score += DISTRICT_BONUS * likenessOf(query.district, wordsOf(standardiseName(street.district)));
  if (query.postcode !== null && street.postcodes.length)
    score += postcodeBonus(query.postcode, street.postcodes);
  if (query.near)
    score -= FAR_PENALTY * Math.min(1, haversineMetres(query.near, street.position) / FAR_METRES);
  return { street, nameScore, score };
}

function nameLikeness(query: StreetQuery, name: readonly string[], tokens: readonly string[]): number {
  const left = new Set(name.keys());
  let asked = 0;
  let found = 0;
  for (const [index, word] of query.words.entries()) {
    const isUnfinished = query.isTyping && index === query.words.length - 1;
    let [best, bestAt] = [0, -1];
    for (const at of left) {
      const like = likeness(word, name[at]!, isUnfinished);
      if (like > best) [best, bestAt] = [like, at];
    }
    if (best < 0.5 && query.mayNamePlaces && isPlaceWord(word, tokens, isUnfinished)) {
      // A word that names the place counts neither for nor against the street.
      asked += weightOf(word) * 0.5;
      found += weightOf(word) * 0.5 * PLACE_WORD;
      continue;
    }
    asked += weightOf(word);
    if (bestAt === -1) continue;
    found += weightOf(word) * best;
    left.delete(bestAt);
  }
  if (asked === 0) return 0;
  let whole = 0;
  let matched = 0;
  for (const [at, word] of name.entries()) {
    whole += weightOf(word);
    if (!left.has(at)) matched += weightOf(word);
  }
  return QUERY_SHARE * (found / asked) + (1 - QUERY_SHARE) * (whole === 0 ? 0 : matched / whole);
}

function likeness(asked: string, word: string, isUnfinished: boolean): number {
  const like = wordLikeness(asked, word);
  return isUnfinished && word.startsWith(asked) ? Math.max(like, UNFINISHED_WORD) : like;
}

function isPlaceWord(word: string, tokens: readonly string[], isUnfinished: boolean): boolean {
  const key = wordKey(word);
  return tokens.some((token) => token === key || (isUnfinished && token.startsWith(key)));
}

/** How alike two names are, word by word. */
export function likenessOf(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  const sum = a.reduce((total, word) => total + Math.max(...b.map((other) => wordLikeness(word, other))), 0);
  return sum / Math.max(a.length, b.length);
}

function postcodeBonus(postcode: number, known: readonly number[]): number {
  if (known.includes(postcode)) return POSTCODE_BONUS.same;
  const area = Math.floor(postcode / 1000);
  return known.some((each) => Math.floor(each / 1000) === area) ? POSTCODE_BONUS.near : POSTCODE_BONUS.other;
}
