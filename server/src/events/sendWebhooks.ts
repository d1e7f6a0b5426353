import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '../postgres/deps.ts';
import { postWebhook } from './postWebhook.ts';
import type { Resolve } from './resolvePublicName.ts';
import { PATIENCE, type RetryPolicy } from './retryPolicy.ts';
import {
  claimSendings,
  expireSendings,
  markNotReceived,
  markReceived,
  releaseSendings,
} from './sendingStore.ts';
import { signedHeaders } from './signWebhook.ts';
import { isReceived, type Sending, type SendingResult, type SentEvent } from './webhook.ts';

const AT_ONCE = 256;
const AT_ONCE_PER_ENDPOINT = 8;
/** Claims are made in batches: every change and every message sent would otherwise mean one of its own. */
const ROUND_MS_MIN = 10;
/** What is under way when the end is asked for may take this long. */
const ENDING_MS = 3_000;

export interface SenderOptions {
  /** The message in the integrators' words; made at the border. */
  formatEvent: (event: SentEvent) => unknown;
  allowPrivate: boolean;
  retryPolicy?: RetryPolicy;
  resolve?: Resolve;
  random?: () => number;
  onError: (error: unknown) => void;
  onSent?: (result: SendingResult) => void;
}

export interface WebhookSender {
  /** Something may be due. */
  wake(): void;
  /** Attempts that do not end soon are broken off, and made again by whoever comes next. */
  stop(): Promise<void>;
}

/** Sends what is due as long as there is something, then waits to be woken; several may run side by side. */
export function startWebhookSender(deps: Deps, options: SenderOptions): WebhookSender {
  const { db, clock } = deps;
  const retryPolicy = options.retryPolicy ?? PATIENCE;
  const holder = randomUUID();
  const underWay = new Map<Sending, Promise<void>>();
  const ending = new AbortController();
  let stopped = false;
  let woken = false;
  let wakeUp = () => {};
  const wake = () => {
    woken = true;
    wakeUp();
  };

  const attempt = async (sending: Sending): Promise<void> => {
    try {
      await sendOne(deps, sending, retryPolicy, options, ending.signal);
    } catch (error) {
      // The hold runs out and the message is tried again.
      options.onError(error);
    } finally {
      underWay.delete(sending);
      wake();
    }
  };

  const round = async (): Promise<void> => {
    const now = clock.now();
    const claimed = await db.beginIndependent(async (tx) => {
      await expireSendings(tx, now);
      return claimSendings(tx, {
        holder,
        now,
        heldUntil: now.add({ milliseconds: Math.round(retryPolicy.hold * 1000) }),
        most: AT_ONCE - underWay.size,
        mostPerEndpoint: AT_ONCE_PER_ENDPOINT,
      });
    });
    for (const sending of claimed) underWay.set(sending, attempt(sending));
  };

  const pause = async (): Promise<void> => {
    if (!woken && !stopped) {
      const { promise, resolve } = Promise.withResolvers<void>();
      wakeUp = resolve;
      const timer = setTimeout(resolve, retryPolicy.poll * 1000);
      await promise;
      clearTimeout(timer);
    }
    if (!stopped) await sleep(ROUND_MS_MIN);
    woken = false;
  };

  const loop = async (): Promise<void> => {
    while (!stopped) {
      if (underWay.size < AT_ONCE) await round().catch(options.onError);
      await pause();
    }
    const all = Promise.all(underWay.values());
    await Promise.race([all, sleep(ENDING_MS, undefined, { ref: false })]);
    const unfinished = [...underWay.keys()];
    ending.abort();
    await all;
    if (unfinished.length)
      await db.beginIndependent((tx) => releaseSendings(tx, holder, unfinished)).catch(options.onError);
  };

  const running = loop();
  return {
    wake,
    async stop() {
      stopped = true;
      wakeUp();
      await running;
    },
  };
}

async function sendOne(
  { db, clock }: Deps,
  sending: Sending,
  retryPolicy: RetryPolicy,
  options: SenderOptions,
  ending: AbortSignal,
): Promise<void> {
  const begun = clock.now();
  // What grows old on the way is given no longer than that.
  const msLeft = sending.expiresAt
    ? begun.until(sending.expiresAt).total('milliseconds')
    : Number.POSITIVE_INFINITY;
  if (msLeft <= 0) {
    await db.beginIndependent((tx) => releaseSendings(tx, sending.holder, [sending]));
    return;
  }
  const body = JSON.stringify(options.formatEvent(sending.event));
  const result = await postWebhook(
    sending.url,
    body,
    signedHeaders(sending.event.uid, begun, body, sending.secrets),
    { ...options, timeLimitMs: Math.ceil(Math.min(retryPolicy.attempt * 1000, msLeft)), signal: ending },
  );
  const received = isReceived(result);
  if (!received && ending.aborted) return;
  const now = clock.now();
  await db.beginIndependent((tx) =>
    received
      ? markReceived(tx, sending, result, now)
      : markNotReceived(tx, sending, result, retryPolicy, now, options.random ?? Math.random),
  );
  options.onSent?.(result);
}
