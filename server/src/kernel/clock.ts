/** Time is passed in, never read from the system, so tests control it. */
export interface Clock {
  now(): Temporal.Instant;
  /** The same instant in milliseconds since 1970, at a tenth of the cost: for code that every request runs. */
  milliseconds(): number;
}

export const systemClock: Clock = { now: () => Temporal.Now.instant(), milliseconds: () => Date.now() };

/** A clock that stands still. */
export const clockAt = (instant: Temporal.Instant): Clock => ({
  now: () => instant,
  milliseconds: () => instant.epochMilliseconds,
});

/**
 * The clocks of several processes differ by less. What is dated farther ahead than a clock and this tolerance allow was
 * written before that clock was put back, so nobody waits for it.
 */
export const CLOCK_TOLERANCE = { seconds: 60 };

/** The same in SQL: how far ahead of `now`, an expression, anything may be dated. */
export const latestDate = (now: string): string =>
  `${now}::timestamptz + interval '${CLOCK_TOLERANCE.seconds} seconds'`;

export const secondsBetween = (from: Temporal.Instant, to: Temporal.Instant): number =>
  (to.epochMilliseconds - from.epochMilliseconds) / 1000;
