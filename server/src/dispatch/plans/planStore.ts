import { findCentralsWith } from '../../centrals/centralStore.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { newId } from '../../platform/postgres/ids.ts';
import { raw, type Sql, sql } from '../../platform/postgres/sql.ts';
import type { Application, PlanPhase, PlanRecord, PlanWish, StoredPlan } from './plan.ts';

export interface NewPlan {
  wish: PlanWish;
  userId: number | null;
  isAutomatic: boolean;
  createdAt: Temporal.Instant;
  /** After this time the process that computes it has ended. */
  endsBy: Temporal.Instant;
}

export async function insertPlan(tx: Tx, centralId: number, plan: NewPlan): Promise<number> {
  const id = await newId(tx, centralId, 'plan');
  await tx.rows`
    insert into plans (central_id, id, created_at, user_id, automatic, wish, phase, ends_by)
    values (${centralId}, ${id}, ${plan.createdAt}, ${plan.userId}, ${plan.isAutomatic},
      ${plan.wish}::jsonb, 'reading', ${plan.endsBy})`;
  return id;
}

const PLAN = raw('plan');
const NO_PLAN = raw('null::jsonb as plan');

const records = (centralId: number, now: Temporal.Instant, plan: Sql): Sql => sql`
  select id, case when state = 'running' and ends_by < ${now} then 'failed' else state end as state, phase, progress,
    best_cost, created_at, ready_at, given, automatic as is_automatic, wish, ${plan}, applied, applied_at, undone_at
  from plans where central_id = ${centralId}`;

export async function findPlan(
  tx: Tx,
  centralId: number,
  id: number,
  now: Temporal.Instant,
): Promise<PlanRecord> {
  const row = await tx.row<PlanRecord>`${records(centralId, now, PLAN)} and id = ${id}`;
  if (!row) throw new Refusal('plan-not-found');
  return row;
}

/** As findPlan, without the plan itself: for progress. */
export async function findProgress(
  tx: Tx,
  centralId: number,
  id: number,
  now: Temporal.Instant,
): Promise<PlanRecord> {
  const row = await tx.row<PlanRecord>`${records(centralId, now, NO_PLAN)} and id = ${id}`;
  if (!row) throw new Refusal('plan-not-found');
  return row;
}

/** The newest first, without the plans themselves. */
export const listPlans = (
  tx: Tx,
  centralId: number,
  now: Temporal.Instant,
  limit: number,
): Promise<PlanRecord[]> =>
  tx.rows<PlanRecord>`
    ${records(centralId, now, NO_PLAN)} order by created_at desc, id desc limit ${limit}`;

/** Two applications of a plan wait for each other. It is locked before everything else. */
export async function lockPlan(
  tx: Tx,
  centralId: number,
  id: number,
  now: Temporal.Instant,
): Promise<PlanRecord> {
  const row = await tx.row<PlanRecord>`${records(centralId, now, PLAN)} and id = ${id} for update`;
  if (!row) throw new Refusal('plan-not-found');
  return row;
}

export async function countRunning(tx: Tx, centralId: number, now: Temporal.Instant): Promise<number> {
  const row = await tx.row<{ count: number }>`
    select count(*) as count from plans
    where central_id = ${centralId} and state = 'running' and ends_by >= ${now}`;
  return row!.count;
}

/** When the newest automatic plan was begun; null without one. */
export async function findLastAutomatic(tx: Tx, centralId: number): Promise<Temporal.Instant | null> {
  const row = await tx.row<{ at: Temporal.Instant | null }>`
    select max(created_at) as at from plans where central_id = ${centralId} and automatic`;
  return row!.at;
}

/** Removes proposals of before that nobody applied. */
export async function deleteOldProposals(tx: Tx, centralId: number, before: Temporal.Instant): Promise<void> {
  await tx.rows`
    delete from plans
    where central_id = ${centralId} and automatic and applied_at is null and created_at < ${before}`;
}

export async function markProgress(
  tx: Tx,
  centralId: number,
  id: number,
  { phase, progress, bestCost }: { phase: PlanPhase; progress: number; bestCost: number | null },
): Promise<void> {
  await tx.rows`
    update plans set phase = ${phase}, progress = ${progress}, best_cost = ${bestCost}
    where central_id = ${centralId} and id = ${id} and state = 'running'`;
}

/** How many deliveries a plan gives to drivers. */
export const givenOf = ({ routes }: StoredPlan): number =>
  routes.reduce((sum, { orders }) => sum + orders.length, 0);

export async function markReady(
  tx: Tx,
  centralId: number,
  id: number,
  plan: StoredPlan,
  at: Temporal.Instant,
): Promise<void> {
  await tx.rows`
    update plans set state = 'ready', phase = null, progress = 100, best_cost = ${plan.cost},
      plan = ${plan}::jsonb, given = ${givenOf(plan)}, ready_at = ${at}
    where central_id = ${centralId} and id = ${id} and state = 'running'`;
}

export async function markFailed(tx: Tx, centralId: number, id: number): Promise<void> {
  await tx.rows`
    update plans set state = 'failed', phase = null where central_id = ${centralId} and id = ${id} and state = 'running'`;
}

/** The caller holds the plan's lock. */
export async function markApplied(
  tx: Tx,
  centralId: number,
  id: number,
  applied: readonly Application[],
  at: { appliedAt: Temporal.Instant } | { undoneAt: Temporal.Instant },
): Promise<void> {
  const changes = 'appliedAt' in at ? sql`applied_at = ${at.appliedAt}` : sql`undone_at = ${at.undoneAt}`;
  await tx.rows`
    update plans set applied = ${JSON.stringify(applied)}::jsonb, ${changes}
    where central_id = ${centralId} and id = ${id}`;
}

export const findCentralsWithOldPlans = (tx: Tx, before: Temporal.Instant): Promise<number[]> =>
  findCentralsWith(tx, sql`plans where created_at < ${before}`);

export async function deleteOldPlans(
  tx: Tx,
  centralId: number,
  before: Temporal.Instant,
  limit: number,
): Promise<number> {
  const rows = await tx.rows`
    delete from plans where central_id = ${centralId} and id in (
      select id from plans where central_id = ${centralId} and created_at < ${before} limit ${limit})
    returning id`;
  return rows.length;
}
