import webPush from 'web-push';
import { countForEach } from '../kernel/rounds.ts';
import { postWebhook } from '../webhooks/postWebhook.ts';
import { isBrowserKey, openPushKeys, type PushDeps } from './pushKeys.ts';
import {
  deleteGoneSubscription,
  findCentralsWithPushes,
  type PushMessage,
  takePushMessages,
} from './pushStore.ts';

/** An offer that is as old as this is over, and a phone that wakes later reads its work anyway. */
const AGE_SECONDS_MAX = 60;
const AT_ONCE = 100;
const CENTRALS_AT_ONCE = 4;
const TIME_LIMIT_MS = 5_000;
/** RFC 8292 wants to know whom a push service may turn to. Used where the service has no public address. */
const NO_CONTACT = 'mailto:postmaster@malote.invalid';

/** Push services answer with these when a browser has withdrawn its subscription. */
const GONE = [404, 410];

export interface PushOptions {
  /** What a phone is told, in the words of the interface; made at the border. */
  formatPush: (message: PushMessage) => object;
  /** Private and loopback addresses, and plain http: for the demonstration and for tests only. */
  allowPrivate: boolean;
  /** The service's public address, given to push services as the contact; they take https only. */
  publicUrl?: string | undefined;
}

/**
 * Sends what waits, once each: a message that is lost wakes nobody, but no phone depends on it. Endpoints come from
 * browsers, so they are called as webhooks are, never within our own network. Answers with how many were received.
 */
export async function sendPushes(deps: PushDeps, options: PushOptions): Promise<number> {
  const centrals = await findCentralsWithPushes(deps.db);
  return countForEach(centrals, (centralId) => sendPushesOf(deps, options, centralId), CENTRALS_AT_ONCE);
}

async function sendPushesOf(deps: PushDeps, options: PushOptions, centralId: number): Promise<number> {
  const oldest = deps.clock.now().subtract({ seconds: AGE_SECONDS_MAX });
  let received = 0;
  for (;;) {
    const messages = await takePushMessages(deps.db, centralId, AT_ONCE);
    const fresh = messages.filter(({ queuedAt }) => Temporal.Instant.compare(queuedAt, oldest) >= 0);
    const results = await Promise.all(fresh.map((message) => send(deps, options, message)));
    received += results.filter(Boolean).length;
    if (messages.length < AT_ONCE) return received;
  }
}

async function send(deps: PushDeps, options: PushOptions, message: PushMessage): Promise<boolean> {
  const { centralId, deviceId, endpoint, p256dh, auth } = message;
  const keys = await openPushKeys(deps, centralId);
  if (!keys) return false;
  // One that nothing can be encrypted for is as good as gone, and holds up no other phone.
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
