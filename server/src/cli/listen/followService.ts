import { setTimeout as sleep } from 'node:timers/promises';
import { CommandFailed } from '../command.ts';
import { readMessages, type StreamMessage } from './readMessages.ts';
import { ask, explainRefusal, reasonOf, refusalText, type Service } from './service.ts';

/** The service sends something every 15 seconds. */
const SILENCE_MS = 45_000;
const PAUSE_MS_MIN = 1_000;
const PAUSE_MS_MAX = 30_000;
/** A stream that ends sooner counts as a failure, so that the pauses grow. */
const LASTING_MS = 5_000;
/** A continued stream repeats the events of the last minute. */
const KNOWN_MAX = 50_000;

export interface FollowOptions {
  service: Service;
  types: string | undefined;
  /** The point of the first reading: an instant or the id of an event. */
  since: string | undefined;
  /** Each event once. The stream is not read on meanwhile. */
  onMessage(message: StreamMessage): Promise<void>;
  onOpen(isFirst: boolean): void;
  /** Something that does not end the command. */
  onTrouble(text: string): void;
  signal: AbortSignal;
}

/**
 * Follows the live events of a service until it is stopped. A lost stream is opened again, and continues after the last
 * event; what the service repeats then is left out. Rejects when another attempt would not help.
 */
export async function followService(options: FollowOptions): Promise<void> {
  const { service, signal } = options;
  const known = new Set<string>();
  let lastId: string | undefined;
  let openings = 0;
  let failures = 0;
  let retryMs = PAUSE_MS_MIN;
  let { since } = options;
  let openedAt: number | undefined;
  const lasted = () => openedAt !== undefined && performance.now() - openedAt >= LASTING_MS;
  const fail = (text: string, seconds?: number): number => {
    const pause = Math.max(Math.min(PAUSE_MS_MIN * 2 ** failures, PAUSE_MS_MAX), (seconds ?? 0) * 1000);
    failures += 1;
    options.onTrouble(`${text}; next attempt in ${Math.round(pause / 1000)} s`);
    return pause;
  };

  const openStream = async (connection: AbortSignal): Promise<Response> => {
    const query = new URLSearchParams({
      ...(options.types && { tipos: options.types }),
      ...(since !== undefined && { desde: since }),
    });
    const headers = {
      accept: 'text/event-stream',
      ...(lastId !== undefined && { 'last-event-id': lastId }),
    };
    return ask(service, `/eventos${query.size > 0 ? `?${query}` : ''}`, { headers, signal: connection });
  };

  /** Returns how long to wait until the next attempt. */
  const attempt = async (connection: AbortController): Promise<number> => {
    const silence = setTimeout(() => connection.abort(new Error('nothing came from it')), SILENCE_MS);
    try {
      const response = await openStream(connection.signal);
      if (response.status !== 200) {
        const refusal = await explainRefusal(service, response.clone());
        if (refusal && response.status === 401 && openings > 0)
          throw new CommandFailed(
            `the token was revoked or has expired: the stream has ended (${await refusalText(response)})`,
          );
        if (refusal) throw refusal;
        return fail(await refusalText(response), Number(response.headers.get('retry-after')) || 0);
      }
      if (!response.headers.get('content-type')?.startsWith('text/event-stream') || !response.body)
        throw new CommandFailed(`${service.url} does not answer with a stream of events: is it a Malote?`);
      openedAt = performance.now();
      options.onOpen(openings === 0);
      openings += 1;
      // What is repeated when the stream continues is never from before its beginning.
      since ??= new Date(response.headers.get('date') ?? Date.now()).toISOString();
      for await (const message of readMessages(response.body, (ms) => {
        retryMs = ms;
      })) {
        silence.refresh();
        if (!message) continue;
        const uid = message.id.slice(message.id.indexOf('.') + 1);
        if (!known.has(uid)) {
          await options.onMessage(message);
          silence.refresh();
          known.add(uid);
          if (known.size > KNOWN_MAX) known.delete(known.values().next().value!);
        }
        lastId = message.id;
      }
      if (!lasted() && failures > 0) return fail('the stream ended at once');
      failures = 0;
      return retryMs;
    } finally {
      clearTimeout(silence);
    }
  };

  while (!signal.aborted) {
    const connection = new AbortController();
    const stop = () => connection.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    openedAt = undefined;
    let pause: number;
    try {
      pause = await attempt(connection);
    } catch (error) {
      if (error instanceof CommandFailed) throw error;
      if (signal.aborted) return;
      const reason = connection.signal.aborted
        ? (connection.signal.reason as Error).message
        : reasonOf(error);
      if (lasted()) failures = 0;
      pause = fail(`no connection to ${service.url}: ${reason}`);
    } finally {
      signal.removeEventListener('abort', stop);
      connection.abort();
    }
    await sleep(pause, undefined, { signal }).catch(() => undefined);
  }
}
