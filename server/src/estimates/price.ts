import { Exact } from '../kernel/exact.ts';
import { type Tariff, windowFactorAt } from './tariff.ts';

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
