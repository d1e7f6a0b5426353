/** Time is passed in, never read from the system, so tests control it. */
export interface Clock {
  now(): Temporal.Instant;
  /** The present in milliseconds since 1970, at a tenth of the cost of `now`: for code that every request runs. */
  milliseconds(): number;
}

/** The clock of the service, with those of sandboxes that were put forward (centrals/centralClocks.ts). */
export interface CentralClocks extends Clock {
  of(centralId: number): Clock;
  /** The centrals whose clock is ahead of this one. */
  ahead(): number[];
}

const isOfCentrals = (clock: Clock): clock is CentralClocks => 'of' in clock;

/** The centrals whose clock is ahead, which a search by the time of the service does not find. */
export const centralsAhead = (clock: Clock): number[] => (isOfCentrals(clock) ? clock.ahead() : []);

/** The clock of one central. */
export const clockOf = (clock: Clock, centralId: number): Clock =>
  isOfCentrals(clock) ? clock.of(centralId) : clock;

/** The dependencies of work in one central, with its clock. */
export const inCentral = <Deps extends { clock?: Clock }>(deps: Deps, centralId: number): Deps => {
  const clock = deps.clock && clockOf(deps.clock, centralId);
  return clock === deps.clock ? deps : { ...deps, clock };
};

export const systemClock: Clock = { now: () => Temporal.Now.instant(), milliseconds: () => Date.now() };

/** A clock that stands still. */
export const clockAt = (instant: Temporal.Instant): Clock => ({
  now: () => instant,
  milliseconds: () => instant.epochMilliseconds,
});

/**
 * The clocks of several processes differ by less. A time that is farther ahead of the clock was stored before the clock
 * was set back, so no work waits for it.
 */
export const CLOCK_TOLERANCE = { seconds: 60 };

export const secondsBetween = (from: Temporal.Instant, to: Temporal.Instant): number =>
  (to.epochMilliseconds - from.epochMilliseconds) / 1000;
