import type { Tx } from './database.ts';

const ALL_CENTRALS = 0;

/** A promise where one that fails must not fail the others. */
type Answers<Answer> = readonly (Answer | Promise<Answer>)[];

interface LookupBatch<Asked, Answer> {
  all: Asked[];
  answers: Promise<Answers<Answer>>;
}

/**
 * Small things that are asked of PostgreSQL in one turn of the event loop travel as one statement. A statement costs
 * as much as the rest of a small request, here and there: its message wakes a process on the other side. Nothing
 * waits longer for it than until the requests that have already arrived are read, and nothing is kept: each is
 * answered by a statement that began after it was asked.
 *
 * `answerAll` answers in the order of what was asked. Each asked carries all that limits what it may touch, its
 * central first. On a distributed database all of them are of one central.
 *
 * With `oneAtATime` whatever is asked during a statement waits for the next one, so that a flood never holds more than
 * one connection.
 */
export function batchLookups<Asked extends { centralId: number }, Answer>(
  answerAll: (tx: Tx, all: readonly Asked[]) => Promise<Answers<Answer>>,
  { oneAtATime = false } = {},
): (tx: Tx, asked: Asked) => Promise<Answer> {
  const batchesOf = new WeakMap<Tx, Map<number, LookupBatch<Asked, Answer>>>();
  const running = new WeakMap<Tx, Promise<unknown>>();

  const begin = (tx: Tx, end: () => void): LookupBatch<Asked, Answer> => {
    const all: Asked[] = [];
    const answerThem = (): Promise<Answers<Answer>> => {
      end();
      return answerAll(tx, all);
    };
    const turn = oneAtATime ? Promise.all([endOfTurn(), running.get(tx)]) : endOfTurn();
    const answers = turn.then(answerThem);
    if (oneAtATime)
      running.set(
        tx,
        answers.catch(() => undefined),
      );
    return { all, answers };
  };

  return async (given, asked) => {
    const tx = given.sharedWith ?? given;
    const key = tx.isDistributed ? asked.centralId : ALL_CENTRALS;
    const batches = batchesOf.get(tx) ?? new Map<number, LookupBatch<Asked, Answer>>();
    batchesOf.set(tx, batches);
    let lookupBatch = batches.get(key);
    if (!lookupBatch) {
      lookupBatch = begin(tx, () => batches.delete(key));
      batches.set(key, lookupBatch);
    }
    const place = lookupBatch.all.push(asked) - 1;
    return (await lookupBatch.answers)[place]!;
  };
}

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
