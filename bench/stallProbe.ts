import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The figures that the service's process reports to its parent on request. Each report starts a new period. */
export interface Stalls {
  /** The longest wall-clock time in which nothing else had a turn; load on the machine counts too. */
  longestMs: number;
  /** The most processor time between two turns. */
  longestCpuMs: number;
}

const TURN_MS = 1;

/** Preloaded into the service (`--import`), only by a bench. */
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
