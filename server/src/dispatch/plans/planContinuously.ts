import { findCentral, lockCentral } from '../../centrals/centralStore.ts';
import { centralsAhead } from '../../platform/kernel/clock.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { applyPlan } from './applyPlan.ts';
import type { PlanWish } from './plan.ts';
import type { Planner } from './planner.ts';
import { deleteOldProposals, findLastAutomatic, givenOf, insertPlan } from './planStore.ts';
import { findCentralsToPlan, hasWaitingSince } from './situationStore.ts';
import { endsBy } from './startPlan.ts';

/** Between two automatic plans of a central. */
const PAUSE_SECONDS = 20;

/** How long a proposal can be looked at after newer ones. */
const PROPOSED_MINUTES = 10;

const WISH: PlanWish = {
  deliveryIds: null,
  driverIds: null,
  seconds: 2,
  seed: 1,
  iterations: null,
  locks: [],
};

export interface PlanningDeps extends Deps {
  planner: Planner;
}

/** Centrals with continuous planning in which a delivery has waited long enough. */
export const findPlanning = async ({ db, clock }: PlanningDeps): Promise<number[]> => [
  ...new Set([...(await findCentralsToPlan(db, clock.now())), ...centralsAhead(clock)]),
];

/**
 * Plans the deliveries of a central that nobody has accepted for long, and applies the plan where the central wants it.
 * Each of several processes may try: the lock of the central lets one of them begin.
 */
export async function planIn({ db, clock, planner }: PlanningDeps, centralId: number): Promise<number> {
  const central = await findCentral(db, centralId);
  if (!central?.active || central.settings.planning === 'off') return 0;
  const now = clock.now();
  const waitingBefore = now.subtract({ seconds: central.settings.planAfterSeconds });
  if (!(await hasWaitingSince(db, centralId, waitingBefore))) return 0;
  const id = await db.beginIndependent(async (tx) => {
    await lockCentral(tx, centralId);
    const last = await findLastAutomatic(tx, centralId);
    if (last && Temporal.Instant.compare(last.add({ seconds: PAUSE_SECONDS }), now) > 0) return null;
    const plan = { wish: WISH, userId: null, isAutomatic: true, createdAt: now, endsBy: endsBy(now, WISH) };
    await deleteOldProposals(tx, centralId, now.subtract({ minutes: PROPOSED_MINUTES }));
    return insertPlan(tx, centralId, plan);
  });
  if (id === null) return 0;
  const plan = await planner.compute({ id, central, clock, wish: WISH, isAutomatic: true, waitingBefore });
  const given = plan ? givenOf(plan) : 0;
  if (given === 0 || central.settings.planning !== 'apply') return given;
  const service = { central, centralId, userId: null };
  const { applied } = await applyPlan({ db, clock }, service, id, { driverIds: null, reason: '' });
  return applied.length;
}
