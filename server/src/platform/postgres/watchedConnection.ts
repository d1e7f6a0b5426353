import type { Socket } from 'node:net';
import pg from 'pg';

/** How long after the server's own time limit an unanswered statement ends its connection. */
const ANSWER_MARGIN_MS = 2_000;
/** A last wait, because the answer may have arrived while the event loop was busy. */
const GRACE_MS = 500;
/** How long closing a connection may take; a peer that is gone never answers. */
const CLOSING_MS = 1_000;
const KEEP_ALIVE_MS = 10_000;
const CONNECT_MS = 10_000;
/** A pooled connection that was idle for so long is tested before it is used, … */
const QUIET_MS = 2_000;
/** … and must answer within this time. */
const TRIAL_MS = 2_000;

/**
 * The server detects lost clients in the same way, so that their sessions do not keep locks. Has no effect on Unix
 * sockets.
 */
const SERVER_KEEP_ALIVE = '-c tcp_keepalives_idle=15 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3';

export interface WatchedConfig extends pg.ClientConfig {
  /** After so long without a byte of the answer to a statement, the connection counts as lost. */
  silenceMs: number;
}

/** The settings of every connection. */
export const watched = <Config extends pg.ClientConfig>(
  connection: Config,
  silenceMs: number,
): Config & WatchedConfig => ({
  connectionTimeoutMillis: CONNECT_MS,
  ...connection,
  options: [connection.options, SERVER_KEEP_ALIVE].filter(Boolean).join(' '),
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  silenceMs,
});

/** Longer than the server's time limit, so that the server ends a statement that is merely slow. */
export const silenceAfter = (statementMs: number): number => statementMs + ANSWER_MARGIN_MS;

/** The connection did not answer. The code is that of a network time-out. */
class ConnectionSilent extends Error {
  override name = 'ConnectionSilent';
  readonly code = 'ETIMEDOUT';
}

/**
 * A connection whose loss is noticed even if it is not closed: a firewall, a proxy or a cable may silently drop
 * packets. A statement without an answer ends the connection, and everything that waits for it fails.
 */
export class WatchedClient extends pg.Client {
  #heardAt = performance.now();
  #stream: Socket | undefined;
  #limitMs: number | undefined;
  #isAwaited = false;
  #isLate = false;

  constructor(config: WatchedConfig) {
    super(config);
    const query = this.query.bind(this) as (...given: unknown[]) => unknown;
    this.query = ((...given: unknown[]) => {
      this.#expectAnswerWithin(config.silenceMs);
      return query(...given);
    }) as typeof this.query;
    const end = this.end.bind(this) as (...given: unknown[]) => unknown;
    this.end = ((...given: unknown[]) => {
      this.#cutAfter(CLOSING_MS);
      return end(...given);
    }) as typeof this.end;
    // `drain`: all statements are answered.
    this.on('drain', () => {
      this.#heardAt = performance.now();
      this.#isAwaited = false;
    });
  }

  isQuiet(): boolean {
    return performance.now() - this.#heardAt > QUIET_MS;
  }

  /** Runs a statement with a separate time limit, after which the connection is closed. */
  queryWithin<Row extends object>(
    ms: number,
    text: string,
    values: unknown[] = [],
  ): Promise<pg.QueryResult<Row>> {
    const answered = this.query<Row>(text, values);
    this.#expectAnswerWithin(ms);
    return answered;
  }

  cut(reason: string): void {
    socketOf(this).destroy(new ConnectionSilent(reason));
  }

  #expectAnswerWithin(ms: number): void {
    const stream = socketOf(this);
    // TLS replaces the stream while the connection is made.
    if (this.#stream !== stream) {
      this.#stream = stream;
      this.#limitMs = undefined;
      stream.on('timeout', () => {
        if (!this.#isAwaited) return;
        if (this.#isLate) return this.cut('the database connection has gone silent');
        this.#isLate = true;
        this.#limit(stream, GRACE_MS);
      });
    }
    this.#isAwaited = true;
    this.#isLate = false;
    this.#limit(stream, ms);
  }

  /** Traffic restarts the timer of a socket, so it is not set for each statement. */
  #limit(stream: Socket, ms: number): void {
    if (this.#limitMs !== ms) stream.setTimeout(ms);
    this.#limitMs = ms;
  }

  #cutAfter(ms: number): void {
    const stream = socketOf(this);
    const timer = setTimeout(() => stream.destroy(), ms);
    timer.unref();
    stream.once('close', () => clearTimeout(timer));
  }
}

const socketOf = (client: pg.Client): Socket => client.connection.stream as Socket;

type Connected = (
  error: Error | undefined,
  client?: WatchedClient & pg.PoolClient,
  release?: unknown,
) => void;

/**
 * A pool that hands out only working connections. A connection that was idle for a while is tested first. If it is
 * lost, all others that are as idle are closed too and replaced, so that no statement fails on them.
 */
export function openPool(config: pg.PoolConfig, silenceMs: number): pg.Pool {
  const Client = WatchedClient as unknown as new () => pg.ClientBase;
  const pool = new pg.Pool({ ...watched(config, silenceMs), Client });
  const idle = new Set<WatchedClient>();
  pool.on('acquire', (client) => idle.delete(client as unknown as WatchedClient));
  pool.on('release', (_error, client) => idle.add(client as unknown as WatchedClient));
  pool.on('remove', (client) => idle.delete(client as unknown as WatchedClient));

  const take = pool.connect.bind(pool) as (connected: Connected) => void;
  const takeWorking = (connected: Connected): void =>
    take((error, client, release) => {
      if (!client?.isQuiet()) return connected(error, client, release);
      client.queryWithin(TRIAL_MS, 'select').then(
        () => connected(undefined, client, release),
        (reason: Error) => {
          client.release(reason);
          for (const other of [...idle]) if (other.isQuiet()) other.cut('a neighbouring connection is lost');
          takeWorking(connected);
        },
      );
    });
  // Covers every use of a connection, including `pool.query`.
  pool.connect = ((connected?: Connected) => {
    if (connected) return takeWorking(connected);
    return new Promise((resolve, reject) =>
      takeWorking((error, client) => (client ? resolve(client) : reject(error))),
    );
  }) as typeof pool.connect;
  return pool;
}
