import type { Settings } from '../../centrals/central.ts';
import { Exact } from '../../platform/kernel/exact.ts';

/**
 * How much of a delivery its driver earns. A tariff may have a rule of its own; otherwise the central's settings
 * apply. It is agreed when a driver accepts, and a later change of the rule does not alter it.
 */
export type ShareRule =
  /** Nothing is entered: drivers are paid in another way. */
  | { kind: 'none' }
  /** A percentage of the price before the coupon: the central grants discounts, not the driver. "0" to "100". */
  | { kind: 'percent'; percent: string }
  /** Rates are decimal cents, as in a tariff. */
  | { kind: 'table'; baseCents: number; perKmCents: string; perStopCents: number };

/** The fields of a delivery that its share depends on. */
export interface SharedDelivery {
  /** Before the coupon. */
  grossCents: number;
  /** The planned way, with the way back. */
  metres: number;
  stops: number;
}

export function centralShare(settings: Settings): ShareRule {
  switch (settings.shareKind) {
    case 'none':
      return { kind: 'none' };
    case 'percent':
      return { kind: 'percent', percent: String(settings.sharePercent) };
    case 'table':
      return {
        kind: 'table',
        baseCents: settings.shareBaseCents,
        perKmCents: String(settings.sharePerKmCents),
        perStopCents: settings.sharePerStopCents,
      };
  }
}

/** The driver's share in cents, rounded half up once; null where none is agreed. */
export function driverShare(rule: ShareRule, { grossCents, metres, stops }: SharedDelivery): number | null {
  return exactShare(rule, grossCents, metres, stops)?.roundHalfUp() ?? null;
}

/**
 * The share of a cancelled delivery for which `doneCents` are charged before the coupon: the percentage of that amount,
 * or the share by the table in proportion to the price, at most the whole share.
 */
export function cancelledShare(
  rule: ShareRule,
  { grossCents, metres, stops }: SharedDelivery,
  doneCents: number,
): number | null {
  if (rule.kind !== 'table') return driverShare(rule, { grossCents: doneCents, metres, stops });
  const whole = exactShare(rule, grossCents, metres, stops)!;
  if (doneCents >= grossCents) return whole.roundHalfUp();
  return whole.times(Exact.ratio(doneCents, grossCents)).roundHalfUp();
}

function exactShare(rule: ShareRule, grossCents: number, metres: number, stops: number): Exact | null {
  switch (rule.kind) {
    case 'none':
      return null;
    case 'percent':
      return Exact.integer(grossCents).times(Exact.decimal(rule.percent)).times(Exact.ratio(1, 100));
    case 'table':
      return Exact.integer(rule.baseCents)
        .plus(Exact.decimal(rule.perKmCents).times(Exact.ratio(metres, 1000)))
        .plus(Exact.integer(rule.perStopCents).times(Exact.integer(stops)));
  }
}

/** A driver and the stops of a delivery that this driver concluded. */
export interface StopsDone {
  driverId: number;
  stops: number;
}

export interface SplitShare {
  driverId: number;
  cents: number;
}

/**
 * Splits the share of a delivery that several drivers carried by the stops that each concluded; with none concluded,
 * all of it goes to the last driver. The parts add up to the share: each is the difference of two rounded running
 * totals.
 */
export function splitShare(shareCents: number, drivers: readonly StopsDone[]): SplitShare[] {
  const all = drivers.reduce((sum, { stops }) => sum + stops, 0);
  if (all === 0) {
    const last = drivers.at(-1);
    return last ? [{ driverId: last.driverId, cents: shareCents }] : [];
  }
  let stopsBefore = 0;
  let centsBefore = 0;
  return drivers.map(({ driverId, stops }) => {
    stopsBefore += stops;
    const total = Exact.integer(shareCents).times(Exact.ratio(stopsBefore, all)).roundHalfUp();
    const cents = total - centsBefore;
    centsBefore = total;
    return { driverId, cents };
  });
}
