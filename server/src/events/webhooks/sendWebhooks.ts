import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { centralsAhead, clockOf } from '../../platform/kernel/clock.ts';
import { lruCache } from '../../platform/kernel/lru.ts';
import { forEachIsolated, startRounds } from '../../platform/kernel/rounds.ts';
import type { SecretBox } from '../../platform/kernel/secretBox.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { findCentralsAhead, makeAheadDue } from './clockAheadStore.ts';
import {
  claimMessages,
  expireMessages,
  findExpiringCentrals,
  findSendingCentrals,
  markNotReceived,
  markReceived,
  releaseMessages,
} from './messageStore.ts';
import { postWebhook } from './postWebhook.ts';
import type { Resolve } from './publicAddress.ts';
import { RETRY_POLICY, type RetryPolicy } from './retryPolicy.ts';
import {
  type AttemptResult,
  isReceived,
  type MessageEvent,
  secretOwner,
  type WebhookMessage,
} from './webhook.ts';
import { signedHeaders, signingSecrets } from './webhookSecrets.ts';

const AT_ONCE = 256;
const AT_ONCE_PER_ENDPOINT = 8;
/** The places of a central that are required for each message in progress of one endpoint. */
const ROOM_PER_MESSAGE = 8;
/** Claims at the same time, each of one central. */
const CENTRALS_AT_ONCE = 2;
/** Claims are batched. Otherwise each change and each sent message would cause one. */
const ROUND_MS_MIN = 10;
/** How long attempts in progress may take at the end. */
const ENDING_MS = 3_000;
/** How often messages dated ahead of the clock are searched, besides whenever this clock was set back. */
const AHEAD_MS = 60_000;
/** How many webhooks with a reported unreadable secret are remembered. */
const UNREADABLE_MAX = 10_000;

export interface SenderOptions {
  /** Formats the message for integrators; provided by the border. */
  formatEvent: (event: MessageEvent, reader: { publicUrl: string }) => unknown;
  /** Begins the links in messages. Without it they are paths. */
  publicUrl?: string | undefined;
  allowPrivate: boolean;
  retryPolicy?: RetryPolicy;
  resolve?: Resolve;
  random?: () => number;
  onError: (error: unknown) => void;
  onSent?: (result: AttemptResult) => void;
  /** Once for each webhook whose secret cannot be decrypted. */
  onUnreadableSecret?: (webhook: { centralId: number; webhookId: number }) => void;
}

export interface WebhookSender {
  /** Called when messages may be due in a central or, without an id, in any central. */
  wake(centralId?: number): void;
  /** Attempts that do not end soon are aborted, and repeated by the next sender. */
  stop(): Promise<void>;
}

/** Sends due messages, then waits to be woken. Several senders may run at the same time. */
export function startWebhookSender(
  deps: Deps & { secrets: SecretBox },
  options: SenderOptions,
): WebhookSender {
  const { db, clock } = deps;
  const retryPolicy = options.retryPolicy ?? RETRY_POLICY;
  const holder = randomUUID();
  const underWay = new Map<WebhookMessage, Promise<void>>();
  const unreadable = lruCache<string, true>(UNREADABLE_MAX);
  const ending = new AbortController();
  /** Centrals with possibly due messages. All centrals are checked in the first round and at each poll. */
  let centralsDue = new Set<number>();
  let allAskedAt = Number.NEGATIVE_INFINITY;
  let aheadAskedAt = Number.NEGATIVE_INFINITY;
  let askedFor: Temporal.Instant | undefined;
  const holdUntil = (now: Temporal.Instant) => now.add({ milliseconds: Math.round(retryPolicy.hold * 1000) });
  const wake = (centralId?: number) => {
    if (centralId === undefined) allAskedAt = Number.NEGATIVE_INFINITY;
    else centralsDue.add(centralId);
    rounds.wake();
  };

  const attempt = async (message: WebhookMessage): Promise<void> => {
    try {
      const { centralId, webhookId, storedSecrets } = message;
      const owner = secretOwner(centralId, webhookId);
      const secrets = signingSecrets(deps.secrets, owner, storedSecrets);
      if (secrets.length > 0) {
        unreadable.delete(owner);
        await sendMessage(deps, message, secrets, retryPolicy, options, ending.signal);
        return;
      }
      if (!unreadable.has(owner)) options.onUnreadableSecret?.({ centralId, webhookId });
      unreadable.set(owner, true);
      // The receiver did not refuse it, so the message never fails for good: the webhook counts as failing.
      await db.beginIndependent((tx) =>
        markNotReceived(
          tx,
          { ...message, refusals: 0 },
          UNREADABLE_SECRET,
          retryPolicy,
          clockOf(clock, message.centralId).now(),
          options.random ?? Math.random,
        ),
      );
    } catch (error) {
      // The hold expires and the message is tried again.
      options.onError(error);
    } finally {
      underWay.delete(message);
      wake(message.centralId);
    }
  };

  const findCentrals = async (now: Temporal.Instant): Promise<number[]> => {
    const woken = centralsDue;
    centralsDue = new Set();
    if (performance.now() - allAskedAt < retryPolicy.poll * 1000) return [...woken];
    allAskedAt = performance.now();
    const isPutBack = askedFor !== undefined && Temporal.Instant.compare(now, askedFor) < 0;
    askedFor = now;
    if (isPutBack || allAskedAt - aheadAskedAt >= AHEAD_MS) {
      aheadAskedAt = allAskedAt;
      const heldUntil = holdUntil(now);
      const found = await findCentralsAhead(db, now, heldUntil);
      // Times of a sandbox whose clock was put forward are right.
      const wrong = found.filter((centralId) => clockOf(clock, centralId) === clock);
      await forEachIsolated(wrong, (centralId) =>
        db.beginIndependent((tx) => makeAheadDue(tx, centralId, now, heldUntil)),
      );
    }
    const early = centralsAhead(clock);
    await forEachIsolated([...(await findExpiringCentrals(db, now)), ...early], (centralId) =>
      expireMessages(db, centralId, clockOf(clock, centralId).now()),
    );
    return [...woken.union(new Set([...(await findSendingCentrals(db, now)), ...early]))];
  };

  const round = async (): Promise<void> => {
    if (underWay.size >= AT_ONCE) return;
    const centrals = await findCentrals(clock.now());
    // Each central has a share of the places, so that none waits for the messages of another.
    let places = AT_ONCE - underWay.size;
    const share = Math.max(AT_ONCE_PER_ENDPOINT, Math.ceil(places / centrals.length));
    const claimIn = async (centralId: number): Promise<void> => {
      // A central leaves as many places free as it uses, and its endpoints get fewer the fewer are left: receivers may
      // be slow or hostile, and messages to others, of the same central and of other centrals, must get through.
      const held = [...underWay.keys()].filter((message) => message.centralId === centralId);
      const room = Math.floor((places - held.length) / 2);
      const messagesMax = Math.min(share, Math.ceil(room / 2));
      const perEndpointMax = Math.min(AT_ONCE_PER_ENDPOINT, Math.ceil(room / ROOM_PER_MESSAGE));
      if (messagesMax <= 0) return void centralsDue.add(centralId);
      places -= messagesMax;
      const now = clockOf(clock, centralId).now();
      const messages = await claimMessages(db, centralId, {
        holder,
        now,
        heldUntil: holdUntil(now),
        messagesMax,
        perEndpointMax,
      });
      places += messagesMax - messages.length;
      for (const message of messages) underWay.set(message, attempt(message));
    };
    await forEachIsolated(centrals, claimIn, CENTRALS_AT_ONCE);
  };

  const rounds = startRounds({
    everyMs: retryPolicy.poll * 1000,
    round,
    onError: options.onError,
    beginsAtOnce: true,
    pauseMsMin: ROUND_MS_MIN,
  });

  return {
    wake,
    async stop() {
      await rounds.stop();
      const all = Promise.all(underWay.values());
      await Promise.race([all, sleep(ENDING_MS, undefined, { ref: false })]);
      const unfinished = [...underWay.keys()];
      ending.abort();
      await all;
      await forEachIsolated(
        [...Map.groupBy(unfinished, ({ centralId }) => centralId)],
        ([centralId, messages]) =>
          releaseMessages(
            db,
            centralId,
            holder,
            messages.map(({ id }) => id),
          ),
      ).catch(options.onError);
    },
  };
}

const UNREADABLE_SECRET: AttemptResult = {
  status: null,
  durationMs: 0,
  answer: null,
  error: 'the secret of this webhook cannot be decrypted: give it a new one',
};

async function sendMessage(
  { db, clock }: Deps,
  message: WebhookMessage,
  secrets: readonly string[],
  retryPolicy: RetryPolicy,
  options: SenderOptions,
  ending: AbortSignal,
): Promise<void> {
  const own = clockOf(clock, message.centralId);
  const begun = own.now();
  // A message that expires gets no more time than until then.
  const msLeft = message.expiresAt
    ? begun.until(message.expiresAt).total('milliseconds')
    : Number.POSITIVE_INFINITY;
  if (msLeft <= 0) {
    await releaseMessages(db, message.centralId, message.holder, [message.id]);
    return;
  }
  const body = JSON.stringify(options.formatEvent(message.event, { publicUrl: options.publicUrl ?? '' }));
  const result = await postWebhook(
    message.url,
    body,
    // Receivers compare it with their own clock, also that of a sandbox.
    signedHeaders(message.event.uid, clock.now(), body, secrets),
    { ...options, timeLimitMs: Math.ceil(Math.min(retryPolicy.attempt * 1000, msLeft)), signal: ending },
  );
  const received = isReceived(result);
  if (!received && ending.aborted) return;
  const now = own.now();
  await db.beginIndependent((tx) =>
    received
      ? markReceived(tx, message, result, now)
      : markNotReceived(tx, message, result, retryPolicy, now, options.random ?? Math.random),
  );
  options.onSent?.(result);
}
