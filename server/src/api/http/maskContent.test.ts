import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { knownWords, masked, maskedField, maskedId } from './maskContent.ts';

const known = knownWords(
  Type.Object({
    forma_pagamento: Type.Enum(['D', 'B']),
    nome: Type.String(),
    cpf: Type.String(),
    senha: Type.String(),
    empresa_id: Type.Integer(),
    data: Type.String(),
    hora: Type.String(),
    valor: Type.Number(),
    com_retorno: Type.Boolean(),
    lat: Type.String(),
    programadas_agrupadas: Type.Array(Type.Integer()),
    paradas: Type.Array(Type.Object({ telefone: Type.String(), tipo: Type.Union([Type.Literal('casa')]) })),
  }),
);

test('codes, short ids, days, times, prices, booleans and null are shown', () => {
  const body = {
    forma_pagamento: 'D',
    empresa_id: 12,
    data: '16/11/2026',
    hora: '13:00:00',
    valor: 12.5,
    com_retorno: true,
    programadas_agrupadas: [8, 9],
    paradas: [{ tipo: 'casa', telefone: null }],
  };
  assert.deepEqual(masked(body, known), body);
});

test('everything else is replaced by its type and length', () => {
  const body = {
    nome: 'João',
    cpf: '52998224725',
    senha: 'segredo',
    lat: -30.0331,
    paradas: [{ telefone: '51 99999-0000', tipo: '4111111111111111' }],
  };
  assert.deepEqual(masked(body, known), {
    nome: 'texto(4)',
    cpf: 'texto(11)',
    senha: 'texto(7)',
    lat: 'número',
    paradas: [{ telefone: 'texto(13)', tipo: 'texto(16)' }],
  });
});

test('a value of another form is hidden in a shown field, too', () => {
  const body = {
    empresa_id: 52998224725,
    data: 'Rua da Praia 1',
    hora: '51999990000',
    forma_pagamento: 'Maria',
  };
  assert.deepEqual(masked(body, known), {
    empresa_id: 'número',
    data: 'texto(14)',
    hora: 'texto(11)',
    forma_pagamento: 'texto(5)',
  });
});

test('names that the endpoint does not have are hidden, also in the field of an error', () => {
  assert.deepEqual(masked({ 'Maria da Silva': 1, constructor: 2, __proto__: null }, known), {
    'desconhecido 1': 'número',
    'desconhecido 2': 'número',
  });
  assert.equal(maskedField('paradas[0].telefone', known, []), 'paradas[0].telefone');
  assert.equal(maskedField('paradas[0].Maria', known, []), 'paradas[0].…');
  assert.equal(maskedField('Maria da Silva', known, []), '…');
  assert.equal(maskedField('corpo', known, ['corpo']), 'corpo');
});

test('an id of a path is shown up to nine digits', () => {
  assert.deepEqual(['57', '123456789', '1234567890', '52998224725', 'maria', undefined].map(maskedId), [
    ...['57', '123456789', '…', '…', '…', '…'],
  ]);
});

test('the size is bounded, however large, deep or wide the body is', () => {
  let deep: unknown = 'João';
  for (let level = 0; level < 30; level += 1) deep = { paradas: [deep] };
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`campo ${index}`, 'João']));
  const long = { paradas: Array.from({ length: 5_000 }, () => ({ telefone: '51999990000' })) };
  const all = { paradas: Array.from({ length: 10 }, () => ({ ...wide, paradas: [wide, wide, wide] })) };
  for (const body of [deep, wide, long, all]) {
    const text = JSON.stringify(masked(body, known));
    assert.ok(text.length < 8_000, `${text.length}`);
    assert.ok(!text.includes('João'));
  }
  assert.deepEqual(masked({ programadas_agrupadas: Array.from({ length: 15 }, () => 7) }, known), {
    programadas_agrupadas: [...Array.from({ length: 10 }, () => 7), '+5'],
  });
});
