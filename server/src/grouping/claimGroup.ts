import { setTimeout as sleep } from 'node:timers/promises';
import type { Sight } from '../centrals/caller.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Needs } from '../postgres/needs.ts';
import { type Claim, type ClaimPurpose, newClaim } from './claim.ts';
import { insertClaims, OwnAttemptRunning } from './claimStore.ts';
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
  const targets = targetsOf(wanted);
  const claim = newClaim(sight.centralId, purpose, targets, db.request ?? null);
  return afterOwnAttempt(() =>
    db.beginAside(async (tx) => {
      const now = clock.now();
      // First of all, because what may not be seen may not be claimed either.
      await findRequests(tx, sight, targets);
      await insertClaims(tx, claim, now);
      const group = await findGroup(tx, sight, wanted.grouper, targets);
      assertCanGroup(group, now);
      return { ...group, claim };
    }),
  );
}

/**
 * A repetition of a request that is still being carried out, perhaps by another process, waits for that. Once it is
 * over, the repetition is refused by what was done, which its Idempotency-Key turns into the first one's answer, or it
 * is carried out itself.
 */
async function afterOwnAttempt<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof OwnAttemptRunning)) throw error;
      if (attempt === WAITS_MAX) throw new Refusal('own-attempt-running', { seconds: RETRY_SECONDS });
      await sleep(WAIT_MS);
    }
  }
}

/** Five seconds: most groupings take less, and callers wait longer. Whoever is still too early is told so. */
const WAIT_MS = 200;
const WAITS_MAX = 25;
const RETRY_SECONDS = 2;
