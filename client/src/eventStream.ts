import type { WebhookEvent } from './events.ts';
import { pause } from './retry.ts';

export interface ListenOptions {
  /** Only events of these types. */
  types?: readonly WebhookEvent['type'][];
  /** Begins with past events: from this moment on (ISO 8601 with offset), or after the event with this id. */
  since?: string;
  /** The `streamId` of the last event that your program has dealt with. */
  after?: string;
  /** Ends the listening. */
  signal?: AbortSignal;
}

/** An event as a webhook carries it. */
export type LiveEvent = WebhookEvent & {
  /** The `webhook-id`, the same as in a webhook. */
  id: string;
  /** The event's place in the stream: with it as `after` one goes on from here. */
  streamId: string;
};

/** Opens the stream, after the given event. Throws what should end the listening. */
export type OpenStream = (lastEventId: string | undefined, signal: AbortSignal) => Promise<Response>;

interface Message {
  id: string;
  data: string;
}

/** The service sends something at least every 15 seconds. */
const SILENCE_MS = 45_000;
/** Before a stream that has ended is opened again. The service ends each after 15 minutes. */
const REOPEN_MS = 1_000;
/** Events of the last minute may come again after a reconnection: so many are recognised. */
const RECOGNISED = 5_000;

/** Events as they happen. A lost connection is opened again, and nothing is missed. */
export async function* listen(
  open: OpenStream,
  { after, signal }: ListenOptions,
): AsyncGenerator<LiveEvent, void> {
  const seen = new Set<string>();
  for (let last = after; ; ) {
    const connection = new AbortController();
    const end = () => connection.abort(signal?.reason);
    signal?.throwIfAborted();
    signal?.addEventListener('abort', end, { once: true });
    try {
      const answer = await open(last, connection.signal);
      for await (const { id, data } of messagesOf(answer, () => connection.abort())) {
        last = id;
        if (seen.has(id)) continue;
        remember(seen, id);
        yield { ...(JSON.parse(data) as WebhookEvent), id: id.slice(id.indexOf('.') + 1), streamId: id };
      }
    } finally {
      signal?.removeEventListener('abort', end);
      connection.abort();
    }
    await pause(REOPEN_MS, signal);
  }
}

function remember(seen: Set<string>, id: string): void {
  seen.add(id);
  if (seen.size <= RECOGNISED) return;
  const [oldest] = seen;
  seen.delete(oldest!);
}

/** The messages of a stream of server-sent events, until it ends or breaks. */
async function* messagesOf({ body }: Response, giveUp: () => void): AsyncGenerator<Message, void> {
  if (!body) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const timer = setTimeout(giveUp, SILENCE_MS);
    // A broken connection ends the stream. The next one goes on where it ended.
    const { done, value } = await reader
      .read()
      .catch(() => ({ done: true, value: undefined }))
      .finally(() => clearTimeout(timer));
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const blocks = text.split(/\r?\n\r?\n/);
    text = blocks.pop()!;
    for (const block of blocks) {
      const message = messageIn(block);
      if (message) yield message;
    }
  }
}

/** Comments and the reconnection time are not messages. */
function messageIn(block: string): Message | undefined {
  const fields = { id: '', data: '' };
  for (const line of block.split(/\r?\n/)) {
    const [, name, value] = /^(id|data): ?(.*)$/.exec(line) ?? [];
    if (name) fields[name as keyof Message] += value;
  }
  return fields.id && fields.data ? fields : undefined;
}
