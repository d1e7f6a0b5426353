import { monitorEventLoopDelay } from 'node:perf_hooks';

/** What the service's process tells of itself to whoever started it, when asked; then it begins anew. */
export interface Stalls {
  /** The longest time in which nobody else had a turn, by the clock: a busy machine counts, too. */
  longestMs: number;
  /** The most that one stretch between two turns took of the processor. */
  longestCpuMs: number;
}

const TURN_MS = 1;

/** Loaded into the service before itself (`--import`), by a bench only. */
if (process.send) {
  const delays = monitorEventLoopDelay({ resolution: TURN_MS });
  delays.enable();
  let longestCpuMs = 0;
  let before = process.threadCpuUsage();
  setInterval(() => {
    const now = process.threadCpuUsage();
    longestCpuMs = Math.max(longestCpuMs, (now.user + now.system - before.user - before.system) / 1000);
    before = now;
  }, TURN_MS).unref();
  process.on('message', () => {
    process.send!({ longestMs: delays.max / 1e6, longestCpuMs } satisfies Stalls);
    delays.reset();
    longestCpuMs = 0;
  });
  process.channel?.unref();
}
