import { Exact } from '../../platform/kernel/exact.ts';

export interface PricedDelivery {
  tariff: Tariff;
  /** From the pickup to the last stop. */
  outwardMetres: number;
  outwardSeconds: number;
  /** From the last stop back to the pickup; 0 when the delivery does not return. */
  backMetres: number;
  backSeconds: number;
  /** The number of stops, including the first. */
  stops: number;
  /** The departure, which decides the tariff's window. */
  at: Temporal.Instant;
  timeZone: string;
  /** Decimal, "0" to "100". */
  discountPercent: string;
}

/** In the order of `lines`. */
export type PriceLineKind =
  | 'base'
  | 'distance'
  | 'time'
  | 'extra-stops'
  | 'way-back'
  | 'window'
  | 'minimum-fare'
  | 'coupon';

export interface PriceLine {
  kind: PriceLineKind;
  /** The amount that this line adds; negative for a coupon, and for a window that lowers the price. */
  cents: number;
}

export interface Price {
  /** Before the coupon. */
  grossCents: number;
  netCents: number;
  /**
   * The composition of the price. The lines add up to the net price, and without the coupon to the gross: each is
   * the difference of two rounded running totals, so it may differ from its own amount by a cent. Lines of zero
   * are omitted.
   */
  lines: PriceLine[];
}

/**
 * The price of a delivery, exact until the end: gross and net are each rounded half up once, and the net is
 * computed from the exact gross. The window multiplies everything before it, the minimum fare applies after the
 * window, and the coupon applies to the result, so a coupon may go below the minimum.
 */
export function priceDelivery(delivery: PricedDelivery): Price {
  const { tariff } = delivery;
  const perMetre = Exact.decimal(tariff.perKmCents).times(Exact.ratio(1, 1000));
  const perSecond = Exact.decimal(tariff.perMinuteCents).times(Exact.ratio(1, 60));
  const wayBack = perMetre
    .times(Exact.integer(delivery.backMetres))
    .plus(perSecond.times(Exact.integer(delivery.backSeconds)));
  const windowFactor = Exact.decimal(windowFactorAt(tariff, delivery.at, delivery.timeZone));

  const lines: PriceLine[] = [];
  let roundedSoFar = 0;
  const explain = (kind: PriceLineKind, total: Exact): Exact => {
    const rounded = total.roundHalfUp();
    if (rounded !== roundedSoFar) lines.push({ kind, cents: rounded - roundedSoFar });
    roundedSoFar = rounded;
    return total;
  };

  let total = explain('base', Exact.integer(tariff.baseCents));
  total = explain('distance', total.plus(perMetre.times(Exact.integer(delivery.outwardMetres))));
  total = explain('time', total.plus(perSecond.times(Exact.integer(delivery.outwardSeconds))));
  total = explain('extra-stops', total.plus(extraStops(tariff, delivery.stops)));
  total = explain('way-back', total.plus(wayBack.times(Exact.decimal(tariff.returnFactor))));
  total = explain('window', total.times(windowFactor));
  const gross = explain('minimum-fare', total.max(Exact.integer(tariff.minimumCents)));
  const net = explain('coupon', gross.times(shareAfter(delivery.discountPercent)));
  return { grossCents: gross.roundHalfUp(), netCents: net.roundHalfUp(), lines };
}

const extraStops = (tariff: Tariff, stops: number): Exact =>
  Exact.integer(tariff.perExtraStopCents).times(Exact.integer(Math.max(0, stops - 1)));

function shareAfter(discountPercent: string): Exact {
  const discount = Exact.decimal(discountPercent).times(Exact.ratio(1, 100));
  const share = Exact.integer(1).minus(discount);
  const nothing = Exact.integer(0);
  if (share.compare(nothing) < 0 || discount.compare(nothing) < 0)
    throw new RangeError(`not a discount: ${discountPercent} percent`);
  return share;
}

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
  if (tariff.windows.length === 0) return '1';
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
