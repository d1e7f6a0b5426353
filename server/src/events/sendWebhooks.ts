import { randomUUID } from 'node:crypto';
import type { Needs } from '../postgres/needs.ts';
import { postWebhook } from './postWebhook.ts';
import { claimSendings, markNotReceived, markReceived } from './sendingStore.ts';
import { signedHeaders } from './signWebhook.ts';
import { isReceived, PATIENCE, type Patience, type Sending, type SentEvent } from './webhook.ts';

const AT_ONCE = 64;
const AT_ONCE_PER_ENDPOINT = 8;
/** Longer than an attempt may take: a message is taken over only from a dead sender. */
const HELD_SECONDS = 30;
const POLL_MS = 1_000;

export interface SenderOptions {
  /** The message in the integrators' words; made at the border. */
  formatEvent: (event: SentEvent) => unknown;
  allowPrivate: boolean;
  patience?: Patience;
  random?: () => number;
  onError: (error: unknown) => void;
  onSent?: (received: boolean) => void;
}

export interface WebhookSender {
  /** Something may be due. */
  wake(): void;
  stop(): Promise<void>;
}

/** Sends what is due as long as there is something, then waits to be woken; several may run side by side. */
export function startWebhookSender(needs: Needs, options: SenderOptions): WebhookSender {
  const holder = randomUUID();
  const underWay = new Set<Promise<void>>();
  let stopped = false;
  let waker: (() => void) | undefined;

  const attempt = async (sending: Sending): Promise<void> => {
    try {
      await sendOne(needs, sending, options);
    } catch (error) {
      // The hold runs out and the message is tried again.
      options.onError(error);
    }
  };

  const round = async (): Promise<void> => {
    const now = needs.clock.now();
    const claimed = await needs.db.beginAside((tx) =>
      claimSendings(tx, {
        holder,
        now,
        heldUntil: now.add({ seconds: HELD_SECONDS }),
        most: AT_ONCE - underWay.size,
        mostPerEndpoint: AT_ONCE_PER_ENDPOINT,
      }),
    );
    for (const sending of claimed) {
      const done: Promise<void> = attempt(sending).finally(() => {
        underWay.delete(done);
        waker?.();
      });
      underWay.add(done);
    }
  };

  const loop = async (): Promise<void> => {
    while (!stopped) {
      let woken = false;
      const wakeUp = new Promise<void>((resolve) => {
        waker = () => {
          woken = true;
          resolve();
        };
      });
      if (underWay.size < AT_ONCE) await round().catch(options.onError);
      if (stopped || woken) continue;
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([
        wakeUp,
        new Promise((resolve) => {
          timer = setTimeout(resolve, POLL_MS);
        }),
      ]);
      clearTimeout(timer);
    }
    await Promise.all(underWay);
  };

  const running = loop();
  return {
    wake: () => waker?.(),
    async stop() {
      stopped = true;
      waker?.();
      await running;
    },
  };
}

async function sendOne(needs: Needs, sending: Sending, options: SenderOptions): Promise<void> {
  const { db, clock } = needs;
  const body = JSON.stringify(options.formatEvent(sending.event));
  const headers = signedHeaders(sending.event.uid, clock.now(), body, sending.secrets);
  const result = await postWebhook(sending.url, body, headers, options);
  const now = clock.now();
  const received = isReceived(result);
  await db.beginAside((tx) =>
    received
      ? markReceived(tx, sending, result, now)
      : markNotReceived(
          tx,
          sending,
          result,
          options.patience ?? PATIENCE,
          now,
          options.random ?? Math.random,
        ),
  );
  options.onSent?.(received);
}
