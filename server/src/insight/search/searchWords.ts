import { STOP_WORDS } from '../../geo/geocoding/embedded/abbreviations.ts';
import * as standard from '../../geo/geocoding/embedded/standardise.ts';
import { plainLetters } from './plainLetters.ts';

/*
 * Converts indexed and typed texts into words, which consist of the letters a to z and digits.
 *
 * There are three kinds of words. Words of names and addresses are few, so all of them are stored (search_words) and
 * typing errors are tolerated. Codes (order numbers, plates, documents) are all different, so they are found by their
 * beginning. Phones are stored backwards, because people type the last digits.
 */

const fold = (text: string): string => standard.fold(plainLetters(text));
const standardiseName = (text: string): string => standard.standardiseName(plainLetters(text));

export type WordKind = 'word' | 'code' | 'phone';

export interface SearchWord {
  kind: WordKind;
  text: string;
}

/** The form of a field decides how it is split into words. */
export type FieldForm = 'name' | 'address' | 'code' | 'phone';

const WORD_LENGTH_MAX = 40;
/** A word with digits that is at least this long is a code; shorter ones are house numbers, of which there are few. */
const CODE_LENGTH_MIN = 5;
const PHONE_DIGITS_MIN = 4;

/** Words that are too common to be useful. */
const IGNORED: ReadonlySet<string> = new Set([...STOP_WORDS, 'rua', 'r', 'avenida', 'av']);

const hasDigit = (text: string): boolean => /\d/.test(text);
const cut = (text: string): string => text.slice(0, WORD_LENGTH_MAX);
const kindOf = (text: string): WordKind =>
  hasDigit(text) && text.length >= CODE_LENGTH_MIN ? 'code' : 'word';
const toWord = (text: string): SearchWord => ({ kind: kindOf(text), text: cut(text) });
const partsOf = (folded: string): string[] => folded.split(' ').filter((part) => part !== '');
const isIgnored = (word: string): boolean => IGNORED.has(word);

/** Area code and number without the country, backwards. */
function backwardsPhone(text: string): string {
  const digits = text.replace(/\D/g, '');
  const national = digits.length > 11 && digits.startsWith('55') ? digits.slice(2) : digits;
  return Array.from(national).reverse().join('');
}

/** The words by which a field can be found. */
export function wordsOfField(form: FieldForm, text: string): SearchWord[] {
  if (form === 'phone') {
    const backwards = cut(backwardsPhone(text));
    return backwards.length >= PHONE_DIGITS_MIN ? [{ kind: 'phone', text: backwards }] : [];
  }
  const folded = fold(text);
  const parts = partsOf(folded);
  if (form === 'code') {
    const joined = cut(parts.join(''));
    const single = parts.map(toWord);
    return parts.length > 1 && hasDigit(joined) ? [{ kind: 'code', text: joined }, ...single] : single;
  }
  return [...new Set([...parts, ...partsOf(standardiseName(text))])]
    .filter((word) => !isIgnored(word))
    .map(toWord);
}

/** A word that matches the typed text: the word itself, or every word with this beginning. */
export interface Alternative extends SearchWord {
  isBeginning: boolean;
}

/** A part of the typed text. A text matches when it has, for every term, all words of one of the alternatives. */
export interface Term {
  alternatives: readonly (readonly Alternative[])[];
}

const TERMS_MAX = 8;
export const TEXT_LENGTH_MAX = 100;

/** A phone among other words, with at least eight digits; not a part of a code. */
const PHONE_INSIDE = /(?<![\p{L}\p{N}/.:_-])(?:\+\s?)?\(?\d[\d().\s-]{6,}\d(?![\p{L}\p{N}/:_-])/gu;

const word = (text: string, isBeginning = false): Alternative => ({ ...toWord(text), isBeginning });
const code = (text: string): Alternative => ({ kind: 'code', text: cut(text), isBeginning: true });
const phone = (digits: string): Alternative => ({
  kind: 'phone',
  text: cut(backwardsPhone(digits)),
  isBeginning: true,
});

/** Splits the typed text into terms. The last word counts as unfinished unless a space follows it. */
export function parseTyped(typed: string): Term[] {
  const text = typed.slice(0, TEXT_LENGTH_MAX);
  if (/^[\d\s+().#-]*$/.test(text)) {
    const digits = text.replace(/\D/g, '');
    return digits === '' ? [] : [numberTerm(digits)];
  }
  const terms: Term[] = [];
  const rest = text.replace(PHONE_INSIDE, (found) => {
    const digits = found.replace(/\D/g, '');
    if (digits.length < 8 || digits.length > 13) return found;
    // It may also be two house numbers, or parts of a code.
    const apart = partsOf(fold(found)).map((part) => word(part));
    terms.push({ alternatives: [[phone(digits)], [code(digits)], apart] });
    return ' ';
  });
  const chunks = rest.split(/\s+/).filter((chunk) => fold(chunk) !== '');
  const isUnfinished = !/\s$/.test(text);
  const ofChunks = chunks.flatMap((chunk, index) =>
    termsOfChunk(chunk, isUnfinished && index === chunks.length - 1),
  );
  const distinctive = ofChunks.filter(({ folded }) => !isIgnored(folded));
  terms.push(
    ...(distinctive.length > 0 || terms.length > 0 ? distinctive : ofChunks).map(({ term }) => term),
  );
  return terms.slice(0, TERMS_MAX);
}

interface FoldedTerm {
  folded: string;
  term: Term;
}

function termsOfChunk(chunk: string, isLast: boolean): FoldedTerm[] {
  const parts = partsOf(fold(chunk));
  if (parts.length === 1) return [{ folded: parts[0]!, term: wordTerm(parts[0]!, isLast) }];
  if (!parts.some(hasDigit))
    return parts.map((part, index) => ({
      folded: part,
      term: wordTerm(part, isLast && index === parts.length - 1),
    }));
  const joined = parts.join('');
  const apart = parts.filter((part) => !isIgnored(part)).map((part) => word(part));
  const alternatives = apart.length > 0 ? [[code(joined)], apart] : [[code(joined)]];
  return [{ folded: joined, term: { alternatives } }];
}

/** Digits alone: a house number, the end of a phone, or the beginning of a code. */
function numberTerm(digits: string): Term {
  const alternatives: Alternative[][] = [];
  if (digits.length < CODE_LENGTH_MIN) alternatives.push([word(digits)]);
  if (digits.length >= PHONE_DIGITS_MIN) alternatives.push([phone(digits)]);
  if (digits.length >= 3) alternatives.push([code(digits)]);
  return { alternatives };
}

function wordTerm(text: string, isLast: boolean): Term {
  if (/^\d+$/.test(text)) return numberTerm(text);
  if (hasDigit(text))
    return { alternatives: text.length < CODE_LENGTH_MIN ? [[word(text)], [code(text)]] : [[code(text)]] };
  // An abbreviation of a street's kind is recognised only as the first of two words.
  const spellings = new Set([text, standardiseName(text), standardiseName(`${text} x`).split(' ')[0]!]);
  return {
    alternatives: [...spellings]
      .filter((spelling) => spelling !== '')
      .map((spelling) => [word(spelling, isLast && spelling === text)]),
  };
}

/** Whether a word of a text matches an alternative. */
export const fits = (found: SearchWord, { kind, text, isBeginning }: Alternative): boolean =>
  found.kind === kind && (isBeginning ? found.text.startsWith(text) : found.text === text);
