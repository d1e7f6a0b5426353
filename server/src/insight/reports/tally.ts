import type { Position } from '../../platform/kernel/position.ts';
import type { FailureReason } from '../../platform/kernel/states.ts';
import { emptySpread, rangeOf } from './spread.ts';

/** An ended delivery with the fields that reports use. docs/reports.md defines each figure. */
export interface EndedDelivery {
  id: number;
  status: 'finished' | 'cancelled' | 'not_attended';
  companyId: number | null;
  driverId: number | null;
  pickup: Position;
  requestedAt: Temporal.Instant;
  promisedAt: Temporal.Instant;
  /** Whether a stop was handed over after the time that a caller promised for it. */
  missedWindow: boolean;
  acceptedAt: Temporal.Instant | null;
  startedAt: Temporal.Instant | null;
  /** When the last stop ordered with it was handed over; null: none was. */
  deliveredAt: Temporal.Instant | null;
  stopsDelivered: number;
  /** The reason of each failed stop ordered with it; null: no reason was given. */
  stopsFailed: readonly (FailureReason | null)[];
  cancellationReasonId: number | null;
  /** The distance saved by grouping others into it; null: it carried no others. */
  savedMetres: number | null;
}

export const MEASURES = ['accept', 'pickup', 'deliver', 'total'] as const;
export type Measure = (typeof MEASURES)[number];

interface Durations {
  count: number;
  seconds: number;
  spread: number[];
}

/** Counts of deliveries and durations of their parts. Two tallies can be added. */
export interface Tally {
  finished: number;
  promised: number;
  onTime: number;
  cancelled: number;
  notAttended: number;
  stopsDelivered: number;
  stopsFailed: number;
  grouped: number;
  savedMetres: number;
  times: Record<Measure, Durations>;
}

export const emptyTally = (): Tally => ({
  finished: 0,
  promised: 0,
  onTime: 0,
  cancelled: 0,
  notAttended: 0,
  stopsDelivered: 0,
  stopsFailed: 0,
  grouped: 0,
  savedMetres: 0,
  times: { accept: noDurations(), pickup: noDurations(), deliver: noDurations(), total: noDurations() },
});

const noDurations = (): Durations => ({ count: 0, seconds: 0, spread: emptySpread() });

/** A phone may report a step before the previous one; such a part counts as 0 seconds. */
const secondsBetween = (from: Temporal.Instant | null, to: Temporal.Instant | null): number | null =>
  from && to ? Math.max(0, Math.round((to.epochMilliseconds - from.epochMilliseconds) / 1000)) : null;

/** The durations of the parts of a delivery; null for a part that did not happen. */
const partsOf = (delivery: EndedDelivery): Record<Measure, number | null> => ({
  accept: secondsBetween(delivery.requestedAt, delivery.acceptedAt),
  pickup: secondsBetween(delivery.acceptedAt, delivery.startedAt),
  deliver: secondsBetween(delivery.startedAt, delivery.deliveredAt),
  total: secondsBetween(delivery.requestedAt, delivery.deliveredAt),
});

export function addTo(tally: Tally, delivery: EndedDelivery): void {
  if (delivery.status === 'cancelled') tally.cancelled += 1;
  if (delivery.status === 'not_attended') tally.notAttended += 1;
  tally.stopsFailed += delivery.stopsFailed.length;
  tally.stopsDelivered += delivery.stopsDelivered;
  if (delivery.status !== 'finished') return;
  tally.finished += 1;
  if (delivery.deliveredAt) {
    tally.promised += 1;
    const isOnTime = Temporal.Instant.compare(delivery.deliveredAt, delivery.promisedAt) <= 0;
    if (isOnTime && !delivery.missedWindow) tally.onTime += 1;
  }
  if (delivery.savedMetres !== null) {
    tally.grouped += 1;
    tally.savedMetres += delivery.savedMetres;
  }
  const parts = partsOf(delivery);
  for (const measure of MEASURES) {
    const seconds = parts[measure];
    if (seconds === null) continue;
    const durations = tally.times[measure];
    durations.count += 1;
    durations.seconds += seconds;
    durations.spread[rangeOf(seconds)]! += 1;
  }
}
