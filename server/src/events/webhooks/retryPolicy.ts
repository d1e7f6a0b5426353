const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** The times of attempts and pauses, in seconds. */
export interface RetryPolicy {
  /** The time limit of one attempt. */
  attempt: number;
  /** Longer than an attempt may take, so that a message is taken over only from a sender that died. */
  hold: number;
  /** The pauses after a message's first refusal, its second …. After a further refusal the message has failed. */
  messagePauses: readonly number[];
  /** The number of failures in a row that make an endpoint a failing one, … */
  failingAfter: number;
  /** … which gets one message at a time, with these pauses, … */
  endpointPauses: readonly number[];
  /** … and is paused after failing for this long. */
  pausedAfter: number;
  /** How often a sender polls for due messages. */
  poll: number;
}

/** A message is tried for more than 24 hours; a failing endpoint is tried at least every hour or so. */
export const RETRY_POLICY: RetryPolicy = {
  attempt: 10,
  hold: 20,
  messagePauses: [5, 30, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 6 * HOUR, 12 * HOUR],
  failingAfter: 3,
  endpointPauses: [5, 30, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR],
  pausedAfter: 24 * HOUR,
  poll: 1,
};

const JITTER = 0.2;

/** Up to a fifth longer, so that many messages that failed together do not come back together. */
const withJitter = (seconds: number, random: () => number): number => seconds * (1 + JITTER * random());

/**
 * When a message is tried again that its endpoint refused while accepting others; null when it has failed for good. If
 * the endpoint itself fails, its messages wait for it instead.
 */
export function nextAttempt(
  { messagePauses }: RetryPolicy,
  refusals: number,
  now: Temporal.Instant,
  random: () => number,
): Temporal.Instant | null {
  const pause = messagePauses[refusals - 1];
  return pause === undefined ? null : after(now, withJitter(pause, random));
}

/** The pause of an endpoint after so many failures in a row. */
export function endpointPause(
  { failingAfter, endpointPauses, pausedAfter }: RetryPolicy,
  failures: number,
  failingSince: Temporal.Instant,
  now: Temporal.Instant,
  random: () => number,
): { nextAttemptAt: Temporal.Instant | null; paused: boolean } {
  if (failures < failingAfter) return { nextAttemptAt: null, paused: false };
  const pause = endpointPauses[Math.min(failures - failingAfter, endpointPauses.length - 1)]!;
  return {
    nextAttemptAt: after(now, withJitter(pause, random)),
    // A few failures with long intervals do not count as a day of failures.
    paused: failures > endpointPauses.length && now.since(failingSince).total('seconds') >= pausedAfter,
  };
}

const after = (now: Temporal.Instant, seconds: number): Temporal.Instant =>
  now.add({ milliseconds: Math.round(seconds * 1000) });
