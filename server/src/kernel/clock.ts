/** Time is passed in, never read from the system, so tests control it. */
export interface Clock {
  now(): Temporal.Instant;
  /** The same since 1970 as a number, at a tenth of the cost: for what every request asks. */
  milliseconds(): number;
}

export const systemClock: Clock = { now: () => Temporal.Now.instant(), milliseconds: () => Date.now() };

/** A clock that stands still. */
export const clockAt = (instant: Temporal.Instant): Clock => ({
  now: () => instant,
  milliseconds: () => instant.epochMilliseconds,
});

export const secondsBetween = (from: Temporal.Instant, to: Temporal.Instant): number =>
  (to.epochMilliseconds - from.epochMilliseconds) / 1000;
