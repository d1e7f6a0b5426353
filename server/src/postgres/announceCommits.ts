import type pg from 'pg';

/** Its messages are a central's id, and ` send` behind it when there is something for webhooks. */
export const EVENTS_CHANNEL = 'malote_events';

const NEWS = /^malote_event (\d{1,18}(?: send)?)$/;

export interface CommitAnnouncer {
  hear(client: pg.PoolClient): void;
  begun(client: pg.PoolClient): void;
  ended(client: pg.PoolClient, committed: boolean): void;
  stop(): Promise<void>;
}

/**
 * Tells all processes of the centrals in which something was committed, after the commit.
 *
 * A NOTIFY within the transaction would do that by itself, but PostgreSQL lets such transactions commit one at a
 * time, flush to disk included, over the whole database (measured: 500 commits a second instead of 1,700). So a
 * trigger only raises a notice, which stays between the server and this connection, and the NOTIFY follows in a
 * transaction of its own that waits for no disk, one for all that came meanwhile. Should a process die in
 * between, nobody is told: whoever listens looks by itself now and then, too.
 */
export function announceCommits(pool: pg.Pool, onError: (error: Error) => void): CommitAnnouncer {
  const underWay = new WeakMap<pg.PoolClient, Set<string>>();
  let waiting = new Set<string>();
  let telling: Promise<void> | undefined;

  const tell = async (): Promise<void> => {
    while (waiting.size > 0) {
      const messages = [...waiting];
      waiting = new Set();
      const notifies = messages.map((message) => `pg_notify('${EVENTS_CHANNEL}', '${message}')`);
      try {
        await pool.query(`begin; set local synchronous_commit = off; select ${notifies.join(', ')}; commit`);
      } catch (error) {
        onError(error as Error);
      }
    }
    telling = undefined;
  };
  const announce = (message: string) => {
    waiting.add(message);
    telling ??= tell();
  };

  return {
    hear(client) {
      client.on('notice', ({ message }) => {
        const [, told] = NEWS.exec(message ?? '') ?? [];
        if (told === undefined) return;
        const news = underWay.get(client);
        if (news) news.add(told);
        else announce(told);
      });
    },
    begun: (client) => void underWay.set(client, new Set()),
    ended(client, committed) {
      const news = underWay.get(client);
      underWay.delete(client);
      if (committed) for (const told of news ?? []) announce(told);
    },
    async stop() {
      await telling;
    },
  };
}
