import { setTimeout as sleep } from 'node:timers/promises';

/** Generous: a busy machine is slow and not wrong. */
const TIMEOUT_MS = 60_000;
const PAUSE_MS = 10;

/**
 * For what happens by itself, in its own time. Fails when it does not happen at all. A `what` that is a function is
 * asked then, and can tell what the last state was.
 */
export async function waitUntil(
  what: string | (() => string),
  holds: () => boolean | Promise<boolean>,
  patienceMs: number = TIMEOUT_MS,
): Promise<void> {
  for (const since = Date.now(); Date.now() - since < patienceMs; await sleep(PAUSE_MS))
    if (await holds()) return;
  throw new Error(`waited in vain until ${typeof what === 'string' ? what : what()}`);
}

/** Assertions about what changes by itself, in its own time: repeated until they hold. Fails as they failed last. */
export async function eventually(
  assertions: () => void | Promise<void>,
  patienceMs: number = TIMEOUT_MS,
): Promise<void> {
  for (const since = Date.now(); ; await sleep(PAUSE_MS))
    try {
      return await assertions();
    } catch (error) {
      if (Date.now() - since >= patienceMs) throw error;
    }
}
