/**
 * The prices of a category in an operating area. Operators write them; every estimate reads them.
 *
 * Amounts are integer cents. Rates and factors may need fractions of a cent, so they are decimal strings ("187.5",
 * "0.50"): PostgreSQL uses this form for its numeric columns, people write it, and Exact reads it. None of them is
 * negative.
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
 * Hours at which the price is multiplied, in the central's local time: `from` belongs to the window, `to` does
 * not. A window that ends at or before its beginning runs past midnight and belongs to the day on which it begins:
 * Friday 22:00 to 02:00 ends on Saturday, and 00:00 to 00:00 is a whole day.
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
 * The factor of the first window in the list that contains the instant; "1" when none does. An hour that the clock
 * repeats is charged the same both times; a skipped hour is never charged.
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
