import type { Db, Tx } from './database.ts';

/**
 * Lets commands run inside a transaction that is already open: all of them take effect together, or none does.
 * One connection carries one statement at a time, so statements wait for their turn.
 */
export function withinTransaction(tx: Tx): Db {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
  const begin = <Result>(work: (inner: Tx) => Promise<Result>) => work(inner);
  const inner: Db = Object.assign(
    <Row extends object>(strings: TemplateStringsArray, ...values: unknown[]) =>
      inTurn(() => tx<Row>(strings, ...values)),
    {
      run: <Row extends object>(text: string, values: unknown[]) => inTurn(() => tx.run<Row>(text, values)),
      begin,
      beginIndependent: begin,
      // Whoever opened the transaction commits it; nothing in it has to follow that.
      afterCommit: (work: () => Promise<void>) => work(),
    },
  );
  return inner;
}
