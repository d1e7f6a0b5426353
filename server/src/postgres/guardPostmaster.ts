import { setTimeout as sleep } from 'node:timers/promises';

export interface Guarded {
  isGone(): boolean;
  /** Rejects when it cannot be started. Once asked to stop it ends soon and leaves nothing running. */
  startAgain(stopping: AbortSignal): Promise<void>;
  warn(line: string): void;
  /** It could not be started however often it was tried. Nobody looks after it from then on. */
  onGivenUp(reason: Error): void;
  /** Before the first attempt, the second … */
  pausesMs?: readonly number[];
}

export interface Guard {
  /** From then on a server that ends is meant to; an attempt to start it is broken off. */
  stop(): Promise<void>;
}

const LOOK_MS = 250;
const PAUSES_MS = [0, 1_000, 2_000, 4_000, 8_000];

/**
 * Brings the database server back when it ends under a service that lives, killed for want of memory for instance.
 * PostgreSQL itself replaces all its processes but the first one; without that one the others end, too.
 */
export function guardPostmaster(guarded: Guarded): Guard {
  const stopping = new AbortController();
  const guarding = guard(guarded, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await guarding;
    },
  };
}

async function guard(guarded: Guarded, stopping: AbortSignal): Promise<void> {
  while (await pause(LOOK_MS, stopping))
    if (guarded.isGone() && !(await bringBack(guarded, stopping))) return;
}

/** False when it was given up, or when there is no point in it any more. */
async function bringBack(guarded: Guarded, stopping: AbortSignal): Promise<boolean> {
  const { warn, pausesMs = PAUSES_MS } = guarded;
  warn('PostgreSQL has ended unexpectedly, starting it again');
  const since = performance.now();
  for (const [index, pauseMs] of pausesMs.entries()) {
    if (!(await pause(pauseMs, stopping))) return false;
    try {
      await guarded.startAgain(stopping);
      warn(`PostgreSQL is back after ${((performance.now() - since) / 1000).toFixed(1)} seconds`);
      return true;
    } catch (error) {
      if (stopping.aborted) return false;
      const reason = error as Error;
      if (index === pausesMs.length - 1) guarded.onGivenUp(reason);
      else warn(`${reason.message}; it will be tried again`);
    }
  }
  return false;
}

/** False when it was cut short. */
const pause = (ms: number, stopping: AbortSignal): Promise<boolean> =>
  sleep(ms, true, { ref: false, signal: stopping }).catch(() => false);
