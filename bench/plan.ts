import { planFaults } from '../server/src/dispatch/planning/checkPlan.ts';
import { planInThreads } from '../server/src/dispatch/planning/planInThreads.ts';
import type { Plan, PlanProblem } from '../server/src/dispatch/planning/planProblem.ts';
import { driverSecondsOf, fridayOf, greedyDay } from './planFriday.ts';
import { type Instance, readInstances } from './planInstances.ts';

const FRIDAY_ORDERS = 250;
const SEED = 1;

/**
 * Plans for a whole central. `MALOTE_VRP_DATA` names a folder with the instances of Solomon and of Li and Lim and their
 * best known plans; without it only the Friday is planned. Vehicles come first, then distance, as in those benchmarks.
 */
export async function run(args: string[]): Promise<void> {
  const option = (name: string): string | undefined =>
    args.find((each) => each.startsWith(`--${name}=`))?.slice(name.length + 3);
  const threads = Number(option('threads') ?? 2);
  const seconds = Number(option('seconds') ?? 10);
  const folder = process.env.MALOTE_VRP_DATA;
  if (folder) await runInstances(readInstances(folder, option('only')), seconds, threads);
  else console.log('MALOTE_VRP_DATA names no folder of instances');
  if (option('only') === undefined) await runFriday(threads);
}

interface Result {
  family: string;
  /** Vehicles more than in the best known plan. */
  more: number;
  /** In percent. */
  gap: number;
}

async function runInstances(instances: Instance[], seconds: number, threads: number): Promise<void> {
  console.log(`${seconds} s, ${threads} threads, seed ${SEED}`);
  console.log('instance  vehicles  known       cost      known      gap');
  const results: Result[] = [];
  for (const instance of instances) {
    const { problem, known } = instance;
    const plan = await planInThreads(problem, {
      ...{ millis: seconds * 1000, threads, seed: SEED },
      fewestDrivers: true,
    });
    expectNoFaults(problem, plan);
    const more = plan.cost.drivers - known.drivers;
    const gap = (plan.cost.metres / known.cost - 1) * 100;
    results.push({ family: instance.family, more, gap });
    const cells = [
      instance.name.padEnd(8),
      String(plan.cost.drivers).padStart(9),
      String(known.drivers).padStart(6),
      plan.cost.metres.toFixed(2).padStart(10),
      known.cost.toFixed(2).padStart(10),
      `${gap.toFixed(2)} %`.padStart(8),
      more > 0 ? `${more} vehicle more` : '',
    ];
    console.log(cells.join(' '));
  }
  console.log('\nfamily         mean gap at equal or fewer vehicles   of   with more vehicles');
  const families = [...new Set(results.map(({ family }) => family))];
  for (const family of [...families, 'solomon', 'li-lim', '']) {
    const own = results.filter((result) => result.family.startsWith(family));
    if (own.length === 0) continue;
    const equal = own.filter(({ more }) => more <= 0);
    const mean = equal.reduce((sum, { gap }) => sum + gap, 0) / Math.max(1, equal.length);
    console.log(
      [
        (family || 'all').padEnd(14),
        `${mean.toFixed(2)} %`.padStart(36),
        String(equal.length).padStart(5),
        String(own.length - equal.length).padStart(20),
      ].join(' '),
    );
  }
}

function expectNoFaults(problem: PlanProblem, plan: Plan): void {
  const faults = planFaults(problem, plan);
  if (faults.length > 0 || plan.unplanned.length > 0)
    console.log(`NOT FEASIBLE: ${[...faults, ...plan.unplanned.map(({ reason }) => reason)].join('; ')}`);
}

async function runFriday(threads: number): Promise<void> {
  const problem = await fridayOf(FRIDAY_ORDERS);
  console.log(`\na Friday: ${FRIDAY_ORDERS} orders, 30 shops, 40 drivers`);
  const minutes = (secondsOf: number): string => (secondsOf / 60).toFixed(0);
  const greedy = greedyDay(problem);
  console.log(
    `greedy: ${minutes(greedy.driverSeconds)} driver minutes, ${minutes(greedy.lateSeconds)} minutes late, ${greedy.unserved} unserved`,
  );
  for (const millis of [500, 2000, 10_000]) {
    const started = performance.now();
    const plan = await planInThreads(problem, { millis, threads, seed: SEED });
    expectNoFaults(problem, plan);
    const saved = 100 * (1 - driverSecondsOf(plan) / greedy.driverSeconds);
    console.log(
      `plan in ${(performance.now() - started).toFixed(0)} ms: ${minutes(driverSecondsOf(plan))} driver minutes (${saved.toFixed(1)} % fewer), ${minutes(plan.cost.lateSeconds)} minutes late, ${plan.cost.drivers} drivers, ${plan.iterations} iterations`,
    );
    if (millis === 2000) await replan(problem, plan);
  }
}

/** The last order comes when all others are published. */
async function replan(problem: PlanProblem, whole: Plan): Promise<void> {
  const last = problem.requests.at(-1)!.id;
  const published = whole.routes.map(({ driver, stops }) => ({
    driver,
    stops: stops.flatMap(({ request, stop }) => (request === last ? [] : [{ request: request!, stop }])),
  }));
  const started = performance.now();
  const { planRoutes } = await import('../server/src/dispatch/planning/planRoutes.ts');
  const plan = planRoutes({ ...problem, published }, { millis: 150 });
  expectNoFaults(problem, plan);
  console.log(
    `replan after one new order in ${(performance.now() - started).toFixed(0)} ms: ${plan.cost.moved} orders moved, cost ${plan.cost.total.toFixed(0)} after ${whole.cost.total.toFixed(0)}`,
  );
}
