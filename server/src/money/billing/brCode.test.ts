import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brCode, checkSum, isPixKey, plainKey } from './brCode.ts';

test('the check sum is CRC-16/CCITT-FALSE, whose value for 123456789 is published', () => {
  assert.equal(checkSum('123456789'), '29B1');
});

test("the example of the Banco Central's manual is written as it is printed there", () => {
  assert.equal(
    brCode({
      key: '123e4567-e12b-12d1-a456-426655440000',
      receiver: 'Fulano de Tal',
      city: 'BRASILIA',
      cents: null,
      identifier: null,
    }),
    '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D',
  );
});

test('an amount and an identifier have their fields, and names are shortened and lose their accents', () => {
  const code = brCode({
    key: '+5551999990000',
    receiver: 'Central de Entregas São João Ltda',
    city: 'São José dos Pinhais',
    cents: 123_405,
    identifier: 'FEC-12',
  });
  assert.match(code, /54071234\.055802BR5925Central de Entregas Sao J/);
  assert.match(code, /6015Sao Jose dos Pi62090505FEC126304[0-9A-F]{4}$/);
  assert.equal(checkSum(code.slice(0, -4)), code.slice(-4));
});

test('a key is normalised to the form that banks use', () => {
  const written: [string, string][] = [
    ['529.982.247-25', '52998224725'],
    ['11.222.333/0001-81', '11222333000181'],
    ['(51) 99999-0000', '+5551999990000'],
    ['51999990000', '+5551999990000'],
    ['+55 51 3333-1234', '+555133331234'],
    ['Financeiro@Exemplo.com.br', 'financeiro@exemplo.com.br'],
    ['123E4567-E12B-12D1-A456-426655440000', '123e4567-e12b-12d1-a456-426655440000'],
  ];
  for (const [given, key] of written) {
    assert.equal(plainKey(given), key);
    assert.ok(isPixKey(given), given);
  }
});

test('a text that is no valid Pix key is refused', () => {
  for (const given of [
    'asdf',
    '12345',
    '111.111.111-11',
    '529.982.247-26',
    '@exemplo.com',
    'a@b',
    '123e4567',
    '+1 212 555 0100',
    '(51) 1999-0000',
  ])
    assert.ok(!isPixKey(given), given);
});
