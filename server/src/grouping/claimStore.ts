import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import { CLAIM_SECONDS, type Claim, type ClaimPurpose, type ClaimTarget } from './claim.ts';

/*
 * Claims are always locked in one order, scheduled deliveries before deliveries and each by id, whether they
 * are taken, checked or given back. Row locks on the requests themselves come before those on claims, or not
 * at all; so neither kind can wait for the other in a circle.
 */

/** Takes the targets, also over expired claims. Refuses with grouping-in-progress or merge-in-progress. */
export async function insertClaims(tx: Tx, claim: Claim, now: Temporal.Instant): Promise<void> {
  const { centralId, targets } = claim;
  const nouns = targets.map(({ noun }) => noun);
  const ids = targets.map(({ id }) => id);
  const taken = await tx`
    insert into claims (central_id, noun, target_id, purpose, token, expires_at)
    select ${centralId}, noun, target_id, ${claim.purpose}, ${claim.token},
      ${now.add({ seconds: CLAIM_SECONDS })}
    from unnest(${nouns}::text[], ${ids}::bigint[]) as wanted(noun, target_id)
    order by noun desc, target_id
    on conflict (central_id, noun, target_id) do update
      set purpose = excluded.purpose, token = excluded.token, expires_at = excluded.expires_at
      where claims.expires_at <= ${now}
    returning target_id`;
  if (taken.length === targets.length) return;

  // The conflict locked what others hold, so it is still there to be read.
  const held = await tx<{ purpose: ClaimPurpose }>`
    select distinct c.purpose
    from claims c
      join unnest(${nouns}::text[], ${ids}::bigint[]) as wanted(noun, target_id) using (noun, target_id)
    where c.central_id = ${centralId} and c.token <> ${claim.token}`;
  throw heldBy(held);
}

/** Refuses as insertClaims would, and takes nothing. */
export async function assertUnclaimed(
  tx: Tx,
  centralId: number,
  targets: readonly ClaimTarget[],
  now: Temporal.Instant,
): Promise<void> {
  const held = await tx<{ purpose: ClaimPurpose }>`
    select distinct c.purpose
    from claims c
      join unnest(${targets.map(({ noun }) => noun)}::text[], ${targets.map(({ id }) => id)}::bigint[])
        as wanted(noun, target_id) using (noun, target_id)
    where c.central_id = ${centralId} and c.expires_at > ${now}`;
  if (held.length) throw heldBy(held);
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
