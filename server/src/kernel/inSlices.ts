import { setImmediate as nextTurn } from 'node:timers/promises';

const SLICE_MS = 10;

let before: Promise<unknown> = Promise.resolve();

/**
 * Runs work that yields between its pieces without blocking the event loop: after each slice other tasks run. One
 * such work runs at a time in this process, because the slices of several would add up to one long pause.
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
