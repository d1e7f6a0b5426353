import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuOf, cpuOfServer, machineTicks } from '../cpu.ts';
import { type LoadRequest, type LoadResult, load } from '../load.ts';
import { residentMegabytes } from '../service.ts';

export const NOUNS = ['status', 'page of 100', 'create'] as const;
export type Noun = (typeof NOUNS)[number];

export interface Contestant {
  name: string;
  url: string;
  service: ChildProcess;
  startedMs: number;
  requests: Record<Noun, LoadRequest[]>;
}

export interface Round extends LoadResult {
  /** Processor time per request, including work after the last answer. */
  serviceMs: number;
  databaseMs: number;
  /** The part of both that was used after the last answer. */
  afterwardsMs: number;
  /** The share of processor time that the host gave to other machines. */
  stolen: number;
  megabytes: number;
}

export async function measure(
  { url, requests, service }: Contestant,
  noun: Noun,
  postmaster: number | undefined,
  options: { connections: number; seconds: number },
): Promise<Round> {
  // NaN on systems other than Linux.
  const used = () => {
    const own = cpuOf(service.pid) ?? Number.NaN;
    const database = cpuOfServer(postmaster) ?? Number.NaN;
    return { service: own, database, both: own + database };
  };
  const [before, ticksBefore] = [used(), machineTicks()];
  const result = await load(url, requests[noun], options);
  const [answered, ticks] = [used(), machineTicks()];
  await untilQuiet(() => used().both);
  const done = used();
  return {
    ...result,
    serviceMs: (done.service - before.service) / result.total,
    databaseMs: (done.database - before.database) / result.total,
    afterwardsMs: (done.both - answered.both) / result.total,
    stolen: (ticks.stolen - ticksBefore.stolen) / (ticks.total - ticksBefore.total),
    megabytes: residentMegabytes(service),
  };
}

const QUIET_STEP_MS = 500;
const QUIET_MS = 50;
const QUIET_STEPS_MAX = 40;

/** Waits until the contestant is idle, so that its remaining work does not slow the next one down. */
async function untilQuiet(used: () => number): Promise<void> {
  for (let step = 0; step < QUIET_STEPS_MAX; step += 1) {
    const before = used();
    await sleep(QUIET_STEP_MS);
    if (!(used() - before >= QUIET_MS)) return;
  }
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;

export function print(noun: Noun, contestants: readonly Contestant[], results: readonly Round[][]): void {
  console.log(`\n${noun}`);
  console.log(
    '                   per second       p50      p99   CPU of service, of database, afterwards    memory   Malote against it',
  );
  for (const [index, { name }] of contestants.entries()) {
    const own = results[index]!;
    const of = (read: (round: Round) => number) => median(own.map(read));
    const ratios = own.map(({ perSecond }, round) => results[0]![round]!.perSecond / perSecond);
    const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
    console.log(
      `  ${name.padEnd(16)} ${of((round) => round.perSecond)
        .toFixed(0)
        .padStart(8)}/s ${of((round) => round.p50)
        .toFixed(0)
        .padStart(6)} ms ${of((round) => round.p99)
        .toFixed(0)
        .padStart(5)} ms ${of((round) => round.serviceMs)
        .toFixed(2)
        .padStart(10)} ms ${of((round) => round.databaseMs)
        .toFixed(2)
        .padStart(8)} ms ${of((round) => round.afterwardsMs)
        .toFixed(2)
        .padStart(8)} ms ${of((round) => round.megabytes)
        .toFixed(0)
        .padStart(8)} MB${index === 0 ? '' : `   ${median(ratios).toFixed(2)} times (${spread})`}`,
    );
  }
  const stolen = results.flat().map((round) => Math.round(round.stolen * 100));
  console.log(
    `  The machine's host took ${median(stolen)} % of the processors away (median of the rounds), ${Math.max(...stolen)} % in the worst one.`,
  );
}
