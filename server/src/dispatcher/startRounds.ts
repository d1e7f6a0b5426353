import { setTimeout as sleep } from 'node:timers/promises';

/** Something that is done again and again while the service runs. */
export interface Rounds {
  everyMs: number;
  round(): Promise<unknown>;
  onError(error: unknown): void;
}

/** The next round begins that long after the last one ended, so a slow one is never overtaken. */
export function startRounds({ everyMs, round, onError }: Rounds): { stop(): Promise<void> } {
  let stopped = false;
  let wake = () => {};
  const running = (async () => {
    while (!stopped) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, everyMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      if (!stopped) await round().catch(onError);
    }
  })();
  return {
    async stop() {
      stopped = true;
      wake();
      await running;
    },
  };
}

/** Centrals at work at the same time. One that takes longer gives its place up after a while. */
const CENTRALS_AT_ONCE = 4;
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
      await Promise.all(Array.from({ length: CENTRALS_AT_ONCE }, takeTurns));
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
