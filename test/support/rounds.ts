import type { PlanningDeps } from '../../server/src/dispatch/plans/planContinuously.ts';
import type { Distributed } from '../../server/src/dispatch/rounds/distributeDeliveries.ts';
import type { Merged } from '../../server/src/dispatch/rounds/mergeScheduled.ts';
import { ROUNDS } from '../../server/src/dispatch/rounds/roundTable.ts';
import { runRound } from '../../server/src/dispatch/rounds/runRounds.ts';
import type { EstimateDeps } from '../../server/src/money/pricing/estimateTrip.ts';

/** One round of the search for drivers, in every central with due work. */
export async function distributeOnce(deps: EstimateDeps): Promise<Distributed> {
  const done: Distributed = { offered: 0, waiting: 0, lapsed: 0, notAttended: 0 };
  for (const { offered, waiting, lapsed, notAttended } of await runRound(ROUNDS.distribution, deps)) {
    done.offered += offered;
    done.waiting += waiting;
    done.lapsed += lapsed;
    done.notAttended += notAttended;
  }
  return done;
}

export async function mergeDue(deps: EstimateDeps): Promise<Merged> {
  const merged: Merged = { groups: 0, orders: 0 };
  for (const { groups, orders } of await runRound(ROUNDS['automatic merge'], deps)) {
    merged.groups += groups;
    merged.orders += orders;
  }
  return merged;
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

export const samplePositions = async (deps: Pick<EstimateDeps, 'db' | 'clock'>): Promise<number> =>
  sum(await runRound(ROUNDS['sampling of positions'], deps));

/** Adds ended deliveries to the totals of reports. */
export const keepTotals = async (deps: Pick<EstimateDeps, 'db' | 'priceBooks'>): Promise<number> =>
  sum(await runRound(ROUNDS['counting for reports'], deps));

/** One round of continuous planning: how many deliveries were proposed or applied. */
export const planDue = async (deps: EstimateDeps & PlanningDeps): Promise<number> =>
  sum(await runRound(ROUNDS['continuous planning'], deps));
