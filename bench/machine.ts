import { cpus, loadavg } from 'node:os';

/** One line about the machine of a measurement. The load shows whether others use it too. */
export const machine = (): string =>
  [
    `${cpus().length} cores of ${cpus()[0]?.model.trim() ?? 'an unknown kind'} (${process.arch})`,
    `Node ${process.versions.node}`,
    `load ${loadavg()
      .slice(0, 2)
      .map((load) => load.toFixed(1))
      .join(' and ')} in the last 1 and 5 minutes`,
  ].join(', ');

/** Runs work and tells how long it took, and what part of some threads' time the machine gave. */
export async function timed<Result>(
  threads: number,
  work: () => Promise<Result>,
): Promise<{ result: Result; millis: number; share: number }> {
  const cpu = process.cpuUsage();
  const started = performance.now();
  const result = await work();
  const millis = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  return { result, millis, share: (user + system) / 1000 / (millis * threads) };
}
