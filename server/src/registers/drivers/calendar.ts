/** Minutes from midnight, by the clock of the central. What ends after midnight ends after minute 1440. */
export interface Span {
  from: number;
  until: number;
}

export interface Shift extends Span {
  /** Within the shift, in order, apart from each other. */
  breaks: readonly Span[];
}

export interface WeekdayShift extends Shift {
  /** 1 is Monday, 7 is Sunday: the day on which it begins. */
  weekday: number;
}

/** A date on which the shifts of its weekday do not begin, but these. */
export interface SpecialDay {
  /** YYYY-MM-DD */
  day: string;
  shifts: readonly Shift[];
}

/** When a driver works. A driver without a calendar works whenever available. */
export interface DriverCalendar {
  week: readonly WeekdayShift[];
  days: readonly SpecialDay[];
}

export const MINUTES_OF_DAY = 24 * 60;
const DAYS_OF_WEEK = 7;

export interface TimeSpan {
  from: Temporal.Instant;
  until: Temporal.Instant;
}

export interface WorkingTime extends TimeSpan {
  breaks: readonly TimeSpan[];
}

/** The shifts that reach into a span of time, in order. By the clock, also where it is changed. */
export function workingTimes(
  { week, days }: DriverCalendar,
  timeZone: string,
  { from, until }: TimeSpan,
): WorkingTime[] {
  const last = until.toZonedDateTimeISO(timeZone).toPlainDate();
  const times: WorkingTime[] = [];
  // A shift of the day before may run past midnight.
  let day = from.toZonedDateTimeISO(timeZone).toPlainDate().subtract({ days: 1 });
  for (; Temporal.PlainDate.compare(day, last) <= 0; day = day.add({ days: 1 })) {
    const instantAt = (minute: number): Temporal.Instant =>
      day.toPlainDateTime().add({ minutes: minute }).toZonedDateTime(timeZone).toInstant();
    const toTimes = (span: Span): TimeSpan => ({ from: instantAt(span.from), until: instantAt(span.until) });
    const special = days.find((each) => each.day === day.toString());
    for (const shift of special?.shifts ?? week.filter(({ weekday }) => weekday === day.dayOfWeek)) {
      const time = { ...toTimes(shift), breaks: shift.breaks.map(toTimes) };
      if (isBefore(time.from, until) && isBefore(from, time.until)) times.push(time);
    }
  }
  return times.sort((a, b) => Temporal.Instant.compare(a.from, b.from));
}

const isBefore = (a: Temporal.Instant, b: Temporal.Instant): boolean => Temporal.Instant.compare(a, b) < 0;

const contains = ({ from, until }: TimeSpan, at: Temporal.Instant): boolean =>
  !isBefore(at, from) && isBefore(at, until);

/** Whether a driver is in a shift and not in a break. Without a calendar always. */
export const isAtWork = (calendar: DriverCalendar | null, timeZone: string, at: Temporal.Instant): boolean =>
  calendar === null ||
  workingTimes(calendar, timeZone, { from: at, until: at.add({ seconds: 1 }) }).some(
    (time) => contains(time, at) && !time.breaks.some((pause) => contains(pause, at)),
  );

/** Two shifts of a week that overlap, also from Sunday to Monday. */
export function findOverlapInWeek(week: readonly WeekdayShift[]): [WeekdayShift, WeekdayShift] | undefined {
  const begin = ({ weekday, from }: WeekdayShift) => (weekday - 1) * MINUTES_OF_DAY + from;
  const sorted = week.toSorted((a, b) => begin(a) - begin(b));
  for (const [index, shift] of sorted.entries()) {
    const next = sorted[(index + 1) % sorted.length]!;
    const wraps = index === sorted.length - 1 ? DAYS_OF_WEEK * MINUTES_OF_DAY : 0;
    const until = begin(shift) + shift.until - shift.from;
    if (sorted.length > 1 && until > begin(next) + wraps) return [shift, next];
  }
  return undefined;
}

/** Whether shifts that begin on one day overlap. */
export function overlapInDay(shifts: readonly Span[]): boolean {
  const sorted = shifts.toSorted((a, b) => a.from - b.from);
  return sorted.some(({ from }, index) => index > 0 && from < sorted[index - 1]!.until);
}
