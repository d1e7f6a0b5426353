import { randomUUID } from 'node:crypto';
import { findCentralsWith } from '../../centrals/centralStore.ts';
import type { RequestNoun } from '../../deliveries/orders/request.ts';
import { CLOCK_TOLERANCE } from '../../platform/kernel/clock.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { raw, sql } from '../../platform/postgres/sql.ts';
import { inOrder } from '../../platform/postgres/transaction.ts';

/** Automatic merge and grouping by a user exclude each other. The refusal says which of them is in progress. */
export type ClaimPurpose = 'grouping' | 'automatic_merge';

export interface ClaimTarget {
  noun: RequestNoun;
  id: number;
}

/**
 * A lease on requests that are being grouped.
 *
 * It is taken before the router is asked, so that a second grouping of any of the requests is refused at once
 * before any planning. The transaction that saves the plan ends it. It does not block an edit or a
 * cancellation; those raise the version, and then the plan is not saved. The claim of a process that died is taken
 * over by the next grouping. If the death is not visible, the claim expires.
 */
export interface Claim {
  centralId: number;
  token: string;
  purpose: ClaimPurpose;
  targets: readonly ClaimTarget[];
  /** The HTTP request with Idempotency-Key that it was taken for. A repetition waits instead of being refused. */
  request: Buffer | null;
}

/** Longer than the longest wait for a router. An older claim may be taken over, and then nothing is saved. */
export const CLAIM_SECONDS = 30;

export const newClaim = (
  centralId: number,
  purpose: ClaimPurpose,
  targets: readonly ClaimTarget[],
  request: Buffer | null = null,
): Claim => ({ centralId, token: randomUUID(), purpose, targets, request });

/** No claim that a right clock has made by now expires later. */
export const latestExpiry = (now: Temporal.Instant): Temporal.Instant =>
  now.add({ seconds: CLAIM_SECONDS }).add(CLOCK_TOLERANCE);

/*
 * Claims are always locked in the same order, scheduled deliveries before deliveries and each by id, both when they
 * are taken and when they end. Row locks on the requests come before locks on claims, or not at all. So no deadlock
 * is possible between them.
 */

/** Another attempt at the same HTTP request holds these claims. */
export class OwnAttemptRunning extends Error {
  override name = 'OwnAttemptRunning';
}

interface HeldClaim {
  purpose: ClaimPurpose;
  token: string;
  request: Buffer | null;
  pid: number | null;
  since: Temporal.Instant | null;
  expiresAt: Temporal.Instant;
}

/** The database session that holds a claim. */
interface Session {
  pid: number;
  since: Temporal.Instant;
}

/**
 * The session of this transaction. Undefined on a distributed database, whose nodes do not know each other's sessions:
 * there claims only expire.
 */
export async function findSession(tx: Tx): Promise<Session | undefined> {
  if (tx.isDistributed) return undefined;
  const session = await tx.row<Session>`
    select pid, backend_start as since from pg_stat_activity where pid = pg_backend_pid()`;
  return session;
}

/**
 * Claims the targets, and takes over expired claims and those of ended database sessions. Refuses with
 * grouping-in-progress or merge-in-progress, or throws OwnAttemptRunning.
 */
export async function insertClaims(
  tx: Tx,
  claim: Claim,
  now: Temporal.Instant,
  session: Promise<Session | undefined> = findSession(tx),
): Promise<void> {
  const holder = await session;
  if (await takeClaims(tx, claim, holder, now)) return;
  // The conflict locked the claims of others, so they exist until this transaction ends.
  const held = (await findHeld(tx, claim.centralId, claim.targets)).filter(
    ({ token }) => token !== claim.token,
  );
  const live = await liveSessions(tx, held);
  const ended = held.filter((other) => !live(other)).map(({ token }) => token);
  if (ended.length > 0) {
    await deleteEnded(tx, claim, ended);
    if (await takeClaims(tx, claim, holder, now)) return;
  }
  const others = held.filter(live);
  if (claim.request && others.every(({ request }) => request?.equals(claim.request!)))
    throw new OwnAttemptRunning();
  throw heldBy(others);
}

const LEASE = raw(`interval '${CLAIM_SECONDS} seconds'`);
const TOLERANCE = raw(`interval '${CLOCK_TOLERANCE.seconds} seconds'`);

/**
 * False when another claim holds a target. The caller's rollback then undoes what was taken. A claim that has expired
 * was taken CLAIM_SECONDS ago or earlier, which is compared without parameters: Citus allows none here. A claim with a
 * time in the future was taken before the clock was set back, and counts as expired too.
 */
async function takeClaims(
  tx: Tx,
  { centralId, targets, purpose, token, request }: Claim,
  session: Session | undefined,
  now: Temporal.Instant,
): Promise<boolean> {
  const taken = await tx.rows`
    insert into claims (central_id, noun, target_id, purpose, token, expires_at, request, holder_pid, holder_since)
    select ${centralId}, noun, target_id, ${purpose}, ${token}, ${now.add({ seconds: CLAIM_SECONDS })}, ${request},
      ${session?.pid ?? null}::integer, ${session?.since ?? null}::timestamptz
    from unnest(${targets.map(({ noun }) => noun)}::text[], ${targets.map(({ id }) => id)}::bigint[])
      as wanted(noun, target_id)
    order by noun desc, target_id
    on conflict (central_id, noun, target_id) do update
      set purpose = excluded.purpose, token = excluded.token, expires_at = excluded.expires_at,
        request = excluded.request, holder_pid = excluded.holder_pid, holder_since = excluded.holder_since
      where claims.token = excluded.token
        or excluded.expires_at - claims.expires_at >= ${LEASE}
        or claims.expires_at - excluded.expires_at > ${TOLERANCE}
    returning target_id`;
  return taken.length === targets.length;
}

/**
 * Deletes the claims with these tokens on the targets of this claim, whose locks the conflict took. Other claims with
 * the same tokens stay: another transaction may hold one of those and wait for one of these, which would be a deadlock.
 */
async function deleteEnded(tx: Tx, { centralId, targets }: Claim, tokens: readonly string[]): Promise<void> {
  await tx.rows`
    delete from claims c
    using unnest(${targets.map(({ noun }) => noun)}::text[], ${targets.map(({ id }) => id)}::bigint[])
      as wanted(noun, target_id)
    where c.central_id = ${centralId} and c.noun = wanted.noun and c.target_id = wanted.target_id
      and c.token = any(${tokens}::uuid[])`;
}

const findHeld = (
  tx: Tx,
  centralId: number,
  targets: readonly ClaimTarget[],
): Promise<HeldClaim[]> => tx.rows<HeldClaim>`
  select distinct c.purpose, c.token, c.request, c.holder_pid as pid, c.holder_since as since,
    c.expires_at
  from claims c
    join unnest(${targets.map(({ noun }) => noun)}::text[], ${targets.map(({ id }) => id)}::bigint[])
      as wanted(noun, target_id) using (noun, target_id)
  where c.central_id = ${centralId}`;

/**
 * A pooled database session outlives the claims taken in it: both last half a minute, and every use of the session
 * starts its time again. So an ended session belongs to a process that died or lost the database. If that process
 * still plans, it saves nothing, because `deleteClaims` no longer finds its claim.
 */
async function liveSessions(tx: Tx, held: readonly HeldClaim[]): Promise<(claim: HeldClaim) => boolean> {
  const pids = held.flatMap(({ pid }) => pid ?? []);
  if (pids.length === 0) return () => true;
  // A transaction keeps the first pg_stat_activity that it read, here in findSession. A session that began later would
  // seem to have ended.
  const [, sessions] = await inOrder([
    tx.rows`select pg_stat_clear_snapshot()`,
    tx.rows<{ pid: number; since: Temporal.Instant | null }>`
      select pid, backend_start as since from pg_stat_activity where pid = any(${pids}::int[])`,
  ]);
  // PostgreSQL hides the start of sessions of other roles.
  return ({ pid, since }) =>
    pid === null ||
    sessions.some(
      (session) => session.pid === pid && (!session.since || !since || session.since.equals(since)),
    );
}

/** Whether a claim is still valid: the condition in the SQL of `takeClaims`. */
const isHeldAt = (expiresAt: Temporal.Instant, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(expiresAt, now) > 0 && Temporal.Instant.compare(expiresAt, latestExpiry(now)) <= 0;

/** Refuses as insertClaims does, and claims nothing. */
export async function assertUnclaimed(
  tx: Tx,
  centralId: number,
  targets: readonly ClaimTarget[],
  now: Temporal.Instant,
): Promise<void> {
  const held = (await findHeld(tx, centralId, targets)).filter(({ expiresAt }) => isHeldAt(expiresAt, now));
  const live = await liveSessions(tx, held);
  if (held.some(live)) throw heldBy(held.filter(live));
}

function heldBy(held: readonly { purpose: ClaimPurpose }[]): Refusal {
  const byHand = held.some(({ purpose }) => purpose === 'grouping');
  return new Refusal(byHand ? 'grouping-in-progress' : 'merge-in-progress');
}

/**
 * Ends a claim; returns how many of its targets were still held. Fewer than claimed means that another grouping took
 * over the rest. Until the transaction ends, no other grouping can claim these targets.
 */
export async function deleteClaims(tx: Tx, claim: Claim): Promise<number> {
  const rows = await tx.rows`
    with mine as materialized (
      select central_id, noun, target_id from claims
      where central_id = ${claim.centralId} and token = ${claim.token}
      order by noun desc, target_id for update)
    delete from claims c using mine
    where (c.central_id, c.noun, c.target_id) = (mine.central_id, mine.noun, mine.target_id)
      and c.central_id = ${claim.centralId} and c.token = ${claim.token}
    returning c.target_id`;
  return rows.length;
}

export const findCentralsWithExpiredClaims = (tx: Tx, now: Temporal.Instant): Promise<number[]> =>
  findCentralsWith(tx, sql`claims where expires_at < ${now}`);

/** Removes expired claims. The next grouping would take them over anyway. */
export async function deleteExpiredClaims(tx: Tx, centralId: number, now: Temporal.Instant): Promise<number> {
  const rows = await tx.rows`
    delete from claims where central_id = ${centralId} and (noun, target_id) in (
      select noun, target_id from claims
      where central_id = ${centralId} and expires_at < ${now} for update skip locked)
    returning target_id`;
  return rows.length;
}
