/**
 * What a category charges in an operating area. The central's people write it; every estimate reads it.
 *
 * Whole amounts are integer cents. Rates and factors may need fractions of a cent, so they are decimal text
 * ("187.5", "0.50"): PostgreSQL gives and takes its numeric columns in that form, people write them so,
 * and Exact reads it, all without a scale that someone has to remember. None of them is negative.
 */
export interface Tariff {
  id: number;
  name: string;
  baseCents: number;
  /** Decimal cents. */
  perKmCents: string;
  /** Decimal cents. */
  perMinuteCents: string;
  /** For each stop after the first. */
  perExtraStopCents: number;
  /** Decimal; the way back is charged at this share of its km and minutes. */
  returnFactor: string;
  minimumCents: number;
  windows: readonly TariffWindow[];
}

/**
 * Hours at which the price is multiplied, by the clock on the central's wall: `from` belongs to the window, `to`
 * does not. One that ends at or before its beginning runs past midnight and belongs to the day on which it
 * began: Friday 22:00 to 02:00 ends on Saturday, and 00:00 to 00:00 is a whole day.
 */
export interface TariffWindow {
  /** ISO weekdays, Monday 1 to Sunday 7. */
  days: readonly number[];
  /** "HH:MM", two digits each. */
  from: string;
  to: string;
  /** Decimal multiplier. */
  factor: string;
}

/**
 * The factor of the first window, in the order of the list, that holds at the instant; "1" when none does.
 * An hour that the clock repeats is charged alike both times; one that it leaps over is never charged.
 */
export function windowFactorAt(
  tariff: Pick<Tariff, 'windows'>,
  instant: Temporal.Instant,
  timeZone: string,
): string {
  const local = instant.toZonedDateTimeISO(timeZone);
  const today = local.dayOfWeek;
  const yesterday = today === 1 ? 7 : today - 1;
  // Two digits each: such times compare as text.
  const time = local.toPlainTime().toString({ smallestUnit: 'minute' });

  const holds = ({ days, from, to }: TariffWindow): boolean => {
    if (from < to) return days.includes(today) && from <= time && time < to;
    return (days.includes(today) && from <= time) || (days.includes(yesterday) && time < to);
  };
  return tariff.windows.find(holds)?.factor ?? '1';
}
