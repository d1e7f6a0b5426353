import type { Db, Tx } from './database.ts';

export interface LimitedDb extends Db {
  /** Whether work waits for a connection. */
  isCrowded(): boolean;
}

/**
 * The same database for background work, which then holds at most `max` connections in all centrals together, because
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
  type Work<Result> = (tx: Tx) => Promise<Result>;
  return Object.assign(
    <Row extends object>(strings: TemplateStringsArray, ...values: unknown[]) =>
      inTurn(() => db<Row>(strings, ...values)),
    {
      run: <Row extends object>(text: string, values: unknown[]) => inTurn(() => db.run<Row>(text, values)),
      defer: (text: TemplateStringsArray | string, ...values: unknown[]) =>
        inTurn(() => db.defer(text, ...values)),
      newIds: db.newIds,
      notify: db.notify,
      isDistributed: db.isDistributed,
      begin: <Result>(work: Work<Result>) => inTurn(() => db.begin(work)),
      beginOne: <Result>(work: Work<Result>) => inTurn(() => db.beginOne(work)),
      beginIndependent: <Result>(work: Work<Result>) => inTurn(() => db.beginIndependent(work)),
      afterCommit: db.afterCommit,
      isCrowded: () => waiting.length > 0,
    },
  );
}
