import type { RecordedEvent, WantedType } from '../events/event.ts';

/**
 * An endpoint of an integrator that receives events.
 *
 * Messages go out as soon as the change has committed, in order for each delivery. One that fails is tried
 * again after growing pauses, and what comes after it for the same delivery waits. An endpoint that fails
 * several times in a row is a failing one: it is given one message at a time, ever more rarely, so it slows
 * down alone. After a day of failures it is paused, and waits for somebody to wake it; nothing of it is lost.
 * The first message that it takes again makes it an ordinary one, and what waited is sent at once.
 */
export interface Webhook {
  id: number;
  companyId: number | null;
  url: string;
  types: readonly WantedType[];
  /** False: whoever registered it wants no messages for now, and none are kept for it. */
  active: boolean;
  failures: number;
  failingSince: Temporal.Instant | null;
  nextAttemptAt: Temporal.Instant | null;
  pausedAt: Temporal.Instant | null;
  previousSecretUntil: Temporal.Instant | null;
  createdAt: Temporal.Instant;
}

export type WebhookState = 'active' | 'failing' | 'paused' | 'inactive';

export function webhookState({ active, pausedAt, nextAttemptAt }: Webhook): WebhookState {
  if (!active) return 'inactive';
  if (pausedAt !== null) return 'paused';
  return nextAttemptAt === null ? 'active' : 'failing';
}

/** Whatever a manager's company or a whole central registers, an event is fanned out to so many at most. */
export const WEBHOOKS_MAX = 20;

/** After a rotation the old secret signs too, for so long. */
export const SECRET_OVERLAP_HOURS = 24;

/** waiting → delivered, failed or expired; a replay makes it wait again. */
export type MessageState = 'waiting' | 'delivered' | 'failed' | 'expired';

/** What is sent: the event as it was recorded, and how to sign it. */
export interface WebhookMessage {
  centralId: number;
  id: number;
  webhookId: number;
  /** The sender that holds it. */
  holder: string;
  url: string;
  /** As they are stored: the current one first. */
  storedSecrets: string[];
  /** How often it was refused while its endpoint took others. */
  refusals: number;
  expiresAt: Temporal.Instant | null;
  event: MessageEvent;
}

/** The event of a message, and its central's time zone. */
export type MessageEvent = RecordedEvent & { uid: string; timeZone: string };

export interface AttemptResult {
  /** Null when there was no answer at all. */
  status: number | null;
  durationMs: number;
  /** The first bytes of the answer, for the message log. */
  answer: string | null;
  error: string | null;
}

/** Standard Webhooks: any 2xx says "received"; a redirect or anything else does not. */
export const isReceived = ({ status }: AttemptResult): boolean =>
  status !== null && status >= 200 && status < 300;

/** Secrets are encrypted for their webhook, so a row does not open with the secret of another. */
export const secretOwner = (centralId: number, webhookId: number): string =>
  `webhook ${centralId}/${webhookId}`;
