import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { WatchedClient, watched } from './watchedConnection.ts';

export interface Listening {
  stop(): Promise<void>;
}

const RECONNECT_MS = 1_000;
/** How often it is tried whether a notification still arrives, and how long that may take. */
const HEARTBEAT_MS = 4_000;
const SILENCE_MS = 4_000;

/**
 * A connection of its own, because a pooled one cannot be waited on. Reconnects until stopped.
 *
 * Nothing is heard on a lost connection, and on a quiet one neither. So it sends itself a notification now and then;
 * if that does not come back, the connection is cut and made anew, and `onLost` says that messages may have been missed.
 */
export async function listenOn(
  config: pg.ClientConfig,
  channel: string,
  onMessage: (payload: string) => void,
  onLost: () => void,
): Promise<Listening> {
  let stopped = false;
  let client: WatchedClient;
  let retry: NodeJS.Timeout | undefined;
  let heartbeat: NodeJS.Timeout | undefined;

  const connect = async () => {
    const mine = new WatchedClient(watched({ ...config, application_name: `malote ${channel}` }, SILENCE_MS));
    client = mine;
    const echo = `malote_heartbeat_${randomUUID()}`;
    let isHeard = true;
    mine.on('notification', (message) => {
      if (message.channel === echo) isHeard = true;
      else onMessage(message.payload ?? '');
    });
    mine.on('error', () => void mine.end().catch(() => undefined));
    mine.on('end', () => {
      if (mine === client) reconnect();
    });
    await mine.connect();
    await mine.query(`listen ${mine.escapeIdentifier(channel)}`);
    await mine.query(`listen ${mine.escapeIdentifier(echo)}`);
    clearInterval(heartbeat);
    heartbeat = setInterval(() => {
      if (!isHeard) return mine.cut('notifications do not arrive');
      isHeard = false;
      mine.query('select pg_notify($1, $2)', [echo, '']).catch(() => mine.cut('no heartbeat'));
    }, HEARTBEAT_MS);
    heartbeat.unref();
  };
  const reconnect = () => {
    if (stopped || retry) return;
    clearInterval(heartbeat);
    onLost();
    retry = setTimeout(() => {
      retry = undefined;
      connect().then(onLost, () => {
        // A half-made connection would go on listening beside the next one.
        void client.end().catch(() => undefined);
        reconnect();
      });
    }, RECONNECT_MS);
  };

  await connect();
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(retry);
      clearInterval(heartbeat);
      await client.end().catch(() => undefined);
    },
  };
}
