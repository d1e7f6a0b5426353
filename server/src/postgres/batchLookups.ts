import type { Tx } from './database.ts';

interface LookupBatch<Asked, Answer> {
  all: Asked[];
  answers: Promise<readonly Answer[]>;
}

/**
 * Small things that are asked of PostgreSQL in one turn of the event loop travel as one statement. A statement costs
 * as much as the rest of a small request, here and there: its message wakes a process on the other side. Nothing
 * waits longer for it than until the requests that have already arrived are read, and nothing is kept: each is
 * answered by a statement that began after it was asked.
 *
 * `answerAll` answers in the order of what was asked. Each asked carries all that limits what it may touch, its
 * central first.
 *
 * With `oneAtATime` whatever is asked during a statement waits for the next one, so that a flood never holds more than
 * one connection.
 */
export function batchLookups<Asked, Answer>(
  answerAll: (tx: Tx, all: readonly Asked[]) => Promise<readonly Answer[]>,
  { oneAtATime = false } = {},
): (tx: Tx, asked: Asked) => Promise<Answer> {
  const lookupBatches = new WeakMap<Tx, LookupBatch<Asked, Answer>>();
  const running = new WeakMap<Tx, Promise<unknown>>();

  const begin = (tx: Tx): LookupBatch<Asked, Answer> => {
    const all: Asked[] = [];
    const answerThem = (): Promise<readonly Answer[]> => {
      lookupBatches.delete(tx);
      return answerAll(tx, all);
    };
    const answers = Promise.all([endOfTurn(), running.get(tx)]).then(answerThem);
    if (oneAtATime)
      running.set(
        tx,
        answers.catch(() => undefined),
      );
    return { all, answers };
  };

  return async (tx, asked) => {
    let lookupBatch = lookupBatches.get(tx);
    if (!lookupBatch) {
      lookupBatch = begin(tx);
      lookupBatches.set(tx, lookupBatch);
    }
    const place = lookupBatch.all.push(asked) - 1;
    return (await lookupBatch.answers)[place]!;
  };
}

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
