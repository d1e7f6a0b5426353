import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatMoney, formatPhone, typedPhone } from '../../console/src/formats.ts';
import { formatMetres, wholeNumbers } from '../../driver/src/format.ts';

test('a phone number is read on one line, however it is kept, and typed with a plain space', () => {
  for (const phone of ['51999990001', '(51) 99999-0001'])
    assert.equal(formatPhone(phone), '(51)\u00a099999-0001');
  assert.equal(formatPhone('5133334444'), '(51)\u00a03333-4444');
  assert.equal(typedPhone('51999990001'), '(51) 99999-0001');
  assert.equal(
    wholeNumbers('Interfone 12 quebrado: ligue 51 99999-0000 ou (51) 3333 4444 ao chegar'),
    'Interfone 12 quebrado: ligue 51\u00a099999-0000 ou (51)\u00a03333\u00a04444 ao chegar',
  );
});

test('amounts are written as the browser would write them in Brazil', () => {
  const expected = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });
  for (const amount of [0, 0.05, 1, 12.5, 999.99, 1000, 1234.5, 1234567.89, -0.5, -1234567])
    assert.equal(formatMoney(amount), expected.format(amount));
  assert.equal(formatMoney('1234.50'), 'R$\u00a01.234,50');
});

test('distances are written as the browser would write them, from a kilometre on with one decimal at most', () => {
  for (const [language, locale] of [
    ['pt', 'pt-BR'],
    ['en', 'en-GB'],
  ] as const) {
    assert.equal(formatMetres(874, language), '870 m');
    for (const metres of [1_000, 1_049, 1_050, 3_400, 12_345, 99_999])
      assert.equal(
        formatMetres(metres, language),
        `${(metres / 1_000).toLocaleString(locale, { maximumFractionDigits: 1 })} km`,
      );
  }
});
