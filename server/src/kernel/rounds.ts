import { setTimeout as sleep } from 'node:timers/promises';

/** Work that is repeated while the service runs. */
export interface Rounds {
  /** The pause between two rounds, unless the next one is woken earlier. Read after each round. */
  everyMs: number | (() => number);
  round(): Promise<unknown>;
  onError(error: unknown): void;
  /** Whether the first round begins at once, not after a pause. */
  beginsAtOnce?: boolean;
  /** The shortest pause, also before a woken round: what arrives within it is done by the same round. */
  pauseMsMin?: number;
}

export interface RunningRounds {
  /** Something may be due: the next round begins as soon as the current one has ended. */
  wake(): void;
  /** Waits for the round that is running. */
  stop(): Promise<void>;
}

/**
 * Runs rounds one after another. The pause is counted from the end of a round, so a slow round is never overtaken.
 * A round that fails is reported, and the next one follows as usual. Its timers keep no process alive.
 */
export function startRounds(rounds: Rounds): RunningRounds {
  const { everyMs, round, onError, beginsAtOnce = false, pauseMsMin = 0 } = rounds;
  let stopped = false;
  let woken = false;
  let endPause = () => {};
  const wake = () => {
    woken = true;
    endPause();
  };

  const pause = async (): Promise<void> => {
    if (!woken) {
      const ms = typeof everyMs === 'number' ? everyMs : everyMs();
      const { promise, resolve } = Promise.withResolvers<void>();
      endPause = resolve;
      const timer = setTimeout(resolve, Math.ceil(ms)).unref();
      await promise;
      clearTimeout(timer);
    }
    if (pauseMsMin > 0 && !stopped) await sleep(pauseMsMin, undefined, { ref: false });
    woken = stopped;
  };

  const run = async (): Promise<void> => {
    if (!beginsAtOnce) await pause();
    while (!stopped) {
      await round().catch(onError);
      await pause();
    }
  };
  const running = run();
  return {
    wake,
    async stop() {
      stopped = true;
      wake();
      await running;
    },
  };
}

/**
 * Centrals at work at the same time. Many, because most of them wait for a router or for a connection, whose number is
 * limited elsewhere (postgres/limitConnections.ts). One that takes longer gives its place up after a while.
 */
const CENTRALS_AT_ONCE = 256;
const PLACE_MS = 1_000;
/** What is under way when the end is asked for may take this long. */
const ENDING_MS = 5_000;

export interface CentralWork {
  /** Begins the work of each central whose last work has ended. Nobody waits for a slow one longer than a moment. */
  begin(centralIds: readonly number[]): Promise<void>;
  /** The centrals that are being worked on. */
  underWay(): number[];
  /** Waits a while for what is under way. */
  end(): Promise<void>;
}

/** Works on several centrals at a time, on each once at a time: one that is slow delays no other. */
export function workPerCentral(
  work: (centralId: number) => Promise<unknown>,
  onError: (error: unknown) => void,
  atOnce = CENTRALS_AT_ONCE,
): CentralWork {
  const underWay = new Map<number, Promise<void>>();
  const beginOne = (centralId: number): Promise<void> => {
    const working = work(centralId)
      .then(() => undefined, onError)
      .finally(() => underWay.delete(centralId));
    underWay.set(centralId, working);
    return working;
  };
  return {
    async begin(centralIds) {
      const waiting = centralIds.filter((id) => !underWay.has(id)).values();
      const takeTurns = async () => {
        for (const centralId of waiting) await forAMoment(beginOne(centralId));
      };
      await Promise.all(Array.from({ length: Math.min(atOnce, centralIds.length) }, takeTurns));
    },
    underWay: () => [...underWay.keys()],
    async end() {
      await Promise.race([Promise.all(underWay.values()), sleep(ENDING_MS, undefined, { ref: false })]);
    },
  };
}

async function forAMoment(working: Promise<void>): Promise<void> {
  const timer = new AbortController();
  const late = sleep(PLACE_MS, undefined, { signal: timer.signal }).catch(() => undefined);
  await Promise.race([working, late]);
  timer.abort();
}

/**
 * Does the work for each item, one after another or several at a time. An error does not stop the others: it is
 * thrown after all of them.
 */
export async function forEachIsolated<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  atOnce = 1,
): Promise<void> {
  const errors: unknown[] = [];
  const waiting = items.values();
  // They share one iterator, so each item is taken once.
  const takeTurns = async () => {
    for (const item of waiting) await work(item).catch((error) => errors.push(error));
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, takeTurns));
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} of ${items.length} failed`);
  if (errors.length === 1) throw errors[0];
}

/** The same for work that counts something; answers with the sum. */
export async function countForEach<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<number>,
  atOnce = 1,
): Promise<number> {
  let total = 0;
  await forEachIsolated(
    items,
    async (item) => {
      const count = await work(item);
      total += count;
    },
    atOnce,
  );
  return total;
}
