import type { Sight } from '../centrals/caller.ts';
import type { Central } from '../centrals/central.ts';
import type { EstimateNeeds } from '../estimates/estimateTrip.ts';
import type { Deed } from '../events/deed.ts';
import type { Tx } from '../postgres/database.ts';
import type { ClaimPurpose } from './claim.ts';
import { type ClaimedGroup, claimGroup } from './claimGroup.ts';
import { deleteClaims } from './claimStore.ts';
import { assertCanGroup } from './grouping.ts';
import { type LockedGroup, lockGroup } from './lockGroup.ts';
import { type GroupPlan, planGroup } from './planGroup.ts';
import type { WantedGroup } from './wantedGroup.ts';

/** For whom requests are grouped: a caller, or the central itself, which is nobody's login. */
export type GroupingSight = Sight & { central: Central; userId: number | null };

/** A group that is claimed, planned and locked: only writing it down is left. */
export interface ReadyGroup extends ClaimedGroup, GroupPlan {
  locked: LockedGroup;
}

/** Claim, plan, save: what all ways of grouping have in common. */
export async function groupUnderClaim(
  needs: EstimateNeeds,
  sight: GroupingSight,
  wanted: WantedGroup,
  purpose: ClaimPurpose,
  save: (tx: Tx, centralId: number, group: ReadyGroup, deed: Deed) => Promise<void>,
): Promise<void> {
  const { db, clock } = needs;
  const group = await claimGroup(needs, sight, wanted, purpose);
  try {
    // The router is slow and may be down, so nothing is locked while it thinks.
    const plan = await planGroup(needs, sight.central, group);
    await db.begin(async (tx) => {
      const locked = await lockGroup(tx, group);
      const deed = { at: clock.now(), by: sight.userId };
      // Nobody changed any of them, but time went by.
      assertCanGroup(group, deed.at);
      await save(tx, sight.centralId, { ...group, ...plan, locked }, deed);
      await deleteClaims(tx, group.claim);
    });
  } catch (error) {
    // Whatever went wrong is what the caller must hear; a claim that cannot be given back expires.
    await db.beginAside((tx) => deleteClaims(tx, group.claim)).catch(() => undefined);
    throw error;
  }
}
