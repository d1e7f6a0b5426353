import { type AddressInfo, connect, createServer, connect as dial, type Socket } from 'node:net';
import { join } from 'node:path';
import { after } from 'node:test';
import type { EmbeddedConnection } from '../../server/src/platform/postgres/embedded.ts';

type Direction = 'toServer' | 'toClient';

export interface FaultyProxy {
  /** The config of a `pg` client or pool for the same database through this proxy. */
  connection: EmbeddedConnection;
  url: string;
  /** The number of open connections without dropped traffic. */
  carrying(): number;
  /**
   * Traffic on the connections that are open now disappears, in one direction or both, and nothing is closed. New
   * connections are not affected. With `isMeant`, only connections whose application name it accepts are affected.
   */
  dropOpen(directions?: readonly Direction[], isMeant?: (applicationName: string) => boolean): number;
  /** All traffic disappears, also on new connections, until `pass`. */
  dropAll(): void;
  /** Traffic arrives later by this time, until `pass`. */
  delay(ms: number): void;
  /** Ends open connections with a reset, or in the middle of a message. */
  reset(): void;
  cut(): void;
  /** Carries new connections again, and the traffic of those that were not dropped. */
  pass(): void;
}

interface Pipe {
  client: Socket;
  server: Socket;
  applicationName: string;
  dropped: Set<Direction>;
}

/** A TCP proxy in front of PostgreSQL that simulates network faults. */
export async function faultyProxy(target: EmbeddedConnection): Promise<FaultyProxy> {
  const pipes = new Set<Pipe>();
  // A socket whose peer was dropped stays open until the tests end.
  const sockets = new Set<Socket>();
  let isBlackHole = false;
  let delayMs = 0;

  const carry = (pipe: Pipe, direction: Direction, from: Socket, to: Socket): void => {
    from.on('data', (data: Buffer) => {
      if (direction === 'toServer' && pipe.applicationName === '') pipe.applicationName = nameIn(data);
      const send = () => {
        if (!isBlackHole && !pipe.dropped.has(direction) && to.writable) to.write(data);
      };
      if (delayMs > 0) setTimeout(send, delayMs);
      else send();
    });
    from.on('error', () => undefined);
    from.on('close', () => {
      pipes.delete(pipe);
      // A dropped connection does not learn that the other end closed.
      if (!isBlackHole && pipe.dropped.size === 0) to.destroy();
    });
  };
  const proxy = createServer((client) => {
    const server = dial(`${target.host}/.s.PGSQL.${target.port}`);
    const pipe: Pipe = { client, server, applicationName: '', dropped: new Set() };
    pipes.add(pipe);
    sockets.add(client).add(server);
    carry(pipe, 'toServer', client, server);
    carry(pipe, 'toClient', server, client);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  after(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });

  const { port } = proxy.address() as AddressInfo;
  const { user, database } = target;
  const endAll = (end: (socket: Socket) => void): void => {
    for (const { client, server } of pipes) {
      end(client);
      server.destroy();
    }
  };
  return {
    connection: { host: '127.0.0.1', port, user, database },
    url: `postgres://${user}@127.0.0.1:${port}/${database}`,
    carrying: () => [...pipes].filter(({ dropped }) => dropped.size === 0).length,
    dropOpen(directions = ['toServer', 'toClient'], isMeant = () => true) {
      const meant = [...pipes].filter((pipe) => pipe.dropped.size === 0 && isMeant(pipe.applicationName));
      for (const { dropped } of meant) for (const direction of directions) dropped.add(direction);
      return meant.length;
    },
    dropAll() {
      isBlackHole = true;
    },
    delay(ms) {
      delayMs = ms;
    },
    reset: () => endAll((socket) => void socket.resetAndDestroy()),
    cut: () => endAll((socket) => void socket.destroy()),
    pass() {
      isBlackHole = false;
      delayMs = 0;
    },
  };
}

/** The startup message lists names and values with zero bytes between them. */
function nameIn(startup: Buffer): string {
  const words = startup.toString('latin1').split('\0');
  const at = words.indexOf('application_name');
  return at === -1 ? '' : (words[at + 1] ?? '');
}

export interface DatabaseDoor {
  url: string;
  connection: EmbeddedConnection;
  /** Refuses new connections and cuts those that are open. */
  close(): void;
  open(): Promise<void>;
}

/** A port that leads to the database while it is open. It simulates starting and stopping PostgreSQL's machine. */
export async function doorTo({ host, port, user, database }: EmbeddedConnection): Promise<DatabaseDoor> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const beyond = connect(join(host, `.s.PGSQL.${port}`));
    for (const end of [socket, beyond]) {
      sockets.add(end);
      end.on('error', () => {});
      end.on('close', () => sockets.delete(end));
    }
    socket.pipe(beyond).pipe(socket);
  });
  const listen = (at: number) =>
    new Promise<void>((resolve) => server.listen(at, '127.0.0.1', () => resolve()));
  await listen(0);
  const { port: door } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  after(close);
  return {
    url: `postgres://${user}@127.0.0.1:${door}/${database}`,
    connection: { host: '127.0.0.1', port: door, user, database },
    close,
    open: () => listen(door),
  };
}

/** Builds a message of PostgreSQL's protocol from its letter and body, for tests that play the database server. */
export const message = (type: string, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);

export const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
