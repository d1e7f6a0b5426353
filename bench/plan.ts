import { planFaults } from '../server/src/dispatch/planning/checkPlan.ts';
import { planInThreads } from '../server/src/dispatch/planning/planInThreads.ts';
import type { Plan, PlanProblem } from '../server/src/dispatch/planning/planProblem.ts';
import { publishedOf, replanRoutes } from '../server/src/dispatch/planning/planRoutes.ts';
import { machine, timed } from './machine.ts';
import { driverSecondsOf, fridayOf, greedyDay } from './planFriday.ts';
import { type Instance, readInstances } from './planInstances.ts';

const FRIDAY_ORDERS = 250;

interface Options {
  seconds: number[];
  threads: number;
  seed: number;
  /** Only instances whose file names begin so. */
  only: string[] | undefined;
}

/**
 * Plans for a whole central. `MALOTE_VRP_DATA` names a folder with the instances of Solomon and of Li and Lim and their
 * best known plans; without it only the Friday is planned. Vehicles come first, then distance, as in those benchmarks.
 * The whole table is `npm run bench -- plan`: 11 minutes for 56 instances. `--only=R1,lr` plans those instances alone,
 * `--seconds=1`, `--threads=1` and `--seed=2` change the rest.
 */
export async function run(args: string[]): Promise<void> {
  const option = (name: string): string | undefined =>
    args.find((each) => each.startsWith(`--${name}=`))?.slice(name.length + 3);
  const options: Options = {
    seconds: (option('seconds') ?? '1,10').split(',').map(Number),
    threads: Number(option('threads') ?? 2),
    seed: Number(option('seed') ?? 1),
    only: option('only')?.split(','),
  };
  const folder = process.env.MALOTE_VRP_DATA;
  console.log(`${machine()}\n${options.threads} threads, seed ${options.seed}`);
  if (folder) await runInstances(readInstances(folder, options.only), options);
  else console.log('MALOTE_VRP_DATA names no folder of instances');
  if (options.only === undefined) await runFriday(options);
}

/** A comparison with the best known plan. */
interface Result {
  family: string;
  seconds: number;
  isWhole: boolean;
  /** Vehicles more than in the best known plan. */
  more: number;
  /** In percent. */
  gap: number;
  /** The part of the threads' time that the machine gave. */
  share: number;
}

const isComparable = ({ isWhole, more }: Result): boolean => isWhole && more <= 0;

async function runInstances(instances: Instance[], options: Options): Promise<void> {
  console.log('A gap is printed only for a plan with all requests, no more vehicles and no fault.\n');
  console.log('instance limit  vehicles  known       cost      known     gap     took  processor');
  const results: Result[] = [];
  for (const instance of instances)
    for (const seconds of options.seconds) results.push(await runInstance(instance, seconds, options));
  console.log(`\nload at the end: ${machine()}`);
  console.log('family          limit  mean gap  of  with more vehicles  with requests left out  processor');
  const families = [...new Set(results.map(({ family }) => family))];
  for (const seconds of options.seconds)
    for (const family of [...families, 'solomon', 'li-lim', ''])
      printMean(
        family,
        seconds,
        results.filter((each) => each.seconds === seconds && each.family.startsWith(family)),
      );
}

async function runInstance(
  { name, family, problem, known }: Instance,
  seconds: number,
  { threads, seed }: Options,
): Promise<Result> {
  const limits = { millis: seconds * 1000, threads, seed, fewestDrivers: true };
  const { result: plan, millis, share } = await timed(threads, () => planInThreads(problem, limits));
  const { drivers, metres, unplanned } = plan.cost;
  const isWhole = !tellFaults(problem, plan) && unplanned === 0;
  const result = {
    ...{ family, seconds, isWhole, share },
    more: drivers - known.drivers,
    gap: (metres / known.cost - 1) * 100,
  };
  console.log(
    [
      name.padEnd(8),
      `${seconds} s`.padStart(5),
      String(drivers).padStart(9),
      String(known.drivers).padStart(6),
      metres.toFixed(2).padStart(10),
      known.cost.toFixed(2).padStart(10),
      (isComparable(result) ? `${result.gap.toFixed(2)} %` : '-').padStart(8),
      `${(millis / 1000).toFixed(2)} s`.padStart(8),
      `${(share * 100).toFixed(0)} %`.padStart(6),
      unplanned > 0 ? `${unplanned} left out` : result.more > 0 ? `${result.more} vehicle more` : '',
    ].join(' '),
  );
  return result;
}

function printMean(family: string, seconds: number, results: Result[]): void {
  if (results.length === 0) return;
  const mean = (numbers: number[]): number => numbers.reduce((a, b) => a + b, 0) / numbers.length;
  const comparable = results.filter(isComparable);
  console.log(
    [
      (family || 'all').padEnd(14),
      `${seconds} s`.padStart(6),
      (comparable.length > 0 ? `${mean(comparable.map(({ gap }) => gap)).toFixed(2)} %` : '-').padStart(9),
      String(comparable.length).padStart(3),
      String(results.filter(({ isWhole, more }) => isWhole && more > 0).length).padStart(19),
      String(results.filter(({ isWhole }) => !isWhole).length).padStart(23),
      `${(mean(results.map(({ share }) => share)) * 100).toFixed(0)} %`.padStart(10),
    ].join(' '),
  );
}

/** Whether there are any. */
function tellFaults(problem: PlanProblem, plan: Plan): boolean {
  const faults = planFaults(problem, plan);
  for (const fault of faults) console.log(`FAULT: ${fault}`);
  return faults.length > 0;
}

const minutes = (seconds: number): string => (seconds / 60).toFixed(0);

async function runFriday({ threads, seed }: Options): Promise<void> {
  const problem = await fridayOf(FRIDAY_ORDERS);
  console.log(`\na Friday: ${FRIDAY_ORDERS} orders, 30 shops, 40 drivers. One order at a time: the nearest`);
  console.log('free driver gets each order when it is ready, of the same orders that the plan serves.');
  console.log(
    ' limit     took  processor  left out  drivers  driver minutes  minutes late  one at a time  minutes late',
  );
  for (const limit of [200, 500, 2000, 10_000]) {
    const work = () => planInThreads(problem, { millis: limit, threads, seed });
    const { result: plan, millis, share } = await timed(threads, work);
    tellFaults(problem, plan);
    console.log(
      [
        `${limit / 1000} s`.padStart(6),
        `${(millis / 1000).toFixed(2)} s`.padStart(8),
        `${(share * 100).toFixed(0)} %`.padStart(10),
        String(plan.unplanned.length).padStart(9),
        String(plan.cost.drivers).padStart(8),
        minutes(driverSecondsOf(plan)).padStart(15),
        minutes(plan.cost.lateSeconds).padStart(13),
        ...besideGreedy(problem, plan),
      ].join(' '),
    );
    if (limit === 2000) await replan(problem, plan);
  }
}

/** The same orders with the nearest free driver for one at a time. */
function besideGreedy(problem: PlanProblem, plan: Plan): string[] {
  const leftOut = new Set(plan.unplanned.map(({ request }) => request));
  const requests = problem.requests.filter(({ id }) => !leftOut.has(id));
  const greedy = greedyDay({ ...problem, requests });
  if (greedy.unserved > 0) return [`not comparable: leaves out ${greedy.unserved} more`];
  const saved = 100 * (1 - driverSecondsOf(plan) / greedy.driverSeconds);
  return [
    minutes(greedy.driverSeconds).padStart(14),
    minutes(greedy.lateSeconds).padStart(13),
    `${saved.toFixed(1)} % fewer driver minutes`,
  ];
}

/** The last order comes when all others are published. */
async function replan(problem: PlanProblem, whole: Plan): Promise<void> {
  const last = problem.requests.at(-1)!.id;
  const published = publishedOf(whole).map(({ driver, stops }) => ({
    driver,
    stops: stops.filter(({ request }) => request !== last),
  }));
  const here = await timed(1, async () => replanRoutes(problem, published));
  const inThread = await timed(1, () => planInThreads({ ...problem, published }, { millis: 150 }));
  for (const [where, { result: plan, millis, share }] of Object.entries({
    'in this thread': here,
    'in a new one': inThread,
  })) {
    tellFaults(problem, plan);
    console.log(
      `  replan after one new order ${where}: ${millis.toFixed(0)} ms (${(share * 100).toFixed(0)} % of a processor), ${plan.cost.moved} orders moved, ${plan.unplanned.length} left out, cost ${plan.cost.total.toFixed(0)} after ${whole.cost.total.toFixed(0)}`,
    );
  }
}
