import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { after } from 'node:test';
import type { EmbeddedConnection } from '../../server/src/postgres/embedded.ts';

export interface DatabaseDoor {
  url: string;
  connection: EmbeddedConnection;
  /** Nobody gets through any more, and who was through is cut off. */
  close(): void;
  open(): Promise<void>;
}

/** A port that leads to the database while it is open, as that of a machine on which PostgreSQL is started. */
export async function doorTo({ host, port, user, database }: EmbeddedConnection): Promise<DatabaseDoor> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const beyond = connect(join(host, `.s.PGSQL.${port}`));
    for (const one of [socket, beyond]) {
      sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => sockets.delete(one));
    }
    socket.pipe(beyond).pipe(socket);
  });
  const listen = (at: number) =>
    new Promise<void>((resolve) => server.listen(at, '127.0.0.1', () => resolve()));
  await listen(0);
  const { port: door } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    for (const one of sockets) one.destroy();
  };
  after(close);
  return {
    url: `postgres://${user}@127.0.0.1:${door}/${database}`,
    connection: { host: '127.0.0.1', port: door, user, database },
    close,
    open: () => listen(door),
  };
}
