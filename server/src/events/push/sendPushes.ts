import { setTimeout as sleep } from 'node:timers/promises';
import webPush from 'web-push';
import { lruCache } from '../../platform/kernel/lru.ts';
import { forEachIsolated, startRounds } from '../../platform/kernel/rounds.ts';
import { postWebhook } from '../webhooks/postWebhook.ts';
import { isBrowserKey, openPushKeys, type PushDeps } from './pushKeys.ts';
import {
  deleteGoneSubscription,
  findCentralsWithPushes,
  type PushMessage,
  takePushMessages,
} from './pushStore.ts';

/** An older offer has ended, and a phone that wakes later reads its work anyway. */
const AGE_SECONDS_MAX = 60;
/** Messages in progress. The lower limits leave room for others while a push service does not answer. */
const AT_ONCE = 500;
const AT_ONCE_PER_CENTRAL = 50;
const AT_ONCE_PER_PHONE = 2;
const CENTRALS_AT_ONCE = 4;
const EVERY_MS = 1_000;
/** Answers within this time start one round together. */
const ROUND_MS_MIN = 50;
/** How many centrals with a reported unreadable key are remembered. */
const UNREADABLE_MAX = 10_000;
const ENDING_MS = 5_000;
const TIME_LIMIT_MS = 5_000;
/** RFC 8292 asks for a contact. Used if the service has no public address. */
const NO_CONTACT = 'mailto:postmaster@malote.invalid';

/** Push services answer with these when a browser has withdrawn its subscription. */
const GONE = [404, 410];

export interface PushOptions {
  /** Formats the payload in the terms of the interface; provided by the border. */
  formatPush: (message: PushMessage) => object;
  /** Private and loopback addresses, and plain http: for the demonstration and for tests only. */
  allowPrivate: boolean;
  /** The service's public address, given to push services as the contact; they take https only. */
  publicUrl?: string | undefined;
  onError(error: unknown): void;
  /** Once for each central whose private key cannot be decrypted: none of its phones is woken. */
  onUnreadableKey?(centralId: number): void;
}

export interface PushSender {
  /** Begins to send waiting messages without awaiting answers. True if there may be more than could be begun. */
  round(): Promise<boolean>;
  /** Resolves when all messages begun are answered or given up, with the number received. */
  idle(): Promise<number>;
}

/**
 * Sends each waiting message once. A lost message wakes no phone, but no phone depends on it. Endpoints come from
 * browsers, so they are called like webhooks, never within the service's own network. An endpoint that does not answer
 * delays neither other centrals nor other phones.
 */
export function pushSender(deps: PushDeps, options: PushOptions & { onAnswered?(): void }): PushSender {
  const underWay = new Map<Promise<void>, PushMessage>();
  const unreadable = lruCache<number, true>(UNREADABLE_MAX);
  const onUnreadableKey = (centralId: number): void => {
    if (!unreadable.has(centralId)) options.onUnreadableKey?.(centralId);
    unreadable.set(centralId, true);
  };
  const sendOptions = { ...options, onUnreadableKey };
  let received = 0;
  const countOf = (is: (message: PushMessage) => boolean): number =>
    underWay.values().filter(is).toArray().length;

  const begin = (message: PushMessage): void => {
    const sending = send(deps, sendOptions, message)
      .then((isReceived) => {
        received += isReceived ? 1 : 0;
      }, options.onError)
      .finally(() => {
        underWay.delete(sending);
        options.onAnswered?.();
      });
    underWay.set(sending, message);
  };

  const beginIn = async (centralId: number): Promise<boolean> => {
    const ofCentral = countOf((message) => message.centralId === centralId);
    const places = Math.min(AT_ONCE_PER_CENTRAL - ofCentral, AT_ONCE - underWay.size);
    if (places <= 0) return true;
    const oldest = deps.clock.now().subtract({ seconds: AGE_SECONDS_MAX });
    const messages = await takePushMessages(deps.db, centralId, places);
    for (const message of messages) {
      if (Temporal.Instant.compare(message.queuedAt, oldest) < 0) continue;
      const { deviceId } = message;
      const toPhone = countOf((each) => each.centralId === centralId && each.deviceId === deviceId);
      // A phone that does not accept messages now reads its work when it wakes.
      if (toPhone < AT_ONCE_PER_PHONE) begin(message);
    }
    return messages.length === places;
  };

  return {
    async round() {
      let isMore = false;
      await forEachIsolated(
        await findCentralsWithPushes(deps.db),
        async (centralId) => {
          if (await beginIn(centralId)) isMore = true;
        },
        CENTRALS_AT_ONCE,
      );
      return isMore;
    },
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay.keys());
      return received;
    },
  };
}

/** Sends in rounds until it is stopped. */
export function startPushes(deps: PushDeps, options: PushOptions): { stop(): Promise<void> } {
  let isMore = false;
  const sender = pushSender(deps, { ...options, onAnswered: () => isMore && rounds.wake() });
  const round = async () => {
    isMore = await sender.round();
  };
  const rounds = startRounds({
    everyMs: EVERY_MS,
    round,
    onError: options.onError,
    pauseMsMin: ROUND_MS_MIN,
  });
  return {
    async stop() {
      await rounds.stop();
      await Promise.race([sender.idle(), sleep(ENDING_MS, undefined, { ref: false })]);
    },
  };
}

async function send(deps: PushDeps, options: PushOptions, message: PushMessage): Promise<boolean> {
  const { centralId, deviceId, endpoint, p256dh, auth } = message;
  const keys = await openPushKeys(deps, centralId);
  if (keys === 'unreadable') options.onUnreadableKey?.(centralId);
  if (!keys || keys === 'unreadable') return false;
  // A subscription with an invalid key is deleted like a gone one, and does not block other phones.
  if (!isBrowserKey(p256dh)) {
    await deleteGoneSubscription(deps.db, centralId, deviceId, endpoint);
    return false;
  }
  const { headers, body } = webPush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    JSON.stringify(options.formatPush(message)),
    { vapidDetails: { subject: contactOf(options), ...keys }, TTL: AGE_SECONDS_MAX, urgency: 'high' },
  );
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  const { status } = await postWebhook(endpoint, body ?? '', sent, {
    allowPrivate: options.allowPrivate,
    timeLimitMs: TIME_LIMIT_MS,
  });
  if (status !== null && GONE.includes(status))
    await deleteGoneSubscription(deps.db, centralId, deviceId, endpoint);
  return status !== null && status >= 200 && status < 300;
}

const contactOf = ({ publicUrl }: PushOptions): string =>
  publicUrl?.startsWith('https://') ? publicUrl : NO_CONTACT;
