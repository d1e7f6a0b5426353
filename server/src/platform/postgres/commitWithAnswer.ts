import type { Db, Tx } from './database.ts';

export interface AnswerStorage<Answer> {
  /** Identifies the request, so that a repeated attempt is recognised. */
  request: Buffer;
  /** Runs first in the transaction that carries out the request. */
  open(tx: Tx): Promise<void>;
  /** Runs last in it. */
  keep(tx: Tx, answer: Answer): Promise<void>;
}

export interface StoredAnswer<Answer> {
  answer: Answer;
  /** False when the request needed no transaction, so its answer was not stored. */
  isStored: boolean;
}

interface Open<Answer> {
  tx: Tx;
  answered: PromiseWithResolvers<Answer>;
  ended: Promise<void>;
}

const ATTEMPTS_MAX = 3;

/** A deadlock ended the transaction after its result had been handed out. */
class ResultUndone extends Error {
  override name = 'ResultUndone';
  /** Counts as the deadlock that it is (databaseErrors.ts), but is not repeated by `begin`. */
  readonly code = '40P01';
}

/**
 * Carries out a request such that its effect and its answer are committed together: never is one durable without the
 * other.
 *
 * The transaction that the request begins stays open until the answer has been made from its result, and is then
 * committed with that answer. Reads through the same database meanwhile use that transaction. A failure before the
 * commit undoes everything. A request has one such transaction. If a deadlock ends it after its result was handed out,
 * the whole request is carried out again, because the answer names what no longer exists.
 */
export async function commitWithAnswer<Answer>(
  db: Db,
  storage: AnswerStorage<Answer>,
  carryOut: (db: Db) => Promise<Answer>,
): Promise<StoredAnswer<Answer>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptOnce(db, storage, carryOut);
    } catch (error) {
      if (!(error instanceof ResultUndone) || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

async function attemptOnce<Answer>(
  db: Db,
  storage: AnswerStorage<Answer>,
  carryOut: (db: Db) => Promise<Answer>,
): Promise<StoredAnswer<Answer>> {
  let open: Open<Answer> | undefined;
  const afterCommit: (() => Promise<void>)[] = [];
  const afterRollback: (() => Promise<void>)[] = [];

  const begin = <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> => {
    if (open) throw new Error('a request with an Idempotency-Key has only one transaction');
    const worked = Promise.withResolvers<Result>();
    const answered = Promise.withResolvers<Answer>();
    const ended = db.begin(async (tx) => {
      // After a deadlock `begin` runs its work again.
      if (open) throw new ResultUndone();
      await storage.open(tx);
      const result = await work(tx);
      open = { tx, answered, ended };
      worked.resolve(result);
      await storage.keep(tx, await answered.promise);
    });
    ended.catch(worked.reject);
    return worked.promise;
  };

  const requestDb = db.with({
    request: storage.request,
    channel: {
      query: (statement) => (open?.tx ?? db).channel.query(statement),
      write: (statement) => (open?.tx ?? db).channel.write(statement),
    },
    notify: (channel, payload) => (open?.tx ?? db).notify(channel, payload),
    begin,
    afterCommit: async (work) => {
      if (open) afterCommit.push(work);
      else await work();
    },
    afterRollback: (work) => void afterRollback.push(work),
  });

  let answer: Answer;
  try {
    answer = await carryOut(requestDb);
    open?.answered.resolve(answer);
    await open?.ended;
  } catch (error) {
    if (!open) throw error;
    open.answered.reject(error);
    const reason = await open.ended.catch((failure: unknown) => failure);
    for (const work of afterRollback) await work();
    throw reason;
  }
  if (!open) return { answer, isStored: false };
  for (const work of afterCommit) await work();
  return { answer, isStored: true };
}
