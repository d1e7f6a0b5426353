import type { Tx } from './database.ts';

interface Gathering<Asked, Answer> {
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
export function gather<Asked, Answer>(
  answerAll: (tx: Tx, all: readonly Asked[]) => Promise<readonly Answer[]>,
  { oneAtATime = false } = {},
): (tx: Tx, asked: Asked) => Promise<Answer> {
  const gatherings = new WeakMap<Tx, Gathering<Asked, Answer>>();
  const running = new WeakMap<Tx, Promise<unknown>>();

  const begin = (tx: Tx): Gathering<Asked, Answer> => {
    const all: Asked[] = [];
    const answerThem = (): Promise<readonly Answer[]> => {
      gatherings.delete(tx);
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
    let gathering = gatherings.get(tx);
    if (!gathering) {
      gathering = begin(tx);
      gatherings.set(tx, gathering);
    }
    const place = gathering.all.push(asked) - 1;
    return (await gathering.answers)[place]!;
  };
}

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
