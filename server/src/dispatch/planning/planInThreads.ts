import { Worker } from 'node:worker_threads';
import { programModule } from '../../platform/kernel/programFiles.ts';
import { compileProblem } from './compileProblem.ts';
import { describePlan } from './describePlan.ts';
import type { Plan, PlanLimits, PlanProblem } from './planProblem.ts';

export interface ThreadTask {
  problem: PlanProblem;
  limits: PlanLimits;
}

/** What a search tells the others: its best plan, packed. */
export interface FoundPlan {
  packed: Int32Array;
  cost: number;
  drivers: number;
  iterations: number;
  wasCut: boolean;
  isLast: boolean;
}

export interface Watching {
  /** Called with plans that are better than those before, of each thread. */
  onFound?: (plan: Pick<FoundPlan, 'cost'>) => void;
  /** Ends the search without a plan. */
  signal?: AbortSignal;
}

/**
 * Plans as `planRoutes` does, in threads of its own with a seed each; they share the best plan from time to time. Only
 * one thread gives the same plan for the same seed and iterations.
 */
export async function planInThreads(
  problem: PlanProblem,
  limits: PlanLimits & { threads?: number },
  { onFound = () => undefined, signal }: Watching = {},
): Promise<Plan> {
  signal?.throwIfAborted();
  const compiled = compileProblem(problem);
  const { threads = 1, seed = 1 } = limits;
  const workers = Array.from({ length: Math.max(1, threads) }, (_, at) => {
    const task: ThreadTask = { problem, limits: { ...limits, seed: seed + at } };
    return new Worker(programModule('server/src/dispatch/planning/planWorker'), { workerData: task });
  });
  const end = (): void => {
    for (const worker of workers) void worker.terminate();
  };
  signal?.addEventListener('abort', end);
  try {
    const found = await Promise.all(
      workers.map((worker) =>
        lastOf(worker, (plan) => {
          tellOthers(workers, worker, plan);
          onFound(plan);
        }),
      ),
    );
    const best = found.reduce((one, other) => (isBetter(other, one, limits) ? other : one));
    const iterations = found.reduce((sum, plan) => sum + plan.iterations, 0);
    return describePlan(compiled, best.packed, { iterations, wasCut: best.wasCut });
  } finally {
    signal?.removeEventListener('abort', end);
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

export function isBetter(
  one: Pick<FoundPlan, 'cost' | 'drivers'>,
  other: Pick<FoundPlan, 'cost' | 'drivers'>,
  { fewestDrivers = false }: PlanLimits,
): boolean {
  if (fewestDrivers && one.drivers !== other.drivers) return one.drivers < other.drivers;
  return one.cost < other.cost - 1e-9;
}

function tellOthers(workers: readonly Worker[], from: Worker, plan: FoundPlan): void {
  for (const worker of workers) if (worker !== from) worker.postMessage(plan);
}

function lastOf(worker: Worker, tell: (plan: FoundPlan) => void): Promise<FoundPlan> {
  return new Promise((resolve, reject) => {
    worker.on('message', (plan: FoundPlan) => (plan.isLast ? resolve(plan) : tell(plan)));
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`a planning thread ended with code ${code}`)));
  });
}
