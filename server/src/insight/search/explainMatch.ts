import { type Field, type FieldName, type SearchDocument, wordsOf } from './searchDocuments.ts';
import { type Alternative, fits, type SearchWord, type Term, wordsOfField } from './searchWords.ts';

/** A piece of a text, and whether it matches the typed words. */
export interface Piece {
  text: string;
  isMatch: boolean;
}

export interface MatchedField {
  name: FieldName;
  stop: number | null;
  pieces: Piece[];
}

/**
 * The fields by which a document matches, those of the best matching stop first. Undefined if it does not match any
 * more, because it changed since it was indexed.
 */
export function explainMatch(document: SearchDocument, terms: readonly Term[]): MatchedField[] | undefined {
  const fields = document.fields.map((field) => ({ field, words: wordsOf(field) }));
  const all = fields.flatMap(({ words }) => words);
  const has = (alternative: Alternative) => all.some((word) => fits(word, alternative));
  const used: Alternative[] = [];
  for (const { alternatives } of terms) {
    const fitting = alternatives.filter((each) => each.every((word) => isScope(word, document) || has(word)));
    if (fitting.length === 0) return undefined;
    used.push(...fitting.flat());
  }
  const isUsed = (word: SearchWord) => used.some((alternative) => fits(word, alternative));
  const matched = fields.filter(({ words }) => words.some(isUsed)).map(({ field }) => field);
  const countOf = (stop: number | null) => matched.filter((field) => field.stop === stop).length;
  const best = matched.toSorted((a, b) => countOf(b.stop) - countOf(a.stop))[0]?.stop ?? null;
  return matched
    .filter(({ stop }) => stop === null || stop === best)
    .map((field) => ({ name: field.name, stop: field.stop, pieces: piecesOf(field, isUsed) }));
}

const isScope = (alternative: Alternative, { companyId }: SearchDocument): boolean =>
  alternative.text === `#${companyId}`;

const WORD = /[\p{L}\p{N}\p{M}'’]+/gu;

function piecesOf(field: Field, isUsed: (word: SearchWord) => boolean): Piece[] {
  const { text } = field;
  const pieces: Piece[] = [];
  const add = (piece: string, isMatch: boolean) => {
    const last = pieces.at(-1);
    if (piece === '') return;
    if (last?.isMatch === isMatch) last.text += piece;
    else pieces.push({ text: piece, isMatch });
  };
  let at = 0;
  for (const match of text.matchAll(WORD)) {
    add(text.slice(at, match.index), false);
    // Expanded as in an address: an abbreviation at the beginning stands for its word.
    const words = [...wordsOfField('name', match[0]), ...wordsOfField('name', `${match[0]} x`)];
    add(match[0], words.some(isUsed));
    at = match.index + match[0].length;
  }
  add(text.slice(at), false);
  // A phone or a code matches as a whole.
  return pieces.some(({ isMatch }) => isMatch) ? pieces : [{ text, isMatch: true }];
}
