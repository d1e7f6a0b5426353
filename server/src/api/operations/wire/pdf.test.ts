import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { Closing, ClosingLine } from '../../../money/billing/closingStore.ts';
import { closingPdf } from './closingFile.ts';
import { widthOf, wrap } from './pdf.ts';

const WIDTH = 300;
const SIZE = 9;

test('lines fit their column, and nothing of the text is lost', () => {
  for (const text of [
    'Semana de 9 a 15 de novembro, por Pix, com o acerto de duas entregas do dia 12 e a ajuda de custo',
    'x'.repeat(300),
    `curta ${'W'.repeat(120)} curta`,
    'São João, à Praça Açaí – “aspas”',
  ]) {
    const lines = wrap(text, WIDTH, SIZE);
    for (const line of lines) assert.ok(widthOf(line, SIZE) <= WIDTH, line);
    const letters = (some: string) => some.replace(/\s/g, '').replace('–', '-').replace(/[“”]/g, '"');
    assert.equal(letters(lines.join('')), letters(text));
  }
});

test('a letter that is wider than its column has a line of its own', () => {
  assert.deepEqual(wrap('WWW', 1, SIZE), ['W', 'W', 'W']);
});

test('a letter that cannot be printed is as wide as the question mark in its place', () => {
  assert.equal(widthOf('\ufdfa', SIZE), widthOf('?', SIZE));
  assert.equal(widthOf('ã', SIZE), widthOf('a', SIZE));
});

test('a line break is printed as a space, and a letter of two code units as one question mark', () => {
  assert.deepEqual(wrap('linha um\nlinha dois\r\n\tlinha três', WIDTH, SIZE), [
    'linha um linha dois linha três',
  ]);
  assert.deepEqual(wrap('Café 🍕 Ltda', WIDTH, SIZE), ['Café ? Ltda']);
});

/** A reason of the maximum length, in letters that are decomposed into eighteen. */
const HOSTILE = '\ufdfa'.repeat(300);

test('whatever the text of a reason, each text of a statement is measured only a few times', async () => {
  const lines = Array.from(
    { length: 20 },
    (_, index): ClosingLine => ({
      number: index + 1,
      day: '2026-11-01',
      kind: 'adjustment',
      reverses: false,
      deliveryId: null,
      grossCents: 0,
      amountCents: 100,
      note: HOSTILE,
    }),
  );
  const closing: Closing = {
    id: 1,
    companyId: null,
    driverId: 1,
    name: 'João Silva',
    centralName: 'Central',
    document: null,
    fromNumber: 1,
    toNumber: 20,
    fromDay: '2026-11-01',
    toDay: '2026-11-01',
    totals: { adjustment: 2_000, deliveries: 0 },
    dueCents: 2_000,
    createdAt: Temporal.Instant.from('2026-11-02T12:00:00Z'),
    paidAt: null,
  };
  const normalize = mock.method(String.prototype, 'normalize');
  const central = { name: 'Central', timeZone: 'America/Sao_Paulo' };
  const document = {
    central,
    closing,
    async *lines() {
      yield lines;
    },
    pix: null,
  };
  const pdf = Buffer.concat(await Array.fromAsync(closingPdf(document)));
  normalize.mock.restore();
  assert.match(pdf.toString('latin1', 0, 8), /^%PDF-1\.4/);
  const perLine = normalize.mock.callCount() / lines.length;
  assert.ok(perLine < 20, `each line was looked at ${perLine} times`);
});
