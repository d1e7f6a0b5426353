import assert from 'node:assert/strict';
import { test } from 'node:test';
import { helpOf } from './helpLinks.ts';

const cases: [text: string, call: string | null, chat: string | null][] = [
  ['(51) 3000-0000', 'tel:+555130000000', 'https://wa.me/555130000000'],
  ['WhatsApp (51) 99999-0000, das 8h às 18h', 'tel:+5551999990000', 'https://wa.me/5551999990000'],
  ['+55 51 99999-0000', 'tel:+5551999990000', 'https://wa.me/5551999990000'],
  ['Ligue 0800 123 4567', 'tel:08001234567', null],
  ['Fale com o balcão', null, null],
  ['', null, null],
  ['Loja 12, sala 3', null, null],
];

for (const [text, call, chat] of cases)
  test(`help "${text}" leads to ${call ?? 'no number'}`, () =>
    assert.deepEqual({ ...helpOf(text), text }, { text, call, chat }));

test('a number among the words of a help text stays on one line, and the words do not', () => {
  const { text } = helpOf('WhatsApp da loja (51) 99999-0000, das 8h às 18h');
  assert.equal(text, 'WhatsApp da loja (51)\u00a099999-0000, das 8h às 18h');
});
