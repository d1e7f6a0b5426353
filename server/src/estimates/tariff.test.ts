import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type TariffWindow, windowFactorAt } from './tariff.ts';

const everyDay = [1, 2, 3, 4, 5, 6, 7];
const weekdays = [1, 2, 3, 4, 5];

const lunch: TariffWindow = { days: weekdays, from: '11:30', to: '13:30', factor: '1.20' };
const fridayNight: TariffWindow = { days: [5], from: '22:00', to: '02:00', factor: '1.50' };
const sunday: TariffWindow = { days: [7], from: '00:00', to: '00:00', factor: '1.30' };
const daily = (from: string, to: string): TariffWindow => ({ days: everyDay, from, to, factor: '2' });

/** The factor at a local time such as "2026-11-13 22:00". */
function factorAt(windows: TariffWindow[], local: string, timeZone = 'America/Sao_Paulo'): string {
  const instant = Temporal.PlainDateTime.from(local).toZonedDateTime(timeZone).toInstant();
  return windowFactorAt({ windows }, instant, timeZone);
}

describe('the factor of a tariff window', () => {
  test('is 1 without windows', () => assert.equal(factorAt([], '2026-11-13 12:00'), '1'));

  test('holds from its first minute until just before its last', () => {
    // A Friday.
    assert.equal(factorAt([lunch], '2026-11-13 11:29:59.999'), '1');
    assert.equal(factorAt([lunch], '2026-11-13 11:30'), '1.20');
    assert.equal(factorAt([lunch], '2026-11-13 13:29:59.999'), '1.20');
    assert.equal(factorAt([lunch], '2026-11-13 13:30'), '1');
  });

  test('holds only on its days', () => {
    assert.equal(factorAt([lunch], '2026-11-14 12:00'), '1');
    assert.equal(factorAt([lunch], '2026-11-16 12:00'), '1.20');
  });

  test('past midnight belongs to the day on which the window began', () => {
    assert.equal(factorAt([fridayNight], '2026-11-13 01:00'), '1', 'the night before');
    assert.equal(factorAt([fridayNight], '2026-11-13 21:59'), '1');
    assert.equal(factorAt([fridayNight], '2026-11-13 23:59'), '1.50');
    assert.equal(factorAt([fridayNight], '2026-11-14 00:00'), '1.50');
    assert.equal(factorAt([fridayNight], '2026-11-14 01:59'), '1.50');
    assert.equal(factorAt([fridayNight], '2026-11-14 02:00'), '1');
    assert.equal(factorAt([fridayNight], '2026-11-14 22:00'), '1', 'the night after');
  });

  test('runs from Sunday night into Monday', () => {
    const sundayNight = { ...fridayNight, days: [7] };
    assert.equal(factorAt([sundayNight], '2026-11-16 01:00'), '1.50');
    assert.equal(factorAt([sundayNight], '2026-11-15 01:00'), '1');
  });

  test('holds the whole day, and no longer, when the window ends at the hour it began', () => {
    assert.equal(factorAt([sunday], '2026-11-14 23:59'), '1');
    assert.equal(factorAt([sunday], '2026-11-15 00:00'), '1.30');
    assert.equal(factorAt([sunday], '2026-11-15 23:59'), '1.30');
    assert.equal(factorAt([sunday], '2026-11-16 00:00'), '1');
  });

  test('comes from the first window of the list that holds', () => {
    const noon = { ...lunch, from: '12:00', to: '13:00', factor: '3' };
    assert.equal(factorAt([lunch, noon], '2026-11-13 12:30'), '1.20');
    assert.equal(factorAt([noon, lunch], '2026-11-13 12:30'), '3');
    assert.equal(factorAt([noon, lunch], '2026-11-13 13:15'), '1.20');
  });

  test('follows the clock of the time zone', () => {
    const instant = Temporal.Instant.from('2026-11-13T14:45:00Z');
    assert.equal(windowFactorAt({ windows: [lunch] }, instant, 'America/Sao_Paulo'), '1.20');
    assert.equal(windowFactorAt({ windows: [lunch] }, instant, 'America/Manaus'), '1');
  });

  test('follows the weekday of the time zone', () => {
    // Monday in Greenwich, still Sunday in Brazil.
    const instant = Temporal.Instant.from('2026-11-16T01:00:00Z');
    assert.equal(windowFactorAt({ windows: [sunday] }, instant, 'America/Sao_Paulo'), '1.30');
    assert.equal(windowFactorAt({ windows: [sunday] }, instant, 'UTC'), '1');
  });
});

describe('a tariff window when the clock is set', () => {
  const at = (windows: TariffWindow[], utc: string, timeZone: string) =>
    windowFactorAt({ windows }, Temporal.Instant.from(utc), timeZone);

  test('survives the midnight that São Paulo leapt over on 4 November 2018', () => {
    const saturdayNight = { ...fridayNight, days: [6] };
    // 23:59 on Saturday is followed by 01:00 on Sunday.
    assert.equal(at([saturdayNight], '2018-11-04T02:59:00Z', 'America/Sao_Paulo'), '1.50');
    assert.equal(at([saturdayNight], '2018-11-04T03:00:00Z', 'America/Sao_Paulo'), '1.50');
    assert.equal(at([saturdayNight], '2018-11-04T03:59:00Z', 'America/Sao_Paulo'), '1.50');
    assert.equal(at([saturdayNight], '2018-11-04T04:00:00Z', 'America/Sao_Paulo'), '1');
  });

  test('holds both times in the hour before midnight that São Paulo repeated on 16 February 2019', () => {
    const lateSaturday = { ...fridayNight, days: [6], from: '23:00', to: '23:30' };
    assert.equal(at([lateSaturday], '2019-02-17T01:15:00Z', 'America/Sao_Paulo'), '1.50');
    assert.equal(at([lateSaturday], '2019-02-17T01:45:00Z', 'America/Sao_Paulo'), '1');
    assert.equal(at([lateSaturday], '2019-02-17T02:15:00Z', 'America/Sao_Paulo'), '1.50');
    assert.equal(at([lateSaturday], '2019-02-17T03:15:00Z', 'America/Sao_Paulo'), '1', 'Sunday 00:15');
  });

  test('never holds inside an hour that New York leaps over', () => {
    const leapt = daily('02:00', '03:00');
    assert.equal(at([leapt], '2026-03-08T06:59:00Z', 'America/New_York'), '1', '01:59');
    assert.equal(at([leapt], '2026-03-08T07:00:00Z', 'America/New_York'), '1', '03:00');
    assert.equal(at([leapt], '2026-03-09T06:30:00Z', 'America/New_York'), '2', 'the next day');
  });
});
