import type { Tx } from './database.ts';

const ALL_CENTRALS = 0;

/** An answer is a promise where its failure must not fail the others. */
type Answers<Answer> = readonly (Answer | Promise<Answer>)[];

interface LookupBatch<Asked, Answer> {
  all: Asked[];
  answers: Promise<Answers<Answer>>;
}

/**
 * Sends the small lookups of one turn of the event loop as one statement. A statement costs as much as the rest of a
 * small request, in this process and in the server, because its message wakes a server process. A lookup waits only
 * until the requests that have already arrived are read. Nothing is cached: each lookup is answered by a statement that
 * began after it was asked.
 *
 * `answerAll` answers in the order of the lookups. Each lookup contains everything that limits its scope, first of all
 * its central. On a distributed database all lookups of a statement are of one central.
 *
 * With `oneAtATime` lookups made during a statement wait for the next one, so that a flood holds only one connection.
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

  return async (tx, asked) => {
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
