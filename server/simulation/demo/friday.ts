/*
 * A Friday evening of the demonstration: how many orders are open at a time. Pure functions of the local time.
 */

/** At 18:00, 19:00, … 23:00. */
const OPEN_AT_HOUR = [60, 150, 250, 250, 170, 60] as const;

export const FRIDAY_OPEN_MAX: number = Math.max(...OPEN_AT_HOUR);

/** The couriers of the demonstration are ten times as fast as real ones, so five hours pass in half an hour. */
const EVENING_MINUTES = 30;

/** So many orders should be open. One evening follows the other; between two full hours it changes evenly. */
export function fridayOpen(local: Temporal.PlainDateTime): number {
  const minutes = (local.minute % EVENING_MINUTES) + local.second / 60;
  const hour = (minutes / EVENING_MINUTES) * (OPEN_AT_HOUR.length - 1);
  const before = Math.floor(hour);
  const share = hour - before;
  return Math.round(OPEN_AT_HOUR[before]! * (1 - share) + OPEN_AT_HOUR[before + 1]! * share);
}

/** Few enough that a turn is short. */
export const FRIDAY_ORDERS_AT_ONCE = 4;

/** How many orders come in one turn: the more are missing, the more come. */
export const fridayOrders = (wanted: number, open: number): number =>
  Math.min(FRIDAY_ORDERS_AT_ONCE, Math.ceil(Math.max(0, wanted - open) / 10));
