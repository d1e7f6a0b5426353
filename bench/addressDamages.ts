import type { AddressParts } from '../server/src/geo/geocoding/geocoder.ts';
import type { KnownAddress } from '../test/support/cnefe.ts';

/** A way in which people misspell an address. */
export interface Damage {
  name: string;
  /** The damaged number is not in the imported set. */
  isMissing?: true;
  damage(address: KnownAddress, random: () => number): AddressParts;
}

export const lineOf = ({ type, title, name, number }: KnownAddress): string =>
  `${[type, title, name].filter((part) => part !== '').join(' ')}, ${number}`;

const whole = (address: KnownAddress): AddressParts => ({
  line: lineOf(address),
  ...address.parts,
  postcode: null,
});

const SHORT: Record<string, string> = {
  AVENIDA: 'Av.',
  RUA: 'R.',
  TRAVESSA: 'Trav.',
  ALAMEDA: 'Al.',
  BECO: 'Bc.',
  DOUTOR: 'Dr.',
  PROFESSOR: 'Prof.',
  CORONEL: 'Cel.',
  GENERAL: 'Gen.',
  CAPITÃO: 'Cap.',
  TENENTE: 'Ten.',
  MARECHAL: 'Mal.',
  PADRE: 'Pe.',
  SENADOR: 'Sen.',
  VEREADOR: 'Ver.',
  ENGENHEIRO: 'Eng.',
  SÃO: 'S.',
  SANTA: 'Sta.',
  DONA: 'D.',
};

const withoutAccents = (text: string): string => text.normalize('NFD').replace(/\p{Diacritic}/gu, '');

/** One letter of a longer word is wrong, missing, doubled or swapped with the next. */
function mistyped(name: string, random: () => number): string {
  const words = name.split(' ');
  const long = words.flatMap((word, index) => (word.length >= 4 && !/\d/.test(word) ? [index] : []));
  if (long.length === 0) return name;
  const index = long[Math.floor(random() * long.length)]!;
  const word = words[index]!;
  const at = Math.floor(random() * (word.length - 1));
  const letter = String.fromCharCode(65 + Math.floor(random() * 26));
  const kinds = [
    word.slice(0, at) + letter + word.slice(at + 1),
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + word[at] + word.slice(at),
    word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2),
  ];
  words[index] = kinds[Math.floor(random() * kinds.length)]!;
  return words.join(' ');
}

export const DAMAGES: readonly Damage[] = [
  { name: 'none', damage: whole },
  {
    name: 'typing error',
    damage: (address, random) => whole({ ...address, name: mistyped(address.name, random) }),
  },
  {
    name: 'lower case, no accents',
    damage: (address) => {
      const { line, district, city, state } = whole(address);
      const plain = (text: string | null | undefined) => withoutAccents(text ?? '').toLowerCase();
      return { line: plain(line), district: plain(district), city: plain(city), state: plain(state) };
    },
  },
  {
    name: 'abbreviations',
    damage: (address) =>
      whole({
        ...address,
        type: SHORT[address.type] ?? address.type,
        title: SHORT[address.title] ?? address.title,
      }),
  },
  { name: 'no district', damage: (address) => ({ ...whole(address), district: null }) },
  { name: 'no kind of street', damage: (address) => whole({ ...address, type: '' }) },
  { name: 'no title', damage: (address) => whole({ ...address, title: '' }) },
  {
    name: 'postcode, no district, error',
    damage: (address, random) => ({
      ...whole({ ...address, name: mistyped(address.name, random) }),
      district: null,
      postcode: address.parts.postcode,
    }),
  },
  {
    name: 'one line as people paste it',
    damage: (address) => ({
      line: `${lineOf(address)} apto 302 - ${address.parts.district}, ${address.parts.city} - RS`,
    }),
  },
  { name: 'number not in the set', isMissing: true, damage: whole },
  {
    name: 'number not in the set, error',
    isMissing: true,
    damage: (address, random) => whole({ ...address, name: mistyped(address.name, random), type: '' }),
  },
];
