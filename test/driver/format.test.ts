import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayWords, parseAmount, weekWords } from '../../web/driver/src/format.ts';

test('an amount is read as people type it, and never rounded', () => {
  const typed: [string, string | null][] = [
    ['12,5', '12.50'],
    ['12.50', '12.50'],
    ['1.234,56', '1234.56'],
    [' 7 ', '7.00'],
    ['0', '0.00'],
    ['12,345', null],
    ['0x10', null],
    ['1e3', null],
    ['-5', null],
    ['9999999999', null],
    ['', null],
  ];
  for (const [text, amount] of typed) assert.equal(parseAmount(text), amount, text);
});

test('figures of an earlier day or week are shown with it', () => {
  assert.equal(dayWords('2026-11-17', '2026-11-17', 'pt'), 'Hoje');
  assert.equal(dayWords('2026-11-16', '2026-11-17', 'pt'), '16/11');
  assert.equal(dayWords('2026-11-16', '2026-11-17', 'en'), '16/11');
  assert.equal(weekWords('2026-11-16', '2026-11-22', 'en'), 'This week');
  assert.equal(weekWords('2026-11-22', '2026-11-23', 'pt'), 'Semana de 16/11');
});
