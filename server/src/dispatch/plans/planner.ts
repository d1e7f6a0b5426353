import type { Central } from '../../centrals/central.ts';
import type { Routers } from '../../geo/routing/routers.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { type Computing, computePlan, type Progress } from './computePlan.ts';
import type { StoredPlan } from './plan.ts';
import { markFailed, markProgress, markReady } from './planStore.ts';

/** Plans that are computed at the same time in one process. Others wait for their turn. */
const AT_ONCE_MAX = 2;

/** A plan whose row is stored. */
export interface Commissioned extends Omit<Computing, 'onProgress' | 'signal'> {
  id: number;
  central: Central;
  /** That of the central. */
  clock: Clock;
}

/** Computes plans in the background of this process. */
export interface Planner {
  /** Resolves with the plan once it is stored; undefined if it failed or the process stops. */
  compute(commissioned: Commissioned): Promise<StoredPlan | undefined>;
  stop(): Promise<void>;
}

export function openPlanner(
  { db, routers }: { db: Db; routers: Routers },
  onError: (error: unknown) => void,
): Planner {
  const stopping = new AbortController();
  const running = new Set<Promise<unknown>>();
  const waiting: (() => void)[] = [];
  let free = AT_ONCE_MAX;

  const inTurn = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free -= 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };

  const computeNow = async ({ id, central, clock, ...computing }: Commissioned) => {
    if (stopping.signal.aborted) return undefined;
    // One write after another, and none after the last.
    let told = Promise.resolve();
    let [latest, isTelling]: [Progress | undefined, boolean] = [undefined, false];
    const onProgress = (progress: Progress): void => {
      latest = progress;
      if (isTelling) return;
      isTelling = true;
      told = told
        .then(() => markProgress(db, central.id, id, latest!))
        .catch(onError)
        .then(() => {
          isTelling = false;
        });
    };
    try {
      const signal = stopping.signal;
      const plan = await computePlan({ db, clock, routers }, central, { ...computing, onProgress, signal });
      await told;
      await markReady(db, central.id, id, plan, clock.now());
      return plan;
    } catch (error) {
      await told;
      if (!stopping.signal.aborted) onError(error);
      await markFailed(db, central.id, id).catch(() => undefined);
      return undefined;
    }
  };

  return {
    compute(commissioned) {
      const computed = inTurn(() => computeNow(commissioned));
      running.add(computed);
      return computed.finally(() => running.delete(computed));
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
