import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainLetters } from './plainLetters.ts';
import { fits, parseTyped, wordsOfField } from './searchWords.ts';

test('letters beyond a to z are spelled as people type them', () => {
  assert.equal(plainLetters('Søren Weiß'), 'Soren Weiss');
  assert.equal(plainLetters('łukasz đorđe'), 'lukasz dorde');
  assert.equal(plainLetters('Наталья Щукина'), 'natalya schukina');
  assert.equal(plainLetters('Γιώργος'), 'giorgos');
});

test('accents of Portuguese are left to the folding', () => {
  assert.equal(plainLetters('João Conceição 1º'), 'João Conceição 1º');
});

const finds = (typed: string, name: string): boolean => {
  const words = wordsOfField('name', name);
  return parseTyped(typed).every(({ alternatives }) =>
    alternatives.some((all) => all.every((alternative) => words.some((word) => fits(word, alternative)))),
  );
};

for (const [name, ...typed] of [
  ['Søren Weiß', 'soren', 'Søren', 'SØREN', 'weiss ', 'weiß '],
  ['Łukasz Żółw', 'lukasz ', 'Łukasz ', 'zolw'],
  ['Наталья Щукина', 'Наталья ', 'наталь', 'natalya ', 'щукина'],
  ['田中 太郎', '田中', '田', '太郎 '],
  ['ليلى حداد', 'ليلى', 'حدا'],
] as const)
  test(`${name} is found in its own letters and, if there is one, in its usual Latin spelling`, () => {
    assert.ok(wordsOfField('name', name).length >= 2);
    for (const text of typed) assert.equal(finds(text, name), true, text);
    assert.equal(finds('Joana', name), false);
  });
