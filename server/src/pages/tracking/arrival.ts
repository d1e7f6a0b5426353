import type { Profile, Router } from '../../routing/router.ts';
import { type Phase, phaseOf, type TrackedJourney } from './trackedJourneyStore.ts';

/** When the order will be there, as a range. */
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

/** While somebody is about to bring it; one who has another delivery to finish first is not yet. */
export type Arriving = 'to-pickup' | 'at-pickup' | 'on-the-way';
export const isArriving = (phase: Phase): phase is Arriving =>
  phase === 'to-pickup' || phase === 'at-pickup' || phase === 'on-the-way';

/**
 * The range of arrival: the way from where the driver is over what comes before, with a pause at each place.
 * It narrows by itself, because its width is a share of what is left. None while nobody carries it.
 *
 * `router` is the straight-line estimator: this is asked for every few seconds by everybody who watches.
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

/** People read clocks in fives; and a range that ends as it begins is none. */
function roundTo(instant: Temporal.Instant, roundingMode: 'floor' | 'ceil'): Temporal.Instant {
  return instant.round({ smallestUnit: 'minute', roundingIncrement: ROUND_MINUTES, roundingMode });
}
