import { setTimeout as sleep } from 'node:timers/promises';
import { postWebhook } from '../../events/webhooks/postWebhook.ts';
import { RETRY_POLICY } from '../../events/webhooks/retryPolicy.ts';
import { type AttemptResult, isReceived } from '../../events/webhooks/webhook.ts';
import { signedHeaders } from '../../events/webhooks/webhookSecrets.ts';
import { systemClock } from '../../platform/kernel/clock.ts';
import { type ListenedEvent, subjectOf } from './listenedEvent.ts';

/** As many as the service sends to one webhook at a time. */
const AT_ONCE = 8;
/** More events than this wait in the service and not in memory. */
const WAITING_MAX = 1_000;
/** Shorter than those of the service, because a developer waits. */
const PAUSES_SECONDS = [1, 5, 30];

export interface Outcome {
  event: ListenedEvent;
  result: AttemptResult;
  /** Null: it was received, or is not tried again. */
  againInSeconds: number | null;
  attempts: number;
}

export interface Forwarder {
  /** Resolves when the next event can be taken. */
  take(event: ListenedEvent): Promise<void>;
  /** How many events were neither received nor given up, and the last one before them. */
  unfinished(): { count: number; afterId: string | undefined };
}

/**
 * Posts events to a local program as the service posts them to a webhook: signed, in order for each subject, several
 * subjects at a time, and again after a pause when the program does not answer with 2xx.
 */
export function forwardEvents({
  target,
  secret,
  onOutcome,
  signal,
}: {
  target: string;
  secret: string;
  onOutcome(outcome: Outcome): void;
  signal: AbortSignal;
}): Forwarder {
  const lanes = new Map<string, Promise<void>>();
  const places = turns(AT_ONCE);
  /** In the order of their arrival. */
  const waiting = new Map<string, ListenedEvent>();
  /** The last event of the part of the stream of which all is done. */
  let afterId: string | undefined;
  let lastTaken: string | undefined;
  let onRoom = () => {};

  const attempt = async (event: ListenedEvent): Promise<AttemptResult> => {
    const leave = await places();
    try {
      return await postWebhook(
        target,
        event.body,
        signedHeaders(event.uid, systemClock.now(), event.body, [secret]),
        { allowPrivate: true, timeLimitMs: RETRY_POLICY.attempt * 1000, signal },
      );
    } finally {
      leave();
    }
  };

  const deliver = async (event: ListenedEvent): Promise<void> => {
    for (let attempts = 1; !signal.aborted; attempts += 1) {
      const result = await attempt(event);
      if (signal.aborted) return;
      const again = isReceived(result) ? undefined : PAUSES_SECONDS[attempts - 1];
      onOutcome({ event, result, againInSeconds: again ?? null, attempts });
      if (again === undefined) break;
      await sleep(again * 1000, undefined, { signal }).catch(() => undefined);
    }
    if (signal.aborted) return;
    waiting.delete(event.id);
    // All before the oldest waiting event is done.
    const [oldest] = waiting.values();
    afterId = oldest ? oldest.previousId : lastTaken;
    onRoom();
  };

  return {
    async take(event) {
      waiting.set(event.id, { ...event, previousId: lastTaken });
      lastTaken = event.id;
      const subject = subjectOf(event);
      const lane = (lanes.get(subject) ?? Promise.resolve()).then(() => deliver(event));
      lanes.set(subject, lane);
      void lane.then(() => {
        if (lanes.get(subject) === lane) lanes.delete(subject);
      });
      if (waiting.size >= WAITING_MAX)
        await new Promise<void>((resolve) => {
          onRoom = () => {
            if (waiting.size < WAITING_MAX) resolve();
          };
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
    },
    unfinished: () => ({ count: waiting.size, afterId }),
  };
}

/** Admits so many at a time, in the order in which they ask. Resolves with the function that leaves. */
function turns(max: number): () => Promise<() => void> {
  let taken = 0;
  const queue: (() => void)[] = [];
  const leave = () => {
    const next = queue.shift();
    if (next) next();
    else taken -= 1;
  };
  return async () => {
    if (taken < max) taken += 1;
    else await new Promise<void>((resolve) => queue.push(resolve));
    return leave;
  };
}
