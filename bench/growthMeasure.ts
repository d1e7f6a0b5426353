import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type pg from 'pg';
import type { Statement } from '../test/support/countStatements.ts';
import { cpuOfServer } from './cpu.ts';

export interface Measured {
  /** Processor time of one operation, of the service and PostgreSQL together. Some rows hold another figure. */
  cpuMs: number;
  /** The median wall-clock time. */
  clockMs?: number | undefined;
  /** Pages that the operation's read-only statements access. This figure does not depend on the machine or its load. */
  blocks?: number | undefined;
}

const SECONDS = 2;
const WARM_UP = 100;
const AT_ONCE = 2;

/**
 * Repeats an operation for a while, or as often as possible. The processor time is that of this process, which serves
 * and sends the requests, and of PostgreSQL.
 */
export async function measure(
  postmaster: number | undefined,
  operation: (index: number) => Promise<unknown>,
  countMax = Number.POSITIVE_INFINITY,
): Promise<Measured> {
  const warm = countMax === Number.POSITIVE_INFINITY ? WARM_UP : 0;
  for (let index = 0; index < warm; index += 1) await operation(index);
  return undisturbed(async () => {
    const clock: number[] = [];
    // Excludes the cost of reading the processor time.
    const serverBefore = cpuOfServer(postmaster) ?? 0;
    const ownBefore = process.cpuUsage();
    const until = performance.now() + SECONDS * 1000;
    let begun = 0;
    const repeat = async () => {
      while (begun < countMax && (countMax !== Number.POSITIVE_INFINITY || performance.now() < until)) {
        const at = performance.now();
        begun += 1;
        await operation(warm + begun - 1);
        clock.push(performance.now() - at);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, repeat));
    const { user, system } = process.cpuUsage(ownBefore);
    const serverMs = (cpuOfServer(postmaster) ?? 0) - serverBefore;
    const cpuMs = ((user + system) / 1000 + serverMs) / clock.length;
    return { cpuMs, clockMs: clock.sort((a, b) => a - b)[clock.length >> 1] };
  });
}

/** The number of pages that the read-only statements access. */
export async function blocksOf(pool: pg.Pool, statements: readonly Statement[]): Promise<number> {
  let blocks = 0;
  for (const { text, values } of statements) {
    if (!/^\s*(select|with)\b/i.test(text) || /\b(insert|update|delete)\b/i.test(text)) continue;
    const { rows } = await pool.query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>({
      text: `explain (analyze, buffers, format json) ${text}`,
      values,
    });
    const { Plan: plan } = rows[0]!['QUERY PLAN'][0]!;
    blocks += plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!;
  }
  return blocks;
}

/**
 * If BENCH_LOCK names a lock file, each slice is measured under that lock. Other measurements on this machine must use
 * the same lock.
 */
async function undisturbed<Result>(work: () => Promise<Result>): Promise<Result> {
  const file = process.env.BENCH_LOCK;
  if (!file) return work();
  const holder = spawn('flock', [file, 'sh', '-c', 'echo; read line'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  try {
    return await work();
  } finally {
    holder.stdin.end();
    await once(holder, 'exit');
  }
}
