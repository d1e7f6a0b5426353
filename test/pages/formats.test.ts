import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatMetres, wholeNumbers } from '../../web/driver/src/format.ts';
import {
  completeDate,
  completeTime,
  counted,
  formatMoney,
  formatPhone,
  fromLocalInputs,
  isDay,
  readDate,
  readTime,
  toInstant,
  typedPhone,
} from '../../web/shared/formats.ts';

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

test('a day is read as people write it, and what is no day of the calendar stays as it is typed', () => {
  for (const text of ['16/11/2026', '16.11.2026', '16-11-2026', '16112026', ' 16/11/2026 '])
    assert.equal(readDate(text), '2026-11-16');
  assert.equal(readDate('1/2/2026'), '2026-02-01');
  for (const text of ['31/02/2026', '00/01/2026', '20261116', '16/13/2026', '16/11', '16/11/26', 'ontem', ''])
    assert.equal(readDate(text), text);
  assert.ok(isDay('2028-02-29'));
  for (const text of ['2026-02-29', '2026-2-9', '2026-11-16T00', '', 'hoje']) assert.ok(!isDay(text), text);
});

test('a day without its century or its year is the one that people mean once they stop typing', () => {
  const meant = (text: string, today = '2026-11-16') => completeDate(text, today);
  assert.equal(meant('16/11/26'), '2026-11-16');
  assert.equal(meant('161126'), '2026-11-16');
  assert.equal(meant('31/12'), '2026-12-31');
  assert.equal(meant('3112'), '2026-12-31');
  assert.equal(meant('5/1'), '2027-01-05');
  assert.equal(meant('31/12', '2027-01-02'), '2026-12-31');
  assert.equal(meant('29/02', '2027-05-01'), '2028-02-29');
  assert.equal(meant('16/11/2026'), '2026-11-16');
  for (const text of ['31/02', '31/02/26', '40/40', '3', '', 'amanhã']) assert.equal(meant(text), text);
});

test('an hour is read as people write it, and what is no hour of the day stays as it is typed', () => {
  for (const text of ['830', '8:30', '08:30', '8h30', '8H30', '0830']) assert.equal(readTime(text), '08:30');
  for (const text of ['8', '8h', '083', '25:00', '12:60', '24:00', '', 'cedo'])
    assert.equal(readTime(text), text);
  for (const text of ['8', '8h', '08:', '08', '8h00']) assert.equal(completeTime(text), '08:00');
  for (const text of ['25', '8h3', '']) assert.equal(completeTime(text), text);
});

test('a moment that is still being typed is none, and is passed on as it is for the server to say so', () => {
  const zone = 'America/Sao_Paulo';
  assert.equal(fromLocalInputs('2026-12-31', '08:30', zone), Date.parse('2026-12-31T11:30:00Z'));
  for (const [date, time] of [
    ['31/12', '08:30'],
    ['2026-02-31', '08:30'],
    ['2026-12-31', '8h'],
    ['2026-12-31', ''],
    ['', ''],
  ] as const)
    assert.equal(fromLocalInputs(date, time, zone), null);
  assert.equal(toInstant('2026-12-31T08:30', zone), '2026-12-31T11:30:00.000Z');
  assert.equal(toInstant('2026-12-31T25:00', zone), '2026-12-31T25:00');
});

/** Imported by its URL, because the compiler of tests does not know the browser's types. */
const loadOrder = async () =>
  (await import(new URL('../../web/console/src/pages/new/order.ts', import.meta.url).href)) as {
    emptyOrder(): { partida: object; paradas: object[] };
    toEstimate(draft: object, zone: string): { instante?: string } | null;
  };

test('the estimate of an order does without a moment for as long as its day or hour is being typed', async () => {
  const { emptyOrder, toEstimate } = await loadOrder();
  const place = { lat: '-30.03', lng: '-51.23' };
  const { partida, paradas, ...empty } = emptyOrder();
  const draft = {
    ...empty,
    partida: { ...partida, ...place },
    paradas: [{ ...paradas[0], ...place }],
    quando: 'depois',
  };
  const momentOf = (data: string, hora: string) =>
    toEstimate({ ...draft, data, hora }, 'America/Sao_Paulo')?.instante;
  for (const hora of ['', '8', '8h', '8h3', '083']) assert.equal(momentOf('2026-12-31', hora), undefined);
  for (const data of ['', '3', '31/1', '31/12/20']) assert.equal(momentOf(data, '08:30'), undefined);
  assert.equal(momentOf('2026-12-31', '08:30'), '2026-12-31T11:30:00.000Z');
});

test('one thing is not counted in the plural', () => {
  const stops = [0, 1, 2, 21].map((count) => counted(count, 'parada', 'paradas'));
  assert.deepEqual(stops, ['0 paradas', '1 parada', '2 paradas', '21 paradas']);
});
