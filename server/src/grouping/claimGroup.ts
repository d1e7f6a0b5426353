import type { Sight } from '../centrals/caller.ts';
import type { Needs } from '../postgres/needs.ts';
import { type Claim, type ClaimPurpose, newClaim } from './claim.ts';
import { insertClaims } from './claimStore.ts';
import { assertCanGroup, type Group } from './grouping.ts';
import { findGroup, findRequests, targetsOf, type WantedGroup } from './wantedGroup.ts';

export interface ClaimedGroup extends Group {
  claim: Claim;
}

/**
 * Takes hold of everybody who takes part, and refuses what contract 7.2 refuses before an estimate.
 *
 * The claims themselves keep other groupings out, so the rows are only read. Locking them here as well would
 * make whole lists wait for one driver's step, and steps lock a grouper before those grouped into it while a
 * list is locked by id: each could wait for the other. What a step or an edit changes meanwhile is found when
 * the group is saved.
 */
export async function claimGroup(
  { db, clock }: Needs,
  sight: Sight,
  wanted: WantedGroup,
  purpose: ClaimPurpose,
): Promise<ClaimedGroup> {
  const now = clock.now();
  const targets = targetsOf(wanted);
  const claim = newClaim(sight.centralId, purpose, targets);
  return db.beginAside(async (tx) => {
    // First of all, because what may not be seen may not be claimed either.
    await findRequests(tx, sight, targets);
    await insertClaims(tx, claim, now);
    const group = await findGroup(tx, sight, wanted.grouper, targets);
    assertCanGroup(group, now);
    return { ...group, claim };
  });
}
