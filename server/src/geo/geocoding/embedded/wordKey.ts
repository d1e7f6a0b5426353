import { editDistance } from '../../../platform/kernel/editDistance.ts';

/** How a word sounds, written one way: Luiz and Luis, Thereza and Tereza, Baptista and Batista are the same. */
const SOUNDS: [RegExp, string][] = [
  [/ph/g, 'f'],
  [/th/g, 't'],
  [/sch/g, 'ch'],
  [/y/g, 'i'],
  [/w/g, 'v'],
  [/k/g, 'c'],
  [/c(?=[ei])/g, 's'],
  [/g(?=[ei])/g, 'j'],
  [/z/g, 's'],
  [/[cp]t/g, 't'],
  [/n(?=[bp])/g, 'm'],
  [/^h/g, ''],
  [/([^cln])h/g, '$1'],
  [/(.)\1+/g, '$1'],
];

/** Words are indexed and compared by this key. Numbers stay as they are, because each digit counts. */
export function wordKey(word: string): string {
  if (/\d/.test(word)) return word;
  const key = SOUNDS.reduce((text, [sound, written]) => text.replace(sound, written), word);
  return key === '' ? word : key;
}

/** Shorter words have too many neighbours, and a number with another digit is another number. */
const VARIANT_LENGTH_MIN = 4;

/**
 * The key and all variants without one letter. Two keys that differ by one wrong, missing, additional or
 * swapped letter have a variant in common, so an index of variants finds typing errors by equality.
 */
export function variantsOf(key: string): string[] {
  if (key.length < VARIANT_LENGTH_MIN || /\d/.test(key)) return [key];
  const variants = new Set([key]);
  for (let at = 0; at < key.length; at++) variants.add(key.slice(0, at) + key.slice(at + 1));
  return [...variants];
}

/** From 1 for the same word, through spellings and typing errors, to 0. */
export function wordLikeness(a: string, b: string): number {
  if (a === b) return 1;
  if (/\d/.test(a + b)) return 0;
  const [keyA, keyB] = [wordKey(a), wordKey(b)];
  if (keyA === keyB) return 0.97;
  const max = Math.min(keyA.length, keyB.length) < VARIANT_LENGTH_MIN ? 0 : 2;
  const distance = editDistance(keyA, keyB, max);
  if (distance > max) return 0;
  return Math.max(0, 1 - (distance * 1.4) / Math.max(keyA.length, keyB.length));
}
