import { setImmediate as nextTurn } from 'node:timers/promises';

const SLICE_MS = 10;

let before: Promise<unknown> = Promise.resolve();

/**
 * Does work that yields between its pieces without holding the event loop up: after each slice everybody else has a
 * turn. One such work at a time in this process, because the slices of many would add up to one long turn.
 */
export function inSlices<Result>(work: Generator<void, Result, void>): Promise<Result> {
  const done = before.then(() => finish(work));
  before = done.catch(() => undefined);
  return done;
}

async function finish<Result>(work: Generator<void, Result, void>): Promise<Result> {
  for (;;) {
    const until = performance.now() + SLICE_MS;
    do {
      const step = work.next();
      if (step.done) return step.value;
    } while (performance.now() < until);
    await nextTurn();
  }
}
