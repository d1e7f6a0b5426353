import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { bodyValidator } from './validation.ts';

const problemsOf = bodyValidator(
  Type.Object({ nome: Type.String({ minLength: 2, maxLength: 4, pattern: '^[^!]*$' }) }),
);
const messages = (nome: string) => problemsOf({ nome }).map(({ en }) => en);

for (const letter of ['a', 'é', '😀'])
  test(`lengths count ${letter} as one character`, () => {
    assert.deepEqual(
      [2, 3, 4].flatMap((count) => messages(letter.repeat(count))),
      [],
    );
    assert.deepEqual(messages(letter), ['must have at least 2 characters']);
    for (const count of [5, 8, 9, 100_000])
      assert.deepEqual(messages(letter.repeat(count)), ['must have at most 4 characters'], `${count}`);
  });

test('of a text that is too long and has another form, the length is named', () => {
  assert.deepEqual(messages('!!!!!'), ['must have at most 4 characters']);
  assert.equal(messages('!!!').length, 1);
});

test('a repeated item is named, and objects that feign methods are refused like any other', () => {
  const problems = bodyValidator(Type.Object({ ids: Type.Array(Type.Integer(), { uniqueItems: true }) }));
  const texts = (ids: unknown[]) => problems({ ids }).map(({ en }) => en);
  assert.deepEqual(texts([1, 2, 3]), []);
  assert.deepEqual(texts([1, 2, 1]), ['must not repeat items']);
  assert.deepEqual(texts([{}, { valueOf: 1 }, { toString: null }]), Array(3).fill('must be an integer'));
});
