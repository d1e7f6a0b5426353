import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  PlanDriver,
  PlanProblem,
  PlanRequest,
  PlanStop,
} from '../server/src/dispatch/planning/planProblem.ts';

/** An instance of Solomon (one stop a request) or of Li and Lim (a pickup and a drop), with its best known plan. */
export interface Instance {
  /** Such as C101 or lrc107. */
  name: string;
  family: string;
  problem: PlanProblem;
  known: { drivers: number; cost: number };
}

/** Reads `solomon/*.txt`, `li-lim/*.txt` and `best-known.json` of a folder. */
export function readInstances(folder: string, only: readonly string[] | undefined): Instance[] {
  const known = JSON.parse(readFileSync(join(folder, 'best-known.json'), 'utf8')) as Record<
    string,
    { best_known_cost: number; solved_with_vehicles: number }
  >;
  return ['solomon', 'li-lim'].flatMap((set) =>
    readdirSync(join(folder, set))
      .filter((file) => file.endsWith('.txt') && (only?.some((begin) => file.startsWith(begin)) ?? true))
      .sort()
      .map((file) => {
        const text = readFileSync(join(folder, set, file), 'utf8');
        const best = known[`${set}/${file}`]!;
        return {
          name: file.replace('.txt', ''),
          family: `${set} ${/^[a-z]+\d/i.exec(file)![0]}`,
          problem: set === 'solomon' ? readSolomon(text) : readLiLim(text),
          known: { drivers: best.solved_with_vehicles, cost: best.best_known_cost },
        };
      }),
  );
}

/** Number, x, y, amount, ready, due, service, pickup of this drop, drop of this pickup. */
const numbersIn = (text: string): number[][] =>
  text
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter((row) => row.length >= 2 && row.every(Number.isFinite));

/** Goods that are collected cost and weigh what delivered goods would. */
function readSolomon(text: string): PlanProblem {
  const [[count, capacity], ...rows] = numbersIn(text) as [[number, number], ...number[][]];
  const requests = rows.slice(1).map(
    (row): PlanRequest => ({
      id: row[0]!,
      pickup: stopOf(row),
      drops: [],
      collected: [row[3]!],
    }),
  );
  return problemOf(rows, count, capacity, requests);
}

function readLiLim(text: string): PlanProblem {
  const [[count, capacity], ...rows] = numbersIn(text) as [[number, number], ...number[][]];
  const requests = rows
    .filter((row) => row[8]! > 0)
    .map((row): PlanRequest => {
      const drop = rows.find((each) => each[0] === row[8])!;
      return { id: row[0]!, pickup: stopOf(row), drops: [{ ...stopOf(drop), amounts: [row[3]!] }] };
    });
  return problemOf(rows, count, capacity, requests);
}

const stopOf = (row: number[]): PlanStop => ({
  place: row[0]!,
  serviceSeconds: row[6]!,
  window: { earliest: row[4]!, latest: row[5]!, isHard: true },
});

function problemOf(rows: number[][], count: number, capacity: number, requests: PlanRequest[]): PlanProblem {
  const metres = rows.map(([, x, y]) => rows.map(([, toX, toY]) => Math.hypot(toX! - x!, toY! - y!)));
  const [, , , , from, to] = rows[0] as number[];
  const drivers = Array.from(
    { length: count },
    (_, id): PlanDriver => ({ id, start: 0, end: 0, shift: { from: from!, to: to! }, capacity: [capacity] }),
  );
  const weights = { lateSecond: 0, drivingSecond: 0, waitingSecond: 0, metre: 1, fairness: 0 };
  return { matrix: { seconds: metres, metres }, requests, drivers, weights };
}
