import { setTimeout as sleep } from 'node:timers/promises';

/** Generous, because a busy machine is slow. */
const TIMEOUT_MS = 60_000;
const PAUSE_MS = 10;

/**
 * Waits for something that happens without a request, and fails if it does not. If `what` is a function, it is called
 * on failure and can describe the last state.
 */
export async function waitUntil(
  what: string | (() => string),
  holds: () => boolean | Promise<boolean>,
  patienceMs: number = TIMEOUT_MS,
): Promise<void> {
  for (const since = Date.now(); Date.now() - since < patienceMs; await sleep(PAUSE_MS))
    if (await holds()) return;
  throw new Error(`waited too long until ${typeof what === 'string' ? what : what()}`);
}

/** Repeats assertions about something that changes without a request, until they hold. Fails with the last error. */
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
