import type { Clock } from '../../server/src/platform/kernel/clock.ts';

export interface TestClock extends Clock {
  advance(duration: Temporal.DurationLike): void;
  set(instant: string): void;
}

/** A clock that starts on a Monday at noon in São Paulo. */
export function testClock(start = '2026-11-16T15:00:00Z'): TestClock {
  let now = Temporal.Instant.from(start);
  return {
    now: () => now,
    milliseconds: () => now.epochMilliseconds,
    advance: (duration) => {
      now = now.add(duration);
    },
    set: (instant) => {
      now = Temporal.Instant.from(instant);
    },
  };
}
