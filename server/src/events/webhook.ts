import type { EventPayload, EventType } from './event.ts';

/**
 * An endpoint of an integrator that is told of events.
 *
 * Messages go out as soon as the change has committed, in order for each delivery. One that fails is tried
 * again after growing pauses, and the endpoint's other messages wait with it: a failing endpoint slows down
 * alone. After a day of failures it is paused, and waits for somebody to wake it; nothing of it is lost.
 */
export interface Webhook {
  id: number;
  companyId: number | null;
  url: string;
  types: readonly EventType[];
  active: boolean;
  failures: number;
  failingSince: Temporal.Instant | null;
  pausedAt: Temporal.Instant | null;
  createdAt: Temporal.Instant;
}

/** What is sent: the event as it was recorded, and how to sign it. */
export interface Sending {
  centralId: number;
  id: number;
  webhookId: number;
  url: string;
  secrets: string[];
  attempts: number;
  event: SentEvent;
}

export interface SentEvent {
  uid: string;
  type: EventType;
  companyId: number | null;
  deliveryId: number | null;
  scheduledId: number | null;
  sequence: number | null;
  payload: EventPayload;
  occurredAt: Temporal.Instant;
  timeZone: string;
}

export interface SendingResult {
  /** Null when there was no answer at all. */
  status: number | null;
  durationMs: number;
  /** The first bytes of the answer, for the sending log. */
  answer: string | null;
  error: string | null;
}

/** Standard Webhooks: any 2xx says "received"; a redirect or anything else does not. */
export const isReceived = ({ status }: SendingResult): boolean =>
  status !== null && status >= 200 && status < 300;

const SECOND = 1;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How patient a sender is, in seconds. */
export interface Patience {
  /** Before a message's second attempt, its third …; after the last one it has failed. */
  messagePauses: readonly number[];
  /** So many failures in a row make an endpoint a failing one, … */
  failingAfter: number;
  /** … which is tried with one message at a time, at first after the first pause, then the second … */
  endpointPauses: readonly number[];
  /** … and paused when that has gone on for so long. */
  pausedAfter: number;
}

/** A message is tried for more than 24 hours; a failing endpoint is looked after at least every hour. */
export const PATIENCE: Patience = {
  messagePauses: [
    5 * SECOND,
    30 * SECOND,
    2 * MINUTE,
    10 * MINUTE,
    30 * MINUTE,
    HOUR,
    2 * HOUR,
    4 * HOUR,
    6 * HOUR,
    12 * HOUR,
  ],
  failingAfter: 3,
  endpointPauses: [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR],
  pausedAfter: 24 * HOUR,
};

const JITTER = 0.2;

/** A little earlier or later, so that many messages that failed together do not come back together. */
export const withJitter = (seconds: number, random: () => number): number =>
  seconds * (1 - JITTER + 2 * JITTER * random());
