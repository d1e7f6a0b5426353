import type { Json } from './client.ts';
import { waitUntil } from './waitUntil.ts';

export interface Message {
  id: string | undefined;
  event: string;
  data: Json;
}

export interface EventSource {
  status: number;
  headers: Headers;
  messages: Message[];
  /** Named ones; `message` are those without a name. */
  named(event: string): Message[];
  isOver(): boolean;
  close(): void;
  until(what: string, holds: (messages: readonly Message[]) => boolean): Promise<void>;
}

interface Scope {
  after(cleanUp: () => void): void;
}

/** Follows server-sent events as a browser would, except that it does not come back by itself. */
export async function openEventSource(
  scope: Scope,
  url: string,
  headers: Record<string, string> = {},
): Promise<EventSource> {
  const ending = new AbortController();
  scope.after(() => ending.abort());
  const response = await fetch(url, { headers, signal: ending.signal });
  const messages: Message[] = [];
  let over = false;
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (isStream)
    void read(response.body!, (message) => messages.push(message)).finally(() => {
      over = true;
    });
  else await response.text();
  return {
    status: response.status,
    headers: response.headers,
    messages,
    named: (event) => messages.filter((one) => one.event === event),
    isOver: () => over,
    close: () => ending.abort(),
    until: (what, holds) => waitUntil(what, () => holds(messages)),
  };
}

async function read(body: ReadableStream<Uint8Array>, onMessage: (message: Message) => void): Promise<void> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const fields = Object.fromEntries(
          block
            .split('\n')
            .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
        );
        if ('data' in fields)
          onMessage({ id: fields.id, event: fields.event ?? 'message', data: JSON.parse(fields.data!) });
      }
    }
  } catch {
    // Closed by one side or the other.
  }
}
