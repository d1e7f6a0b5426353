import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { measureCentrals } from './growthCentrals.ts';
import { measureHistory } from './growthHistory.ts';
import type { Measured } from './growthMeasure.ts';
import { measureRush } from './growthRush.ts';
import { drawPlot } from './plot.ts';

const HISTORY = [10_000, 100_000, 1_000_000];
const LONG_HISTORY = 5_000_000;
const CENTRALS = [1, 100, 10_000];

/** A row of a result table: one operation at each size. */
export interface Growth {
  name: string;
  measured: Measured[];
  /** The accepted ratio between the cost at the largest size and at the smallest. */
  aim: number;
}

/**
 * The cost of operations as the history grows, and of background rounds as the number of centrals grows. Cost is
 * processor time of the service and PostgreSQL together, which other load on the machine disturbs less than wall-clock
 * time. `--5m` adds five million deliveries; `--quick` omits the largest sizes and writes no plot; `history`,
 * `centrals` or `rush` measures only that. `--rows=status,create` measures only the operations on the history whose
 * names contain one of these words, and writes no plot of them.
 */
export async function run(args: string[]): Promise<void> {
  const isQuick = args.includes('--quick');
  const sizes = args.includes('--5m') ? [...HISTORY, LONG_HISTORY] : HISTORY;
  const only = args.find((arg) => !arg.startsWith('--'));
  const notes = [machine()];
  if (only === undefined || only === 'history') {
    const history = isQuick ? sizes.slice(0, 2) : sizes;
    const rows = args.find((arg) => arg.startsWith('--rows='))?.slice('--rows='.length);
    const growth = await measureHistory(history, rows?.split(','));
    print(`cost of an operation with ever more deliveries in one central`, history, growth);
    const plot = {
      title: 'Cost of an operation against the deliveries of a central',
      notes,
      sizeLabel: 'deliveries in the history',
      valueLabel: 'milliseconds of processor time, service and PostgreSQL',
      sizes: history,
      lines: growth.map(({ name, measured }) => ({ name, values: measured.map(({ cpuMs }) => cpuMs) })),
    };
    if (!isQuick && rows === undefined) writeFileSync('docs/growth.svg', drawPlot(plot));
  }
  if (only === undefined || only === 'rush') await measureRush();
  if (only === undefined || only === 'centrals') {
    const centrals = isQuick ? CENTRALS.slice(0, 2) : CENTRALS;
    const growth = await measureCentrals(centrals);
    print('cost of a round for each central that has work, and of the process', centrals, growth);
  }
  console.log(`\n${notes.join('\n')}`);
}

export function machine(): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const [first] = cpus();
  const day = Temporal.Now.instant().toString().slice(0, 10);
  return `${cpus().length} cores of ${first?.model ?? 'an unknown kind'}, ${process.arch}, commit ${commit}, ${day}`;
}

export function print(title: string, sizes: readonly number[], growth: readonly Growth[]): void {
  const cell = (text: string) => text.padStart(20);
  console.log(`\n${title}\n`);
  console.log(`${''.padEnd(40)}${sizes.map((size) => cell(size.toLocaleString('en'))).join('')}  growth`);
  for (const { name, measured, aim } of growth) {
    const factor = measured.at(-1)!.cpuMs / measured[0]!.cpuMs;
    const verdict = `${factor.toFixed(2)} (aim ${aim.toFixed(2)})${factor > aim ? ' ABOVE' : ''}`;
    console.log(
      `${name.padEnd(40)}${measured.map((each) => cell(each.cpuMs.toPrecision(3))).join('')}  ${verdict}`,
    );
    const clock = measured.map(({ clockMs }) =>
      cell(clockMs === undefined ? '' : `clock ${clockMs.toPrecision(3)}`),
    );
    if (measured.some(({ clockMs }) => clockMs !== undefined))
      console.log(`${''.padEnd(40)}${clock.join('')}`);
    const blocks = measured.map(({ blocks: read }) =>
      cell(read === undefined ? '' : `blocks ${Math.round(read)}`),
    );
    if (measured.some(({ blocks: read }) => read !== undefined))
      console.log(`${''.padEnd(40)}${blocks.join('')}`);
  }
}
