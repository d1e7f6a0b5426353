import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DriverCalendar, findOverlapInWeek, isAtWork, overlapInDay, workingTimes } from './calendar.ts';

const ZONE = 'America/Sao_Paulo';
const FRIDAY = 5;
const at = (local: string) => Temporal.PlainDateTime.from(local).toZonedDateTime(ZONE).toInstant();

/** Fridays from 18:00 to 02:00, with a break from 21:00 to 21:30; on 2026-12-25 from 10:00 to 12:00 only. */
const calendar: DriverCalendar = {
  week: [{ weekday: FRIDAY, from: 18 * 60, until: 26 * 60, breaks: [{ from: 21 * 60, until: 21.5 * 60 }] }],
  days: [
    { day: '2026-11-27', shifts: [] },
    { day: '2026-12-25', shifts: [{ from: 600, until: 720, breaks: [] }] },
  ],
};

for (const [local, isWorking, what] of [
  ['2026-11-20T17:59:59', false, 'before the shift'],
  ['2026-11-20T18:00:00', true, 'when the shift begins'],
  ['2026-11-20T21:00:00', false, 'in the break'],
  ['2026-11-20T21:30:00', true, 'when the break is over'],
  ['2026-11-21T01:59:59', true, 'after midnight'],
  ['2026-11-21T02:00:00', false, 'when the shift is over'],
  ['2026-11-19T19:00:00', false, 'on another weekday'],
  ['2026-11-27T19:00:00', false, 'on a date off'],
  ['2026-12-25T19:00:00', false, 'on a date with other shifts'],
  ['2026-12-25T11:00:00', true, 'in the shift of a date'],
] as const)
  test(`a driver ${isWorking ? 'works' : 'does not work'} ${what}`, () =>
    assert.equal(isAtWork(calendar, ZONE, at(local)), isWorking));

test('a driver without a calendar always works', () =>
  assert.ok(isAtWork(null, ZONE, at('2026-11-19T03:00:00'))));

test('working times are those that reach into the span, in order', () => {
  const span = { from: at('2026-11-21T01:00:00'), until: at('2026-12-04T18:30:00') };
  const times = workingTimes(calendar, ZONE, span);
  assert.deepEqual(
    times.map(({ from, until }) => [from, until].map(String)),
    [
      [at('2026-11-20T18:00:00'), at('2026-11-21T02:00:00')].map(String),
      [at('2026-12-04T18:00:00'), at('2026-12-05T02:00:00')].map(String),
    ],
  );
  assert.equal(String(times[0]!.breaks[0]!.from), String(at('2026-11-20T21:00:00')));
});

test('a shift follows the clock where it is changed', () => {
  const week = [{ weekday: 7, from: 0, until: 600, breaks: [] }];
  const zone = 'America/New_York';
  const noon = Temporal.PlainDateTime.from('2026-11-01T12:00').toZonedDateTime(zone).toInstant();
  const [time] = workingTimes({ week, days: [] }, zone, { from: noon.subtract({ hours: 12 }), until: noon });
  assert.equal(time!.from.until(time!.until).total('hours'), 11);
});

const shift = (weekday: number, from: number, until: number) => ({ weekday, from, until, breaks: [] });

test('shifts of a week overlap within a day, over midnight and from Sunday to Monday', () => {
  assert.equal(findOverlapInWeek([shift(1, 480, 720), shift(1, 720, 900), shift(2, 0, 60)]), undefined);
  assert.ok(findOverlapInWeek([shift(1, 480, 721), shift(1, 720, 900)]));
  assert.ok(findOverlapInWeek([shift(5, 1_080, 1_560), shift(6, 60, 600)]));
  assert.ok(findOverlapInWeek([shift(7, 1_080, 1_560), shift(1, 60, 600)]));
  assert.equal(findOverlapInWeek([shift(7, 1_080, 1_500), shift(1, 60, 600)]), undefined);
  assert.equal(findOverlapInWeek([shift(3, 0, 1_440)]), undefined);
});

test('shifts of one day overlap when one begins before another ends', () => {
  assert.ok(overlapInDay([shift(1, 700, 900), shift(1, 480, 701)]));
  assert.ok(!overlapInDay([shift(1, 700, 900), shift(1, 480, 700)]));
});
