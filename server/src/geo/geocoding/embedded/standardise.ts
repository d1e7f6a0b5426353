import { fullWords, numberWords, STOP_WORDS, type State, states, streetTypes } from './abbreviations.ts';

/** Lower case without accents; everything but letters and digits becomes one space. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f'’`´]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

/**
 * The one form of a street's name: folded, with full words for abbreviations and digits for numbers. "Av. Pres.
 * Getúlio Vargas" and "avenida presidente getulio vargas" become the same. Applied twice it changes nothing.
 */
export function standardiseName(text: string): string {
  const words = fold(text).split(' ');
  if (words.length > 1) words[0] = streetTypes.get(words[0]!) ?? words[0]!;
  const full = words.map((word, index) => {
    if (word === 'n' && /^(sra|senhora)$/.test(words[index + 1] ?? '')) return 'nossa';
    return fullWords.get(word) ?? digitsOf(word);
  });
  return full
    .join(' ')
    .replace(/\b(20|30) e ([1-9])\b/g, (_, tens, ones) => String(Number(tens) + Number(ones)));
}

const ROMAN = /^(?=[ivx]{2})(x{0,3})(ix|iv|v?i{0,3})$/;
const ONES = ['', 'i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix'];

/** "quinze", "xv", "015" and "15º" all mean 15. */
function digitsOf(word: string): string {
  const value = numberWords.get(word);
  if (value !== undefined) return String(value);
  const roman = ROMAN.exec(word);
  if (roman) return String(roman[1]!.length * 10 + ONES.indexOf(roman[2]!));
  return /^\d{1,9}[oa]?$/.test(word) ? String(Number.parseInt(word, 10)) : word;
}

/** The kind of street apart from the rest; null where the first word is none or the only one. */
export function splitType(name: string): { type: string | null; rest: string } {
  const space = name.indexOf(' ');
  const type = space === -1 ? undefined : streetTypes.get(name.slice(0, space));
  return type === undefined ? { type: null, rest: name } : { type, rest: name.slice(space + 1) };
}

/** The words that decide, of a standardised name. A name of stop words only keeps them. */
export function wordsOf(name: string): string[] {
  const words = name.split(' ').filter((word) => word !== '');
  const distinctive = words.filter((word) => !STOP_WORDS.has(word));
  return distinctive.length ? distinctive : words;
}

/** A state by its code or name, whatever the case and accents. */
export function findState(text: string): State | undefined {
  const folded = fold(text);
  return states.find(({ code, name }) => code.toLowerCase() === folded || name === folded);
}

/** Eight digits, or null. */
export function parsePostcode(text: string | null | undefined): string | null {
  const digits = (text ?? '').replace(/[\s.-]/g, '');
  return /^\d{8}$/.test(digits) ? digits : null;
}

/** "RUA DOS ANDRADAS" as people write it: "Rua dos Andradas". */
export const titleCase = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
    .split(' ')
    .map((word, index) =>
      index > 0 && STOP_WORDS.has(word)
        ? word
        : ROMAN.test(word)
          ? word.toUpperCase()
          : word.charAt(0).toUpperCase() + word.slice(1),
    )
    .join(' ');
