import type { Db, Tx } from './database.ts';

export interface Settling<Answer> {
  /** Identifies the request, so that a repeated attempt is recognised. */
  request: Buffer;
  /** Runs first in the transaction that carries out the request. */
  open(tx: Tx): Promise<void>;
  /** Runs last in it. */
  keep(tx: Tx, answer: Answer): Promise<void>;
}

export interface Settled<Answer> {
  answer: Answer;
  /** False when the request needed no transaction, so its answer was not stored. */
  kept: boolean;
}

interface Open<Answer> {
  tx: Tx;
  answered: PromiseWithResolvers<Answer>;
  ended: Promise<void>;
}

/**
 * Carries out a request such that its effect and its answer are committed together: never is one durable without the
 * other.
 *
 * The transaction that the request begins stays open until the answer has been made from its result, and is then
 * committed with that answer. Reads through the same database meanwhile use that transaction. A failure before the
 * commit undoes everything. A request has one such transaction.
 */
export async function settleRequest<Answer>(
  db: Db,
  settling: Settling<Answer>,
  carryOut: (db: Db) => Promise<Answer>,
): Promise<Settled<Answer>> {
  let open: Open<Answer> | undefined;
  const afterCommit: (() => Promise<void>)[] = [];

  const begin = <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> => {
    if (open) throw new Error('a request with an Idempotency-Key has only one transaction');
    const worked = Promise.withResolvers<Result>();
    const answered = Promise.withResolvers<Answer>();
    const ended = db.begin(async (tx) => {
      await settling.open(tx);
      const result = await work(tx);
      open = { tx, answered, ended };
      worked.resolve(result);
      await settling.keep(tx, await answered.promise);
    });
    ended.catch(worked.reject);
    return worked.promise;
  };

  const settlingDb: Db = Object.assign(
    <Row extends object>(strings: TemplateStringsArray, ...values: unknown[]) =>
      (open?.tx ?? db)<Row>(strings, ...values),
    {
      request: settling.request,
      run: <Row extends object>(text: string, values: unknown[]) => (open?.tx ?? db).run<Row>(text, values),
      defer: (text: TemplateStringsArray | string, ...values: unknown[]) =>
        (open?.tx ?? db).defer(text, ...values),
      newIds: db.newIds,
      notify: (channel: string, payload: string) => (open?.tx ?? db).notify(channel, payload),
      isDistributed: db.isDistributed,
      begin,
      beginOne: begin,
      beginIndependent: db.beginIndependent,
      afterCommit: async (work: () => Promise<void>) => {
        if (open) afterCommit.push(work);
        else await work();
      },
    },
  );

  let answer: Answer;
  try {
    answer = await carryOut(settlingDb);
  } catch (error) {
    open?.answered.reject(error);
    await open?.ended.catch(() => undefined);
    throw error;
  }
  if (!open) return { answer, kept: false };
  open.answered.resolve(answer);
  await open.ended;
  for (const work of afterCommit) await work();
  return { answer, kept: true };
}
