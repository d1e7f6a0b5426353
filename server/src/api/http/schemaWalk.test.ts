import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { PROBLEMS_MAX } from './invalidInput.ts';
import { clipped, withTextsRead } from './schemaWalk.ts';

const schema = Type.Object(
  {
    nome: Type.Optional(Type.String({ maxLength: 3 })),
    lista: Type.Optional(
      Type.Union([
        Type.Array(Type.Object({ nome: Type.String({ maxLength: 3 }) }), { maxItems: 2 }),
        Type.Null(),
      ]),
    ),
    livre: Type.Optional(Type.Unknown()),
  },
  { additionalProperties: false },
);

test('a value within its limits is checked without a copy', () => {
  for (const value of [
    { nome: 'abc', lista: [{ nome: 'é😀é' }, { nome: '' }], livre: [1, 2, 3, [4]] },
    { nome: 5, lista: null },
    { nome: [1, 2, 3], lista: { nome: 'abc' }, livre: 'a'.repeat(1_000) },
    ['a list', 'instead'],
    'a text',
    null,
  ])
    assert.equal(clipped(schema, value), value);
});

test('data beyond a limit is cut just above it, and the value itself is not changed', () => {
  const value = {
    nome: 'a'.repeat(1_000),
    lista: Array.from({ length: 1_000 }, () => ({ nome: 'b'.repeat(99) })),
  };
  const before = structuredClone(value);
  const { nome, lista } = clipped(schema, value) as typeof value;
  assert.equal(nome, 'a'.repeat(8));
  assert.deepEqual(lista, Array(3).fill({ nome: 'b'.repeat(8) }));
  assert.deepEqual(value, before);
});

test('as many unknown fields are kept as problems are reported, beside all known ones', () => {
  const unknown = Object.fromEntries(Array.from({ length: 4_000 }, (_, index) => [`campo${index}`, index]));
  const names = Object.keys(clipped(schema, { ...unknown, nome: 'abc' }) as object);
  assert.equal(names.length, PROBLEMS_MAX + 1);
  assert.equal(names.at(-1), 'nome');
});

test('texts are read where the schema says how, and the value itself is not changed', () => {
  const id = Type.Union([Type.Integer(), Type.String({ pattern: '^\\d+$', read: Number })]);
  const reading = Type.Object({
    id,
    outros: Type.Array(id),
    dentro: Type.Object({ id }),
    nome: Type.String(),
  });
  const value = { id: '7', outros: [1, '2', 'x'], dentro: { id: '9' }, nome: '5', livre: '6' };
  const before = structuredClone(value);
  assert.deepEqual(withTextsRead(reading, value), {
    id: 7,
    outros: [1, 2, 'x'],
    dentro: { id: 9 },
    nome: '5',
    livre: '6',
  });
  assert.deepEqual(value, before);
  assert.equal(withTextsRead(schema, value), value);
});
