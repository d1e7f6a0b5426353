import type { Profile, Router } from '../../routing/router.ts';
import { type Phase, phaseOf, type TrackedJourney } from './trackedJourneyStore.ts';

/** The expected arrival, as a range. */
export interface Arrival {
  from: Temporal.Instant;
  until: Temporal.Instant;
}

const AT_PICKUP_SECONDS = 6 * 60;
const AT_STOP_SECONDS = 3 * 60;
const EARLY = 0.1;
const LATE = 0.3;
const MARGIN_SECONDS = 2 * 60;
const ROUND_MINUTES = 5;

/** True while a driver is on the way; not while the driver still has another delivery to finish. */
export type Arriving = 'to-pickup' | 'at-pickup' | 'on-the-way';
export const isArriving = (phase: Phase): phase is Arriving =>
  phase === 'to-pickup' || phase === 'at-pickup' || phase === 'on-the-way';

/**
 * The range of arrival: the route from the driver's position through the earlier stops, with a pause at each. Its
 * width is a share of the remaining time, so it narrows by itself. Undefined while no driver carries the stop.
 *
 * `router` is the straight-line estimator, because every open page requests this every few seconds.
 */
export async function arrivalOf(
  router: Router,
  journey: TrackedJourney,
  now: Temporal.Instant,
  profile: Profile = 'motorcycle',
): Promise<Arrival | null> {
  const phase = phaseOf(journey);
  if (!isArriving(phase)) return null;
  const started = phase === 'on-the-way';
  const from = (phase !== 'at-pickup' && journey.driverAt?.position) || journey.pickup;
  const way = [
    from,
    ...(phase === 'to-pickup' ? [journey.pickup] : []),
    ...journey.before,
    journey.destination,
  ];
  const { seconds } = await router.route(way, profile);
  const pauses = journey.before.length * AT_STOP_SECONDS + (started ? 0 : AT_PICKUP_SECONDS);
  const left = seconds + pauses;
  return {
    from: roundTo(now.add({ seconds: Math.round(left * (1 - EARLY)) }), 'floor'),
    until: roundTo(now.add({ seconds: Math.round(left * (1 + LATE)) + MARGIN_SECONDS }), 'ceil'),
  };
}

/** Times are rounded to five minutes; a range of zero width is widened. */
function roundTo(instant: Temporal.Instant, roundingMode: 'floor' | 'ceil'): Temporal.Instant {
  return instant.round({ smallestUnit: 'minute', roundingIncrement: ROUND_MINUTES, roundingMode });
}
