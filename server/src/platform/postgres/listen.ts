import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { WatchedClient, watched } from './watchedConnection.ts';

export interface Listening {
  stop(): Promise<void>;
}

const RECONNECT_MS = 1_000;
/** How often the connection is tested with a notification, and how long that may take. */
const HEARTBEAT_MS = 4_000;
const SILENCE_MS = 4_000;

/**
 * Listens on a separate connection, because pooled ones are shared. Reconnects until stopped.
 *
 * A lost connection looks like a quiet one. So it regularly sends itself a notification. If that does not come back,
 * the connection is closed and replaced, and `onLost` reports that messages may have been missed.
 */
export async function listenOn(
  config: pg.ClientConfig,
  channel: string,
  onMessage: (payload: string) => void,
  onLost: () => void,
): Promise<Listening> {
  // Until the first connection, whose failure is the caller's.
  let stopped = true;
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
        // A half-open connection would continue to listen beside the next one.
        void client.end().catch(() => undefined);
        reconnect();
      });
    }, RECONNECT_MS);
  };

  const stop = async () => {
    stopped = true;
    clearTimeout(retry);
    clearInterval(heartbeat);
    await client.end().catch(() => undefined);
  };
  try {
    await connect();
  } catch (error) {
    await stop();
    throw error;
  }
  stopped = false;
  return { stop };
}

/** Carries announcements of commits, and silent changes of deliveries (events/record/silentChange.ts). */
export const EVENTS_CHANNEL = 'malote_events';
/** Carries the ids of centrals whose registers have changed; registerCache.ts defines other messages. */
export const REGISTERS_CHANNEL = 'malote_registers';

/** Something was committed in a central. */
export interface Announcement {
  centralId: number;
  /** Whether there is something to send to webhooks. */
  toSend: boolean;
  /** The events that live feeds read. */
  eventIds: number[];
}

/** PostgreSQL takes 8,000 bytes in one notification. */
const IDS_PER_MESSAGE_MAX = 400;

const EVENT = String.raw`\d{1,16}(?: \d{1,16})?(?: send)?`;
const NOTICE = new RegExp(String.raw`^malote_(?:register \d{1,16}|event ${EVENT}(?:, ${EVENT})*)$`);
const MESSAGE = /^(\d{1,16})( send)?(?: ([\d,]+))?$/;

/** Prefix of the messages that a process adds to the notices of triggers: a channel and a payload. */
const OWN_MESSAGE = 'malote_message';

/** Returns one message, or several when there are many events. */
export function formatAnnouncement({ centralId, toSend, eventIds }: Announcement): string[] {
  const head = `${centralId}${toSend ? ' send' : ''}`;
  const messages = [];
  for (let from = 0; from < eventIds.length; from += IDS_PER_MESSAGE_MAX)
    messages.push(`${head} ${eventIds.slice(from, from + IDS_PER_MESSAGE_MAX).join(',')}`);
  return messages.length > 0 ? messages : [head];
}

export function parseAnnouncement(message: string): Announcement | undefined {
  const [, centralId, send, ids] = MESSAGE.exec(message) ?? [];
  if (centralId === undefined) return undefined;
  const eventIds = ids === undefined ? [] : ids.split(',').map(Number);
  return { centralId: Number(centralId), toSend: send !== undefined, eventIds };
}

export interface CommitAnnouncer {
  hear(client: pg.PoolClient): void;
  begun(client: pg.PoolClient): void;
  ended(client: pg.PoolClient, committed: boolean): void;
  /** Announces statements outside of a transaction, which have committed by themselves. */
  released(client: pg.PoolClient): void;
  /** Sends a further message together with the announcements. */
  announce(channel: string, payload: string): void;
  /** Resolves once all commits so far have been announced; false if that failed. */
  announced(): Promise<boolean>;
}

/**
 * Announces to all processes the centrals in which something was committed, after the commit.
 *
 * A NOTIFY within the transaction would be simpler, but PostgreSQL then lets transactions of the whole database commit
 * one at a time, including the flush to disk (measured: 500 commits a second instead of 1,700), and a NOTIFY that a
 * trigger sends on a shard of a distributed table reaches no listener. So a trigger only raises a notice, which reaches
 * only this connection, and the NOTIFY follows in a separate transaction that does not wait for the disk, one for all
 * notices that came meanwhile. If the process dies in between, nothing is announced, so listeners also poll.
 */
export function announceCommits(pool: pg.Pool, onError: (error: Error) => void): CommitAnnouncer {
  const underWay = new WeakMap<pg.PoolClient, Set<string>>();
  let waiting = new Set<string>();
  let notifying: Promise<boolean> | undefined;

  /** Notices that cannot be announced now are announced with the next commit. */
  const notify = async (): Promise<boolean> => {
    let notices = new Set<string>();
    try {
      while (waiting.size > 0) {
        notices = waiting;
        waiting = new Set();
        await pool.query(
          `begin; set local synchronous_commit = off; ${notifySql(notices).join('; ')}; commit`,
        );
      }
      return true;
    } catch (error) {
      waiting = waiting.union(notices);
      onError(error as Error);
      return false;
    } finally {
      notifying = undefined;
    }
  };
  const notifyWaiting = (): Promise<boolean> => {
    if (waiting.size > 0) notifying ??= notify();
    return notifying ?? Promise.resolve(true);
  };
  const announceOf = (client: pg.PoolClient): void => {
    const notices = underWay.get(client);
    if (!notices) return;
    underWay.delete(client);
    for (const notice of notices) waiting.add(notice);
    void notifyWaiting();
  };

  return {
    hear(client) {
      client.on('notice', ({ message = '' }) => {
        if (!NOTICE.test(message)) return;
        const notices = underWay.get(client) ?? new Set();
        underWay.set(client, notices.add(message));
      });
    },
    begun: (client) => void underWay.delete(client),
    ended(client, committed) {
      if (committed) announceOf(client);
      else underWay.delete(client);
    },
    released: announceOf,
    announce(channel, payload) {
      waiting.add(`${OWN_MESSAGE} ${JSON.stringify([channel, payload])}`);
      void notifyWaiting();
    },
    announced: notifyWaiting,
  };
}

/** `event` is the text of a notice: the central, the id if live feeds read it, and whether webhooks need it. */
function addEvent(announcements: Map<number, Announcement>, event: string): void {
  const [central, ...rest] = event.split(' ');
  const centralId = Number(central);
  const announcement = announcements.get(centralId) ?? { centralId, toSend: false, eventIds: [] };
  announcements.set(centralId, announcement);
  for (const word of rest)
    if (word === 'send') announcement.toSend = true;
    else announcement.eventIds.push(Number(word));
}

/** PostgreSQL takes 1,664 columns in one select. */
const NOTIFIES_PER_SELECT_MAX = 500;

/** The selects that notify: one message for all events of a central, unless there are very many. */
function notifySql(notices: ReadonlySet<string>): string[] {
  const notifies: string[] = [];
  const announcements = new Map<number, Announcement>();
  for (const notice of notices) {
    const [kind = '', central] = notice.split(' ', 2);
    if (kind === OWN_MESSAGE) {
      const message: string[] = JSON.parse(notice.slice(OWN_MESSAGE.length));
      notifies.push(`pg_notify(${message.map(pg.escapeLiteral).join(', ')})`);
      continue;
    }
    if (kind === 'malote_register') {
      notifies.push(`pg_notify('${REGISTERS_CHANNEL}', '${Number(central)}')`);
      continue;
    }
    for (const event of notice.slice(kind.length + 1).split(', ')) addEvent(announcements, event);
  }
  for (const message of [...announcements.values()].flatMap(formatAnnouncement))
    notifies.push(`pg_notify('${EVENTS_CHANNEL}', '${message}')`);
  const selects: string[] = [];
  for (let from = 0; from < notifies.length; from += NOTIFIES_PER_SELECT_MAX)
    selects.push(`select ${notifies.slice(from, from + NOTIFIES_PER_SELECT_MAX).join(', ')}`);
  return selects;
}
