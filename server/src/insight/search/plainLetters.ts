import { fold } from '../../geo/geocoding/embedded/standardise.ts';

/** Latin letters that are not an accented a to z, with their usual spelling on other keyboards. */
const LATIN = 'æ ae œ oe ø o ß ss ł l đ d ð d þ th ı i ħ h ŋ n ə a ŧ t';
const CYRILLIC =
  'а a б b в v г g ґ g д d ѓ g ђ d е e є e ж zh з z ѕ z и i і i ї i й i ј j к k ќ k л l љ l м m н n њ n о o ' +
  'п p р r с s т t ћ c у u ў u ф f х h ц ts ч ch џ dz ш sh щ sch ъ _ ы y ь _ э e ю yu я ya ё e';
const GREEK =
  'α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o';

const SPELLINGS: ReadonlyMap<string, string> = new Map(
  [LATIN, CYRILLIC, GREEK].flatMap((table) => {
    const parts = table.split(' ');
    return parts.flatMap((letter, at) =>
      at % 2 === 0 ? [[letter, parts[at + 1]!.replace('_', '')] as const] : [],
    );
  }),
);

/** The letter by its code point. The zero makes it a code, which is found by its beginning. */
const coded = (letter: string): string => `u0${letter.codePointAt(0)!.toString(16)}`;

/**
 * Converts all letters to a to z, as in the words of the index: others become their usual spelling or, without one,
 * their code point. Applied to both indexed and typed texts.
 */
export const plainLetters = (text: string): string =>
  text.normalize('NFC').replace(/[^\p{ASCII}]/gu, (character) => {
    const lower = character.toLowerCase();
    const spelled = SPELLINGS.get(lower) ?? SPELLINGS.get(lower.normalize('NFD')[0]!);
    if (spelled !== undefined) return spelled;
    if (!/\p{L}/u.test(character)) return /\p{M}/u.test(character) ? '' : character;
    return fold(character) === '' ? coded(character) : character;
  });
