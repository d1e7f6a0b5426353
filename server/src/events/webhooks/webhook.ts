import type { RecordedEvent, WantedType } from '../record/event.ts';

/**
 * An endpoint of an integrator that receives events.
 *
 * Messages are sent as soon as the change has committed, in order for each delivery. A failed message is tried again
 * after growing pauses, and later messages of the same delivery wait. An endpoint that fails several times in a row is
 * a failing one: it gets one message at a time, with growing pauses, and does not slow others. After a day of failures
 * it is paused until a user wakes it; no message is lost. The first accepted message makes it an ordinary one again,
 * and waiting messages are sent at once.
 */
export interface Webhook {
  id: number;
  companyId: number | null;
  url: string;
  types: readonly WantedType[];
  /** False: switched off by its owner. No messages are stored for it. */
  active: boolean;
  failures: number;
  failingSince: Temporal.Instant | null;
  /** When a failing one is tried again. */
  nextAttemptAt: Temporal.Instant | null;
  /** When the first refused message of one that is not failing is sent again. */
  retryAt: Temporal.Instant | null;
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

/** The maximum per company, and for the central itself. Limits the fan-out of an event. */
export const WEBHOOKS_MAX = 20;

/** How long the old secret also signs after a rotation. */
export const SECRET_OVERLAP_HOURS = 24;

/** waiting → delivered, failed or expired; a replay makes it wait again. */
export type MessageState = 'waiting' | 'delivered' | 'failed' | 'expired';

/** A message to send: the recorded event, and the secrets that sign it. */
export interface WebhookMessage {
  centralId: number;
  id: number;
  webhookId: number;
  /** The sender that holds it. */
  holder: string;
  url: string;
  /** The stored form of the secrets, the current one first. */
  storedSecrets: string[];
  /** How often it was refused while its endpoint accepted others. */
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

/** Standard Webhooks: any 2xx means received; redirects and all other statuses do not. */
export const isReceived = ({ status }: AttemptResult): boolean =>
  status !== null && status >= 200 && status < 300;

/** Secrets are encrypted for their webhook, so a secret cannot be decrypted in the row of another. */
export const secretOwner = (centralId: number, webhookId: number): string =>
  `webhook ${centralId}/${webhookId}`;
