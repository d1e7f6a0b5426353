import { setTimeout as sleep } from 'node:timers/promises';

/** Work that is repeated while the service runs. */
export interface Rounds {
  /** The pause between two rounds, unless the next one is woken earlier. Read after each round. */
  everyMs: number | (() => number);
  round(): Promise<unknown>;
  onError(error: unknown): void;
  /** Whether the first round begins at once, not after a pause. */
  beginsAtOnce?: boolean;
  /** The shortest pause, also before a woken round: work that arrives within it is done by the same round. */
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
  const stopping = new AbortController();
  const { signal } = stopping;
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
    if (pauseMsMin > 0) await sleep(pauseMsMin, undefined, { ref: false, signal }).catch(() => undefined);
    woken = signal.aborted;
  };

  const run = async (): Promise<void> => {
    if (!beginsAtOnce) await pause();
    while (!signal.aborted) {
      await round().catch(onError);
      await pause();
    }
  };
  const running = run();
  return {
    wake,
    async stop() {
      stopping.abort();
      wake();
      await running;
    },
  };
}

/**
 * Centrals at work at the same time. Many, because most of them wait for a router or for a connection, whose number is
 * limited elsewhere (platform/postgres/limitConnections.ts).
 */
const CENTRALS_AT_ONCE = 256;
const PLACE_MS = 1_000;
/** How long end() waits for work in progress. */
const ENDING_MS = 5_000;

export interface CentralWork {
  /**
   * Begins the work of each central whose last run has ended. A central without a free place waits for one, queued once
   * however often it is requested. Resolves when all of them have ended, or have given up their places as slow.
   */
  begin(centralIds: Iterable<number>): Promise<void>;
  /** The centrals whose work is running. */
  underWay(): number[];
  /** Begins nothing more, and waits a limited time for work in progress. */
  end(): Promise<void>;
}

interface CentralWorkOptions {
  atOnce?: number;
  /**
   * Whether work waits for a shared resource, such as a connection, that further centrals would wait for too. Slow work
   * then keeps its place. Otherwise it gives up its place, because it waits for a router.
   */
  isCrowded?(): boolean;
  placeMs?: number;
}

/** Works on several centrals at a time, with one run per central, so that a slow central delays no other. */
export function workPerCentral(
  work: (centralId: number) => Promise<unknown>,
  onError: (error: unknown) => void,
  { atOnce = CENTRALS_AT_ONCE, isCrowded = () => false, placeMs = PLACE_MS }: CentralWorkOptions = {},
): CentralWork {
  const underWay = new Map<number, Promise<void>>();
  const waiting = new Set<number>();
  let places = 0;
  let isDrained = Promise.withResolvers<void>();
  const beginOne = (centralId: number): Promise<void> => {
    const working = work(centralId)
      .then(() => undefined, onError)
      .finally(() => underWay.delete(centralId));
    underWay.set(centralId, working);
    return working;
  };
  const takeTurns = async (): Promise<void> => {
    for (const centralId of waiting) {
      waiting.delete(centralId);
      const working = beginOne(centralId);
      while (!(await endsWithin(working, placeMs)) && isCrowded());
    }
    places -= 1;
    if (places === 0) isDrained.resolve();
  };
  return {
    async begin(centralIds) {
      for (const centralId of centralIds) if (!underWay.has(centralId)) waiting.add(centralId);
      if (places === 0 && waiting.size > 0) isDrained = Promise.withResolvers();
      for (; places < atOnce && waiting.size > 0; places += 1) void takeTurns();
      if (places > 0) await isDrained.promise;
    },
    underWay: () => [...underWay.keys()],
    async end() {
      waiting.clear();
      await Promise.race([Promise.all(underWay.values()), sleep(ENDING_MS, undefined, { ref: false })]);
    },
  };
}

function endsWithin(working: Promise<void>, ms: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, ms, false);
  void working.then(() => {
    clearTimeout(timer);
    resolve(true);
  });
  return promise;
}

/**
 * Does the work for each item, one after another or several at a time. An error does not stop the other items: it is
 * thrown after all of them. Of several errors the first becomes the cause, because logs describe causes only.
 */
export async function forEachIsolated<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  atOnce = 1,
): Promise<void> {
  const errors: unknown[] = [];
  const waiting = items.values();
  // The workers share one iterator, so each item is taken once.
  const takeTurns = async () => {
    for (const item of waiting) await work(item).catch((error) => errors.push(error));
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, takeTurns));
  if (errors.length > 1)
    throw new AggregateError(errors, `${errors.length} of ${items.length} failed`, { cause: errors[0] });
  if (errors.length === 1) throw errors[0];
}

/** As `forEachIsolated`, for work that returns a count. Returns the sum of the counts. */
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
