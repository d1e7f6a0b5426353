import { type State, states, streetTypes } from './abbreviations.ts';
import { findState, fold, splitType, standardiseName, wordsOf } from './standardise.ts';

/** The parts of a written address. */
export interface ParsedAddress {
  /** The kind of street, when one was written. */
  type: string | null;
  /** The words of the street's name that decide, standardised. */
  words: string[];
  number: number | null;
  /** Eight digits. */
  postcode: string | null;
  state: State | undefined;
  /** The parts after the street, in order: districts, cities, and parts that cannot be distinguished from them. */
  places: string[];
}

const TEXT_MAX = 300;
const POSTCODE = /(?<![\d-])(\d{2})\.?(\d{3})-?(\d{3})(?![\d-])/;
const WITHOUT_NUMBER = /(?<![\p{L}\d])(?:s\s*[/.]\s*n[.º°o]?|sn|sem n[uú]mero)(?![\p{L}\d])/giu;
const NUMBER_SIGN = /(?<![\p{L}\d])(?:n[º°ª]\.?|n\.|n[uú]mero|num\.?|nro\.?|nr\.)\s*(?=\d)/giu;
const SEPARATOR = /[,;/()\n]|\s[-–—]\s/;
/** Doors inside a building, which do not affect its position. */
const COMPLEMENT =
  /^(ap|apt|apto|apartamento|casa|cs|bloco|bl|sala|sl|loja|lj|fundos|fds|andar|conjunto|cj|lote|lt|torre|box|cobertura|sobrado|predio|edificio|ed|terreo)$/;
const HIGHWAY = new Set(['br', ...states.map(({ code }) => code.toLowerCase())]);

/** Reads "Rua dos Andradas, 1001 - Centro, Porto Alegre/RS, 90020-007" and everything less tidy. */
export function parseAddress(text: string): ParsedAddress {
  let rest = text.slice(0, TEXT_MAX);
  const found = POSTCODE.exec(rest);
  const postcode = found ? found[1]! + found[2]! + found[3]! : null;
  if (found) rest = rest.replace(found[0], ', ').replace(/(?<![\p{L}])cep(?![\p{L}])[\s:.]*/iu, ' ');
  const isNumberless = rest.search(WITHOUT_NUMBER) !== -1;
  rest = rest.replace(WITHOUT_NUMBER, ', ').replace(NUMBER_SIGN, ' ');
  const [street = '', ...others] = rest
    .split(SEPARATOR)
    .map((part) => part.trim())
    .filter((part) => part !== '');

  const numbered = others[0] === undefined ? null : /^(\d{1,6})(?!\d)/.exec(others[0]);
  const split = numbered || isNumberless ? { name: street, number: null, after: '' } : splitNumber(street);
  const places = [split.after, ...(numbered ? others.slice(1) : others)].map(withoutComplement);
  const { state, left } = takeState(places.filter((place) => place !== ''));
  const { type, rest: name } = splitType(standardiseName(split.name));
  return {
    type,
    words: wordsOf(name),
    number: numbered ? Number(numbered[1]) || null : split.number,
    postcode,
    state,
    places: left,
  };
}

/**
 * The number of a line without a comma: "andradas 1001 centro". The number of a name ("24 de Maio", "BR 116", "Rua
 * 7") is not taken for one.
 */
function splitNumber(line: string): { name: string; number: number | null; after: string } {
  const words = fold(line).split(' ');
  const isNumber = (index: number) => /^\d{1,6}[a-z]?$/.test(words[index] ?? '');
  for (let at = 1; at < words.length; at++) {
    if (!isNumber(at) || isNumber(at + 1) || /^d[eoa]s?$/.test(words[at + 1] ?? '')) continue;
    const before = words.slice(0, at);
    const named = before.filter((word, index) => !(index === 0 && streetTypes.has(word)));
    if (wordsOf(named.join(' ')).length === 0 || HIGHWAY.has(words[at - 1]!)) continue;
    return {
      name: before.join(' '),
      number: Number.parseInt(words[at]!, 10) || null,
      after: words.slice(at + 1).join(' '),
    };
  }
  return { name: line, number: null, after: '' };
}

function withoutComplement(part: string): string {
  const words = fold(part).split(' ');
  while (words.length && COMPLEMENT.test(words[0]!)) words.splice(0, 2);
  return words.join(' ');
}

/** The state, as a part of its own or as the code behind a city. */
function takeState(places: readonly string[]): { state: State | undefined; left: string[] } {
  const left = [...places];
  for (let at = left.length - 1; at >= 0; at--) {
    const words = left[at]!.split(' ');
    const whole = words.join(' ');
    // "São Paulo" and "Rio de Janeiro" are cities too, unless a city stands before them.
    const state = whole.length === 2 || at > 0 ? findState(whole) : undefined;
    if (state) {
      left.splice(at, 1);
      return { state, left };
    }
    const last = words.length > 1 && words.at(-1)!.length === 2 ? findState(words.at(-1)!) : undefined;
    if (last) {
      left[at] = words.slice(0, -1).join(' ');
      return { state: last, left };
    }
  }
  return { state: undefined, left };
}
