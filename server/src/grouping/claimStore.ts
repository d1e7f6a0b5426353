import { randomUUID } from 'node:crypto';
import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';

/** Automatic merge and grouping by hand exclude each other, and are told apart to whoever must wait. */
export type ClaimPurpose = 'grouping' | 'automatic_merge';

export interface ClaimTarget {
  noun: 'scheduled' | 'delivery';
  id: number;
}

/**
 * A lease on requests that are being grouped.
 *
 * It is taken before the router is asked, so that a second grouping of any of them is refused at once
 * instead of planned in vain, and given back by the transaction that saves the plan. It stops nobody else:
 * an edit or a cancellation goes on as ever, and the save finds out by the version. Whoever dies while
 * holding it leaves it to be taken over by the next who wants it; where that cannot be seen, it expires.
 */
export interface Claim {
  centralId: number;
  token: string;
  purpose: ClaimPurpose;
  targets: readonly ClaimTarget[];
  /** The repeatable request that it was taken for: another attempt at it waits instead of being refused. */
  request: Buffer | null;
}

/** Longer than any router is waited for; a claim that outlives it may be taken over, and then nothing is saved. */
export const CLAIM_SECONDS = 30;

export const newClaim = (
  centralId: number,
  purpose: ClaimPurpose,
  targets: readonly ClaimTarget[],
  request: Buffer | null = null,
): Claim => ({ centralId, token: randomUUID(), purpose, targets, request });

/*
 * Claims are always locked in one order, scheduled deliveries before deliveries and each by id, whether they
 * are taken, checked or given back. Row locks on the requests themselves come before those on claims, or not
 * at all; so neither kind can wait for the other in a circle.
 */

/** Another attempt at the same request works under these claims. */
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

/**
 * Takes the targets, also over expired claims and those of sessions that have ended. Refuses with
 * grouping-in-progress or merge-in-progress, or throws OwnAttemptRunning.
 */
export async function insertClaims(tx: Tx, claim: Claim, now: Temporal.Instant): Promise<void> {
  if (await takeClaims(tx, claim, [], now)) return;
  // The conflict locked what others hold, so it is still there to be read, and stays until this transaction ends.
  const held = (await findHeld(tx, claim.centralId, claim.targets)).filter(
    ({ token }) => token !== claim.token,
  );
  const live = await liveSessions(tx, held);
  const ended = held.filter((one) => !live(one)).map(({ token }) => token);
  if (ended.length > 0 && (await takeClaims(tx, claim, ended, now))) return;
  const others = held.filter(live);
  if (claim.request && others.every(({ request }) => request?.equals(claim.request!)))
    throw new OwnAttemptRunning();
  throw heldBy(others);
}

/** False when somebody holds one of them; what could be taken is then undone by whoever rolls back. */
async function takeClaims(
  tx: Tx,
  { centralId, targets, purpose, token, request }: Claim,
  endedTokens: readonly string[],
  now: Temporal.Instant,
): Promise<boolean> {
  const [session] = await tx<{ pid: number; since: Temporal.Instant }>`
    select pid, backend_start as since from pg_stat_activity where pid = pg_backend_pid()`;
  const taken = await tx`
    insert into claims
      (central_id, noun, target_id, purpose, token, expires_at, request, holder_pid, holder_since)
    select ${centralId}, noun, target_id, ${purpose}, ${token}, ${now.add({ seconds: CLAIM_SECONDS })},
      ${request}, ${session!.pid}, ${session!.since}
    from unnest(${targets.map(({ noun }) => noun)}::text[], ${targets.map(({ id }) => id)}::bigint[])
      as wanted(noun, target_id)
    order by noun desc, target_id
    on conflict (central_id, noun, target_id) do update
      set purpose = excluded.purpose, token = excluded.token, expires_at = excluded.expires_at,
        request = excluded.request, holder_pid = excluded.holder_pid, holder_since = excluded.holder_since
      where claims.expires_at <= ${now} or claims.token = any(${endedTokens}::uuid[])
        or claims.token = excluded.token
    returning target_id`;
  return taken.length === targets.length;
}

const findHeld = (
  tx: Tx,
  centralId: number,
  targets: readonly ClaimTarget[],
): Promise<HeldClaim[]> => tx<HeldClaim>`
  select distinct c.purpose, c.token, c.request, c.holder_pid as pid, c.holder_since as since,
    c.expires_at as "expiresAt"
  from claims c
    join unnest(${targets.map(({ noun }) => noun)}::text[], ${targets.map(({ id }) => id)}::bigint[])
      as wanted(noun, target_id) using (noun, target_id)
  where c.central_id = ${centralId}`;

/**
 * A pooled session outlives the claims taken in it (both half a minute, and every use of it begins anew), so one that
 * is gone is that of a process that died or lost the database. Should such a process still plan, its claim is no
 * longer its own and nothing of it is saved (lockClaims).
 */
async function liveSessions(tx: Tx, held: readonly HeldClaim[]): Promise<(claim: HeldClaim) => boolean> {
  if (held.length === 0) return () => false;
  const pids = held.flatMap(({ pid }) => pid ?? []);
  const sessions = await tx<{ pid: number; since: Temporal.Instant | null }>`
    select pid, backend_start as since from pg_stat_activity where pid = any(${pids}::int[])`;
  // Another role's session does not show when it began.
  return ({ pid, since }) =>
    pid === null ||
    sessions.some((one) => one.pid === pid && (!one.since || !since || one.since.equals(since)));
}

/** Refuses as insertClaims would, and takes nothing. */
export async function assertUnclaimed(
  tx: Tx,
  centralId: number,
  targets: readonly ClaimTarget[],
  now: Temporal.Instant,
): Promise<void> {
  const held = (await findHeld(tx, centralId, targets)).filter(
    ({ expiresAt }) => Temporal.Instant.compare(expiresAt, now) > 0,
  );
  const live = await liveSessions(tx, held);
  if (held.some(live)) throw heldBy(held.filter(live));
}

function heldBy(held: readonly { purpose: ClaimPurpose }[]): Refusal {
  const byHand = held.some(({ purpose }) => purpose === 'grouping');
  return new Refusal(byHand ? 'grouping-in-progress' : 'merge-in-progress');
}

/** Holds the claim until the end of the transaction; false when somebody took a part of it over. */
export async function lockClaims(tx: Tx, claim: Claim): Promise<boolean> {
  const rows = await tx`
    select target_id from claims where central_id = ${claim.centralId} and token = ${claim.token}
    order by noun desc, target_id for update`;
  return rows.length === claim.targets.length;
}

/** What is gone already is no harm. */
export async function deleteClaims(tx: Tx, claim: Claim): Promise<void> {
  await tx`
    with mine as materialized (
      select central_id, noun, target_id from claims
      where central_id = ${claim.centralId} and token = ${claim.token}
      order by noun desc, target_id for update)
    delete from claims c using mine
    where (c.central_id, c.noun, c.target_id) = (mine.central_id, mine.noun, mine.target_id)
      and c.token = ${claim.token}`;
}
