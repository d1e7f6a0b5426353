import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDocument, parseCnpj, parseCpf, parsePhone } from './documents.ts';

const table: [name: string, parse: (text: string) => string | null, text: string, expected: string | null][] =
  [
    ['a CPF with punctuation', parseCpf, '529.982.247-25', '52998224725'],
    ['a CPF without punctuation', parseCpf, '52998224725', '52998224725'],
    ['a CPF with a wrong check digit', parseCpf, '529.982.247-24', null],
    ['a CPF of one repeated digit', parseCpf, '111.111.111-11', null],
    ['a CPF that is too short', parseCpf, '5299822472', null],
    ['a CPF with letters', parseCpf, '5299822472A', null],
    ['a CNPJ of digits', parseCnpj, '11.222.333/0001-81', '11222333000181'],
    ['a CNPJ with a wrong check digit', parseCnpj, '11.222.333/0001-80', null],
    ['a CNPJ with letters (the published example)', parseCnpj, '12.ABC.345/01DE-35', '12ABC34501DE35'],
    ['a CNPJ with small letters', parseCnpj, '12.abc.345/01de-35', '12ABC34501DE35'],
    ['a CNPJ with letters and a wrong check digit', parseCnpj, '12.ABC.345/01DE-36', null],
    ['a CNPJ with a letter as check digit', parseCnpj, '12ABC34501DE3A', null],
    ['a CNPJ of one repeated digit', parseCnpj, '00000000000000', null],
    ['a mobile phone', parsePhone, '(51) 99999-1234', '51999991234'],
    ['a mobile phone with country code', parsePhone, '+55 51 99999-1234', '51999991234'],
    ['a fixed phone', parsePhone, '51 3333-1234', '5133331234'],
    ['a phone without area code', parsePhone, '99999-1234', null],
    ['a phone with letters', parsePhone, '51 99999-12E4', null],
    ['an empty phone', parsePhone, '', null],
  ];

for (const [name, parse, text, expected] of table)
  test(`${name} is ${expected ?? 'refused'}`, () => assert.equal(parse(text), expected));

test('a CPF and a CNPJ are written with their punctuation, anything else as it is', () => {
  assert.deepEqual(['52998224725', '11222333000181', '12ABC34501DE35', 'x1'].map(formatDocument), [
    '529.982.247-25',
    '11.222.333/0001-81',
    '12.ABC.345/01DE-35',
    'x1',
  ]);
});
