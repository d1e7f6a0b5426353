import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatMoney } from '../../console/src/formats.ts';
import { formatMetres } from '../../driver/src/format.ts';

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
