import { setImmediate as nextTurn } from 'node:timers/promises';

const SLICE_MS = 10;

/** Does a part of some work; true when the work is done. */
type Slice = () => boolean;

const waiting: Slice[] = [];
let isTakingTurns = false;

/**
 * Runs work that yields between its pieces without blocking the event loop. Each turn of the loop does one slice of
 * one such work, and all works of this process take turns: slices of several in one turn would add up to one long
 * pause, and a long work would keep the others waiting.
 */
export const inSlices = <Result>(work: Generator<void, Result, void>): Promise<Result> =>
  takingTurns((resolve) => {
    const until = performance.now() + SLICE_MS;
    let step = work.next();
    while (!step.done && performance.now() < until) step = work.next();
    if (step.done) resolve(step.value);
    return step.done === true;
  });

/** Runs work that cannot be divided in its own turn of the event loop. */
export const inOwnTurn = <Result>(work: () => Result): Promise<Result> =>
  takingTurns((resolve) => {
    resolve(work());
    return true;
  });

export interface Preparation {
  isDone(): boolean;
  /** Runs the pieces at the first call. Every caller waits for the same run. */
  run(): Promise<void>;
}

/** Runs each piece of work in its own turn of the event loop, once, however many callers wait. */
export function inOwnTurns(pieces: readonly (() => void)[]): Preparation {
  let running: Promise<void> | undefined;
  let isDone = false;
  const run = async (): Promise<void> => {
    for (const piece of pieces) await inOwnTurn(piece);
    isDone = true;
  };
  return { isDone: () => isDone, run: () => (running ??= run()) };
}

let sliceEnds = 0;
let turning: Promise<void> | undefined;

/**
 * Awaited between the pieces of asynchronous work that may never yield by itself, such as look-ups in memory. It waits
 * for the next turn of the loop when the current turn has lasted for a slice. All such work of this process shares the
 * slice.
 */
export async function betweenPieces(): Promise<void> {
  if (performance.now() < sliceEnds) return;
  turning ??= nextTurn().then(() => {
    sliceEnds = performance.now() + SLICE_MS;
    turning = undefined;
  });
  await turning;
}

function takingTurns<Result>(slice: (resolve: (result: Result) => void) => boolean): Promise<Result> {
  return new Promise((resolve, reject) => {
    waiting.push(() => {
      try {
        return slice(resolve);
      } catch (error) {
        reject(error);
        return true;
      }
    });
    if (!isTakingTurns) void takeTurns();
  });
}

async function takeTurns(): Promise<void> {
  isTakingTurns = true;
  for (let slice = waiting.shift(); slice; slice = waiting.shift()) {
    await nextTurn();
    if (!slice()) waiting.push(slice);
  }
  isTakingTurns = false;
}
