import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Rights } from '../../centrals/caller.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { type Share, Shares } from '../../platform/kernel/shares.ts';
import { openToOriginOfCentral } from './crossOrigin.ts';
import { addStandardHeaders } from './envelope.ts';
import { type RightsWatch, STREAMS_MAX } from './streamLimits.ts';

const HEARTBEAT_MS = 15_000;
/** After this time the client reconnects and authenticates again. */
const LIFETIME_MS = 15 * 60_000;
/** A client with this much unread data is dropped when there is more to send. */
const STREAM_BYTES_MAX = 256 * 1024;
/** A client that no longer reads does not delay the end. */
const ENDING_MS = 1_000;
const RETRY_MS_MIN = 1_000;
const RETRY_MS_SPREAD = 4_000;

/** Server-sent events to one client. */
export interface EventStream {
  /** The id of the last event that a returning client received. */
  readonly lastEventId: string | undefined;
  /**
   * Announces that no event is missed from now on. Until this or the first message, an error can still be
   * answered.
   */
  start(): void;
  isStarted(): boolean;
  /** Sends text in the format of an event stream (see sseMessage). Never waits. */
  send(text: string | Buffer): void;
  /** Resolves when the client has taken most of what was sent; false when it has gone. */
  isReady(): Promise<boolean>;
  close(): void;
  /** Called once, whichever side ended the stream. */
  onClose(done: () => void): void;
}

export interface StreamHolder {
  centralId: number;
  /** The stream ends when these rights do. Null: it depends only on its central, and the reader checks the rest. */
  rights: Rights | null;
  /** How many streams each holder may have open in one process. */
  limits: readonly Share[];
}

export interface EventStreams {
  /** Takes the connection over from Fastify once started. Refuses with too-many-listeners. */
  open(request: FastifyRequest, reply: FastifyReply, holder: StreamHolder): EventStream;
  count(): number;
  dropped(): number;
}

/**
 * All streams of this process. No client is waited for: a client that does not read in time is dropped, and
 * returns with the id of the last event it received.
 */
export function eventStreams(app: FastifyInstance, rightsWatch: RightsWatch): EventStreams {
  const open = new Map<EventStream, number>();
  const holders = new Shares();
  let dropped = 0;
  let closing = false;

  const heartbeat = setInterval(() => {
    const oldest = Date.now() - LIFETIME_MS;
    for (const [stream, since] of open)
      if (since < oldest) stream.close();
      else stream.send(':\n\n');
  }, HEARTBEAT_MS);
  heartbeat.unref();
  // Open streams would keep a closing server open.
  app.addHook('preClose', async () => {
    closing = true;
    clearInterval(heartbeat);
    rightsWatch.stop();
    for (const stream of open.keys()) stream.close();
  });

  return {
    open(request, reply, { centralId, rights, limits }) {
      if (closing) throw new Refusal('unavailable');
      if (open.size >= STREAMS_MAX || !holders.take(limits, 1)) throw new Refusal('too-many-listeners');

      const { raw } = reply;
      const start = () => {
        if (raw.headersSent || raw.destroyed) return;
        addStandardHeaders(request, reply, false);
        if (request.central) openToOriginOfCentral(request, reply);
        reply.hijack();
        raw.writeHead(200, {
          ...(reply.getHeaders() as Record<string, string | string[]>),
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-store, no-transform',
          // Some proxies buffer answers before they pass them on.
          'x-accel-buffering': 'no',
        });
        if (request.method === 'HEAD') raw.end();
        // The pause is random, so that clients do not all return at once when a process ends.
        else raw.write(`retry: ${Math.round(RETRY_MS_MIN + Math.random() * RETRY_MS_SPREAD)}\n\n`);
      };
      const stream: EventStream = {
        lastEventId: lastEventIdOf(request),
        start,
        isStarted: () => raw.headersSent,
        send(text) {
          start();
          if (raw.destroyed || raw.writableEnded) return;
          // Checked before writing: only data left unread from earlier counts, not the size of this message.
          if (raw.writableLength <= STREAM_BYTES_MAX) return void raw.write(text);
          dropped += 1;
          raw.destroy();
        },
        async isReady() {
          if (raw.writableNeedDrain && !raw.destroyed)
            await new Promise<void>((resolve) => {
              const settle = () => {
                raw.off('drain', settle).off('close', settle);
                resolve();
              };
              raw.on('drain', settle).on('close', settle);
            });
          return !raw.destroyed && !raw.writableEnded;
        },
        close() {
          start();
          raw.end();
          setTimeout(() => raw.destroy(), ENDING_MS).unref();
        },
        onClose(done) {
          if (raw.destroyed) done();
          else raw.once('close', done);
        },
      };
      open.set(stream, Date.now());
      const leave = rightsWatch.join({ centralId, rights, end: () => stream.close() });
      stream.onClose(() => {
        open.delete(stream);
        leave();
        holders.giveBack(limits, 1);
      });
      return stream;
    },
    count: () => open.size,
    dropped: () => dropped,
  };
}

const lastEventIdOf = ({ headers }: FastifyRequest): string | undefined => {
  const id = headers['last-event-id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
};

/** One message of an event stream; JSON contains no line breaks. */
export const sseMessage = (
  data: unknown,
  { id, event }: { id?: string | number; event?: string } = {},
): string =>
  `${event === undefined ? '' : `event: ${event}\n`}${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;

/** An answer that continues: server-sent events instead of a JSON document. */
export class LiveAnswer {
  /** Starts sending; the returned function is called when the client has gone. */
  readonly follow: (stream: EventStream) => Promise<() => void>;
  constructor(follow: (stream: EventStream) => Promise<() => void>) {
    this.follow = follow;
  }
}

/** Starts the stream once it follows. A client that leaves during the preparation is released as well. */
export async function followUntilClosed(
  stream: EventStream,
  follow: (stream: EventStream) => Promise<() => void>,
): Promise<void> {
  let closed = false;
  let leave = () => {};
  stream.onClose(() => {
    closed = true;
    leave();
  });
  try {
    leave = await follow(stream);
  } catch (error) {
    // Too late for an error answer: the client reconnects.
    if (!stream.isStarted()) throw error;
    stream.close();
    return;
  }
  if (closed) leave();
  else stream.start();
}
