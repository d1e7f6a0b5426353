import { availableParallelism } from 'node:os';
import type { Central } from '../../centrals/central.ts';
import { matrixOfMany } from '../../geo/routing/manyPlaces.ts';
import { estimatorFor, type Routers } from '../../geo/routing/routers.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { planInThreads } from '../planning/planInThreads.ts';
import { makeProblem, profileOf } from './makeProblem.ts';
import { placesOf } from './places.ts';
import type { PlanPhase, PlanWish, StoredPlan } from './plan.ts';
import { planAsNow } from './planAsNow.ts';
import { readSituation } from './situation.ts';
import { storePlan } from './storePlan.ts';

/** One core is left to requests. */
const THREADS = Math.max(1, Math.min(4, availableParallelism() - 1));

export interface Progress {
  phase: PlanPhase;
  /** From 0 to 100. */
  progress: number;
  bestCost: number | null;
}

interface ComputeDeps extends Deps {
  routers: Routers;
}

export interface Computing {
  wish: PlanWish;
  isAutomatic: boolean;
  /** Only deliveries that wait since before then; null: all. */
  waitingBefore?: Temporal.Instant | null;
  onProgress?: (progress: Progress) => void;
  /** Ends the search without a plan. */
  signal?: AbortSignal;
}

const PROGRESS_MS = 500;

/** Reads the situation of a central, asks for the ways and searches the best plan. Nothing is locked or written. */
export async function computePlan(
  deps: ComputeDeps,
  central: Central,
  { wish, isAutomatic, waitingBefore = null, onProgress = () => undefined, signal }: Computing,
): Promise<StoredPlan> {
  onProgress({ phase: 'reading', progress: 0, bestCost: null });
  const { situation, refused } = await readSituation(deps, central, { wish, isAutomatic, waitingBefore });
  onProgress({ phase: 'ways', progress: 5, bestCost: null });
  const places = placesOf(situation);
  const matrix = await matrixOfMany(
    deps.routers.forEstimates(central.settings),
    estimatorFor(central.settings),
    places.positions,
    profileOf(situation.orders),
  );
  const problem = makeProblem(situation, places, matrix);
  const waiting = situation.orders
    .toSorted((a, b) => Temporal.Instant.compare(a.waitingSince, b.waitingSince) || a.id - b.id)
    .map(({ id }) => id);
  const before = planAsNow(problem.problem, waiting);
  const begun = performance.now();
  let bestCost: number | null = null;
  const tell = (): void => {
    const share = Math.min(1, (performance.now() - begun) / (wish.seconds * 1000));
    onProgress({ phase: 'searching', progress: Math.floor(10 + 85 * share), bestCost });
  };
  tell();
  const telling = setInterval(tell, PROGRESS_MS);
  const onFound = ({ cost }: { cost: number }): void => {
    bestCost = Math.min(bestCost ?? cost, cost);
  };
  const limits = {
    seed: wish.seed,
    millis: wish.seconds * 1000,
    threads: wish.iterations === null ? THREADS : 1,
    ...(wish.iterations !== null && { iterations: wish.iterations }),
  };
  try {
    const after = await planInThreads(problem.problem, limits, { onFound, ...(signal && { signal }) });
    return storePlan(situation, problem, { before, after }, refused);
  } finally {
    clearInterval(telling);
  }
}
