import type { Language } from '../../api/http/envelope.ts';
import type { Central } from '../../centrals/central.ts';
import { writtenCode } from '../../deliveries/deliveries/concludeStop.ts';
import { isOver } from '../../deliveries/deliveries/status.ts';
import { estimateArrivals } from '../../deliveries/tracking/estimateArrivals.ts';
import type { Profile, Router } from '../../geo/routing/router.ts';
import type { Position } from '../../platform/kernel/position.ts';
import {
  isPhotoAwaited,
  type Phase,
  POSITION_FRESH_SECONDS,
  phaseOf,
  type TrackedAttempt,
  type TrackedJourney,
} from './trackedJourneyStore.ts';
import { type Arriving, fill, trackingWords } from './trackingWords.ts';
import { VEHICLE_ICONS } from './vehicleIcons.ts';

/** The texts of the page, for the first paint and for every update. */
export interface TrackingView {
  phase: Phase;
  /** The reached step of four, from 0; null when the delivery ended another way. */
  step: number | null;
  sentence: string;
  detail: string;
  /** The failed visits, and what follows; empty without failed visits. */
  attempts: string;
  driver: { name: string; vehicle: string; plate: string } | null;
  /** The icon of the vehicle, an SVG path of 24 by 24. */
  icon: string;
  code: string | null;
  /** The path of the photo of the hand-over, if there is one and the central shows it. */
  photo: string | null;
  positionNote: string;
  driverAt: Position | null;
  isOld: boolean;
  destination: Position;
  updated: string;
  /** Local time of the central. */
  time: string;
  /** No further change is possible. */
  over: boolean;
}

const stepOf: Record<Phase, number | null> = {
  received: 0,
  searching: 0,
  'after-another': 0,
  'to-pickup': 1,
  'at-pickup': 1,
  'on-the-way': 2,
  delivered: 3,
  'not-delivered': null,
  cancelled: null,
  'not-attended': null,
};

export function trackingView(
  central: Central,
  journey: TrackedJourney,
  { arrival, photo }: { arrival: Arrival | null; photo: string | null },
  now: Temporal.Instant,
  language: Language,
): TrackingView {
  const words = trackingWords[language];
  const phase = phaseOf(journey);
  const clock = (instant: Temporal.Instant) =>
    instant.toZonedDateTimeISO(central.timeZone).toPlainTime().toString({ smallestUnit: 'minute' });
  const over =
    phase === 'delivered' || phase === 'cancelled' || phase === 'not-attended' || hasEnded(journey);
  const isGivenUp = phase === 'not-delivered';
  const hasPhoto = central.settings.proofOnTracking ? photo !== null : null;
  const driver = (over || isGivenUp) && phase !== 'delivered' ? null : journey.driver;
  const ageSeconds = journey.driverAt ? now.since(journey.driverAt.at).total('seconds') : 0;
  const isOld = ageSeconds > POSITION_FRESH_SECONDS;
  const driverAt = over || isGivenUp ? null : (journey.driverAt?.position ?? null);
  return {
    phase,
    step: stepOf[phase],
    sentence: sentenceOf(),
    detail: detailOf(),
    attempts: attemptsOf(),
    driver: driver && {
      name: driver.firstName,
      vehicle: vehicleOf(driver),
      plate: driver.plate,
    },
    icon: VEHICLE_ICONS[kindOf(driver)],
    code:
      central.settings.confirmationCode && !over && !isGivenUp && journey.confirmationCode !== null
        ? writtenCode(journey.confirmationCode)
        : null,
    photo,
    positionNote: positionNote(),
    driverAt,
    isOld,
    destination: journey.destination,
    updated: fill(words.updated, { time: clock(now) }),
    time: clock(now),
    over: over && !isPhotoAwaited({ ...journey, hasPhoto }, now),
  };

  /** The driver's vehicle decides, because it may differ from the ordered category. */
  function kindOf(by: TrackedJourney['driver']): Profile | 'unknown' {
    if (by?.profile) return by.profile;
    return by?.vehicle ? 'unknown' : journey.profile;
  }

  function vehicleOf(by: NonNullable<TrackedJourney['driver']>): string {
    return [by.vehicle || words.vehicles[by.profile ?? journey.profile], by.color].filter(Boolean).join(', ');
  }

  function sentenceOf(): string {
    const name = journey.driver?.firstName ?? words.driver;
    if (arrival && isArriving(phase))
      return fill(words.arriving[phase], {
        driver: name,
        from: clock(arrival.from),
        until: clock(arrival.until),
      });
    return fill(words.sentences[phase], { driver: name });
  }

  function detailOf(): string {
    const count = journey.before.length;
    if (phase === 'on-the-way' || (isArriving(phase) && count > 0)) {
      return fill(words.queue[count === 0 ? 'none' : count === 1 ? 'one' : 'many'], { count });
    }
    if (phase === 'delivered' && journey.endedAt)
      return fill(words.deliveredAt, { when: whenOf(journey.endedAt) });
    return phase === 'cancelled' || phase === 'not-attended' ? words.ended[phase] : '';
  }

  /** The time of day, with the date unless it is today. */
  function whenOf(instant: Temporal.Instant): string {
    const time = clock(instant);
    const [day, today] = [instant, now].map((each) =>
      each.toZonedDateTimeISO(central.timeZone).toPlainDate(),
    ) as [Temporal.PlainDate, Temporal.PlainDate];
    if (day.equals(today)) return fill(words.today, { time });
    const locale = language === 'pt' ? 'pt-BR' : 'en-GB';
    return fill(words.onDay, { time, date: day.toLocaleString(locale) });
  }

  function attemptsOf(): string {
    const last = journey.attempts.at(-1);
    if (phase === 'delivered' || !last) return '';
    const sentences = journey.attempts.map(({ reason, happenedAt }) =>
      fill(words.attempt[reason], { when: whenOf(happenedAt) }),
    );
    const shop = journey.shop?.name ?? words.theShop;
    return [...sentences, fill(words.follows[whatFollows(last)], { shop })].join('\n');
  }

  function whatFollows({ decision, isOrderedAgain }: TrackedAttempt): keyof (typeof words)['follows'] {
    if (isOrderedAgain) return 'orderedAgain';
    // After a cancellation nothing follows any more.
    if (journey.status === 'cancelled') return 'leave';
    if (decision === 'return' && journey.status === 'finished') return 'returned';
    return decision === 'retry' && journey.before.length === 0 ? 'retryNext' : decision;
  }

  function positionNote(): string {
    if (isGivenUp || over) return '';
    if (!driverAt) return isArriving(phase) ? words.mapUnknown : words.mapNone;
    return isOld ? fill(words.mapOld, { age: ageOf(ageSeconds) }) : '';
  }

  function ageOf(seconds: number): string {
    const minutes = Math.max(1, Math.floor(seconds / 60));
    const hours = Math.floor(minutes / 60);
    if (hours < 1) return fill(words.ages.minutes, { count: minutes });
    return hours < 48
      ? fill(words.ages.hours, { count: hours })
      : fill(words.ages.days, { count: Math.floor(hours / 24) });
  }
}

/** Whether nothing can change any more. A given-up stop can be reopened while its delivery is in progress. */
const hasEnded = ({ status }: TrackedJourney): boolean => isOver(status);

/** The expected arrival, as a range. */
interface Arrival {
  from: Temporal.Instant;
  until: Temporal.Instant;
}

const EARLY = 0.1;
const LATE = 0.3;
const MARGIN_SECONDS = 2 * 60;
const ROUND_MINUTES = 5;

/** True while a driver is on the way; not while the driver still has another delivery to finish. */
const isArriving = (phase: Phase): phase is Arriving =>
  phase === 'to-pickup' || phase === 'at-pickup' || phase === 'on-the-way';

/**
 * The estimate begins at the last known position of the driver, as if it were current. Most ways within a city take
 * less than this time, so after a longer silence the driver may be anywhere, and the range would only move with the
 * clock.
 */
const POSITION_USABLE_MINUTES = 30;

/** The time of the position at which the estimate begins. */
function placeKnownAt({ driverAt, acceptedAt, arrivedAt, startedAt }: TrackedJourney, phase: Arriving) {
  // The status shows that the driver is at the pickup, whatever the age of the position.
  if (phase === 'at-pickup' && arrivedAt)
    return driverAt && Temporal.Instant.compare(driverAt.at, arrivedAt) > 0 ? driverAt.at : arrivedAt;
  // Without a position, the way begins at the pickup, at the time of the last step.
  return driverAt?.at ?? (phase === 'on-the-way' ? startedAt : acceptedAt);
}

/**
 * The range of arrival: the route from the driver's position through the earlier stops, with a pause at each. Its
 * width is a share of the remaining time, so it narrows by itself. Null while no driver carries the stop, and while
 * nobody knows where the driver is.
 *
 * `router` is the straight-line estimator, because every open page requests this every few seconds.
 */
export async function arrivalOf(
  router: Router,
  journey: TrackedJourney,
  now: Temporal.Instant,
): Promise<Arrival | null> {
  const phase = phaseOf(journey);
  if (!isArriving(phase)) return null;
  const knownAt = placeKnownAt(journey, phase);
  if (!knownAt || now.since(knownAt).total('minutes') > POSITION_USABLE_MINUTES) return null;
  const left = {
    driverAt: journey.driverAt?.position ?? null,
    progress: phase === 'on-the-way' ? ('started' as const) : phase,
    toVisit: [...journey.before, journey.destination],
  };
  const { toStops } = await estimateArrivals(router, journey.planned, left, journey.profile);
  const seconds = toStops.at(-1)!;
  return {
    from: roundTo(now.add({ seconds: Math.round(seconds * (1 - EARLY)) }), 'floor'),
    until: roundTo(now.add({ seconds: Math.round(seconds * (1 + LATE)) + MARGIN_SECONDS }), 'ceil'),
  };
}

/** Times are rounded to five minutes; a range of zero width is widened. */
function roundTo(instant: Temporal.Instant, roundingMode: 'floor' | 'ceil'): Temporal.Instant {
  return instant.round({ smallestUnit: 'minute', roundingIncrement: ROUND_MINUTES, roundingMode });
}
