import { setTimeout as sleep } from 'node:timers/promises';

/** Generous: a busy machine is slow and not wrong. */
const TIMEOUT_MS = 30_000;

/** For what happens by itself, in its own time. Fails when it does not happen at all. */
export async function waitUntil(
  what: string,
  holds: () => boolean | Promise<boolean>,
  patienceMs: number = TIMEOUT_MS,
): Promise<void> {
  for (const since = Date.now(); Date.now() - since < patienceMs; await sleep(10)) if (await holds()) return;
  throw new Error(`waited in vain until ${what}`);
}
