import type { Db } from './database.ts';

export interface LimitedDb extends Db {
  /** Whether work waits for a connection. */
  isCrowded(): boolean;
}

/**
 * Returns the database for background work. All centrals together hold at most `max` of its connections, because
 * requests need connections too. Further work waits in order. As everywhere, work inside a transaction must use only
 * that transaction; otherwise it would wait for itself.
 */
export function limitConnections(db: Db, max: number): LimitedDb {
  let inUse = 0;
  const waiting: (() => void)[] = [];
  const inTurn = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    // Work that ends hands its place to the first that waits, so that later work cannot overtake it.
    if (inUse < max) inUse += 1;
    else await new Promise<void>((resolve) => void waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else inUse -= 1;
    }
  };
  const limited = db.with({
    channel: {
      query: (statement) => inTurn(() => db.channel.query(statement)),
      write: (statement) => inTurn(() => db.channel.write(statement)),
    },
    begin: (work) => inTurn(() => db.begin(work)),
    beginIndependent: (work) => inTurn(() => db.beginIndependent(work)),
  });
  return Object.assign(limited, { isCrowded: () => waiting.length > 0 });
}
