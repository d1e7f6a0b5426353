/* Days as YYYY-MM-DD, in the phone's time zone: a driver is where the central is. */

export type Period = 'today' | 'week' | 'month';

/** The day of an instant in milliseconds. */
export const dayAt = (at: number): string => isoDay(new Date(at));

/** The first and the last day of the period that ends today. A week begins on Monday. */
export function daysOf(period: Period, today: string): { from: string; to: string } {
  // Noon exists on every day, also where clocks are changed at midnight.
  const first = new Date(`${today}T12:00:00`);
  if (period === 'week') first.setDate(first.getDate() - ((first.getDay() + 6) % 7));
  if (period === 'month') first.setDate(1);
  return { from: isoDay(first), to: today };
}

const isoDay = (day: Date): string =>
  [day.getFullYear(), day.getMonth() + 1, day.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
