import { connect } from 'node:net';
import type { Json } from './client.ts';
import { noteRefusal } from './noteRefusals.ts';
import { waitUntil } from './waitUntil.ts';

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
  body: Json;
}

export interface RawExchange {
  answers: RawAnswer[];
  /** Whether the server closed the connection. */
  closed: boolean;
}

/** Generous, because a busy machine is slow. */
const TIMEOUT_MS = 60_000;
/** Silence on an open connection after which the answer counts as complete. */
const QUIET_MS = 1_500;

/** Sends bytes unchanged and reads all answers, until the server closes or falls silent. */
export async function rawHttp(url: string, ...pieces: (string | Buffer)[]): Promise<RawExchange> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const received: Uint8Array[] = [];
  let closed = false;
  const over = new Promise<void>((resolve) => {
    socket.on('data', (data: Buffer) => {
      received.push(data);
      // If the server announced that it closes the connection, wait for that.
      const isClosing = /^connection: close\r$/im.test(Buffer.concat(received).toString('latin1'));
      socket.setTimeout(isClosing ? TIMEOUT_MS : QUIET_MS);
    });
    socket.on('end', () => {
      closed = true;
      resolve();
    });
    // A server that refuses a body may reset the connection after its answer.
    socket.on('error', () => {
      closed = true;
      resolve();
    });
    socket.setTimeout(TIMEOUT_MS, resolve);
  });
  for (const piece of pieces) socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece);
  await over;
  socket.destroy();
  const answers = parseAnswers(Buffer.concat(received));
  const [method = '', path = ''] = String(pieces[0]).split(' ', 2);
  for (const { headers } of answers) noteRefusal(headers['x-error-kind'], method, path);
  return { answers, closed };
}

function parseAnswers(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const headEnd = rest.indexOf('\r\n\r\n');
    if (headEnd < 0) throw new Error(`not an HTTP answer: ${rest.toString('latin1').slice(0, 200)}`);
    const [first = '', ...lines] = rest.subarray(0, headEnd).toString('latin1').split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [line.split(':', 1)[0]!.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const end = headEnd + 4 + Number(headers['content-length'] ?? 0);
    const text = rest.subarray(headEnd + 4, end).toString('utf8');
    answers.push({
      status: Number(first.split(' ')[1]),
      headers,
      text,
      body: text ? JSON.parse(text) : undefined,
    });
    rest = rest.subarray(end);
  }
  return answers;
}

export interface Message {
  id: string | undefined;
  event: string;
  data: Json;
}

export interface EventSource {
  status: number;
  headers: Headers;
  messages: Message[];
  /** The messages of a named event. Those without a name are `message`. */
  named(event: string): Message[];
  isOver(): boolean;
  close(): void;
  until(what: string, holds: (messages: readonly Message[]) => boolean): Promise<void>;
}

interface Scope {
  after(cleanUp: () => void): void;
}

/** Follows server-sent events as a browser does, but does not reconnect. */
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
    named: (event) => messages.filter((message) => message.event === event),
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
