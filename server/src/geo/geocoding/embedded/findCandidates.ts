import { editDistance } from '../../../platform/kernel/editDistance.ts';
import type { Position } from '../../../platform/kernel/position.ts';
import type { Tx } from '../../../platform/postgres/database.ts';
import { findStreets, findWordsFrom, findWordsLike, type KnownWord, type Street } from './lookupStore.ts';
import { variantsOf, wordKey } from './wordKey.ts';

/** A written word, and the words of the set that it may mean. */
export interface AskedWord {
  key: string;
  /** Best first. */
  meanings: string[];
  /** The number of streets with the most frequent of them, because rare words decide. */
  uses: number;
}

const WORDS_MAX = 7;
const MEANINGS_MAX = 40;
const CANDIDATES_MAX = 80;

/** Looks up all words at once. Unknown words, even with a typing error, are left out. */
export async function understandWords(
  tx: Tx,
  setId: number,
  words: readonly string[],
  isTyping: boolean,
): Promise<AskedWord[]> {
  const keys = [...new Set(words.slice(0, WORDS_MAX).map(wordKey))];
  if (keys.length === 0) return [];
  const unfinished = isTyping ? wordKey(words.slice(0, WORDS_MAX).at(-1)!) : undefined;
  const [like, begun] = await Promise.all([
    findWordsLike(tx, setId, [...new Set(keys.flatMap(variantsOf))]),
    unfinished === undefined ? [] : beginnings(tx, setId, unfinished),
  ]);
  return keys
    .map((key): AskedWord => {
      const meant = like
        .map((known) => ({ ...known, distance: editDistance(key, known.word, 1) }))
        .filter(({ distance }) => distance <= 1)
        .sort((a, b) => a.distance - b.distance || b.uses - a.uses)
        .slice(0, MEANINGS_MAX);
      const further = key === unfinished ? begun : [];
      return {
        key,
        meanings: [...new Set([...meant, ...further].map(({ word }) => word))],
        uses: Math.max(0, ...[...meant, ...further].map(({ uses }) => uses)),
      };
    })
    .filter(({ meanings }) => meanings.length > 0);
}

/** The sound of a letter may depend on the next one, which is not typed yet. */
async function beginnings(tx: Tx, setId: number, prefix: string): Promise<KnownWord[]> {
  const softened = prefix.replace(/c$/, 's').replace(/g$/, 'j');
  const prefixes = softened === prefix ? [prefix] : [prefix, softened];
  const found = await Promise.all(prefixes.map((each) => findWordsFrom(tx, setId, each, MEANINGS_MAX)));
  return found.flat();
}

export interface CandidateFilter {
  municipality?: number | undefined;
  near?: Position | undefined;
}

/**
 * Streets with all the words; if there are none, with all but one of them; then with the two rarest, and with the
 * rarest alone.
 */
export async function findCandidates(
  tx: Tx,
  setId: number,
  asked: readonly AskedWord[],
  filter: CandidateFilter,
): Promise<Street[]> {
  if (asked.length === 0) return [];
  const find = (words: readonly AskedWord[]): Promise<Street[]> =>
    findStreets(tx, setId, {
      ...filter,
      words: words.map(({ meanings }) => meanings),
      limit: CANDIDATES_MAX,
    });
  const withAll = await find(asked);
  if (withAll.length || asked.length === 1) return withAll;
  const withoutOne = await Promise.all(asked.map((left) => find(asked.filter((word) => word !== left))));
  const found = new Map(withoutOne.flat().map((street) => [street.id, street]));
  if (found.size || asked.length === 2) return [...found.values()];
  const rarest = [...asked].sort((a, b) => a.uses - b.uses);
  const withTwo = await find(rarest.slice(0, 2));
  return withTwo.length ? withTwo : find(rarest.slice(0, 1));
}
