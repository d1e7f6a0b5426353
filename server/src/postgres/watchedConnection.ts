import type { Socket } from 'node:net';
import pg from 'pg';

/** An unanswered statement ends its connection so long after the server itself would have given it up. */
const ANSWER_MARGIN_MS = 2_000;
/** The event loop may have been busy while the answer waited to be read: it is given so long to turn up. */
const GRACE_MS = 500;
/** How long a farewell may take; a peer that is gone never answers it. */
const FAREWELL_MS = 1_000;
const KEEP_ALIVE_MS = 10_000;
const CONNECT_MS = 10_000;
/** A pooled connection that was quiet for so long is tried before it is used, … */
const QUIET_MS = 2_000;
/** … and given so long to answer. */
const TRIAL_MS = 2_000;

/**
 * The server looks for clients that are gone in the same way, so that a session they left behind does not keep its
 * locks. Without effect on a socket in the file system.
 */
const SERVER_KEEP_ALIVE = '-c tcp_keepalives_idle=15 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3';

export interface WatchedConfig extends pg.ClientConfig {
  /** A statement that gets no byte of an answer for so long has lost its connection. */
  silenceMs: number;
}

/** The settings that every connection has, whatever it is for. */
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

/** Longer than the server works on a statement: it is the server that ends one that only takes long. */
export const silenceAfter = (statementMs: number): number => statementMs + ANSWER_MARGIN_MS;

/** The connection answered nothing. Its code is that of a network's own time limit. */
class ConnectionSilent extends Error {
  override name = 'ConnectionSilent';
  readonly code = 'ETIMEDOUT';
}

/**
 * A connection whose loss is noticed even if nobody closes it: a firewall, a proxy or a cable may simply stop
 * carrying what is sent. A statement without an answer ends the connection, and everything that waits for it fails.
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
      this.#cutAfter(FAREWELL_MS);
      return end(...given);
    }) as typeof this.end;
    // All statements are answered.
    this.on('drain', () => {
      this.#heardAt = performance.now();
      this.#isAwaited = false;
    });
  }

  isQuiet(): boolean {
    return performance.now() - this.#heardAt > QUIET_MS;
  }

  /** With a time limit of its own; when that is over, so is the connection. */
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
    // Encryption replaces it while the connection is made.
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

  /** A socket's timer begins anew with whatever is sent or received, so that it need not be set for each statement. */
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
 * A pool that hands out connections which work. One that was quiet for a while is tried first; if it is lost, so may be
 * all that are as quiet, and new ones take their places. Nobody has to find out about each with a statement.
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
  // For every use of a connection, `pool.query` included.
  pool.connect = ((connected?: Connected) => {
    if (connected) return takeWorking(connected);
    return new Promise((resolve, reject) =>
      takeWorking((error, client) => (client ? resolve(client) : reject(error))),
    );
  }) as typeof pool.connect;
  return pool;
}
