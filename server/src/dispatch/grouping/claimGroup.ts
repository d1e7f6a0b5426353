import { setTimeout as sleep } from 'node:timers/promises';
import { type Scope, wholeCentral } from '../../centrals/caller.ts';
import type { Central } from '../../centrals/central.ts';
import type { Delivery } from '../../deliveries/deliveries/delivery.ts';
import { lockDeliveries } from '../../deliveries/deliveries/deliveryStore.ts';
import type { RequestNoun } from '../../deliveries/orders/request.ts';
import type { Scheduled } from '../../deliveries/scheduled/scheduled.ts';
import { lockManyScheduled } from '../../deliveries/scheduled/scheduledStore.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { inOrder } from '../../platform/postgres/transaction.ts';
import {
  type Claim,
  type ClaimPurpose,
  deleteClaims,
  findSession,
  insertClaims,
  newClaim,
  OwnAttemptRunning,
} from './claimStore.ts';
import { assertCanGroup, findGroup, findRequests, type Group, targetsOf, type WantedGroup } from './group.ts';

/** On whose behalf requests are grouped: a caller, or the central itself, which has no user. */
export type GroupingScope = Scope & { central: Central; userId: number | null };

export interface ClaimedGroup extends Group {
  claim: Claim;
}

/**
 * Claims all requests of a group, and refuses what contract 7.2 refuses before an estimate. The caller plans the
 * group, saves it in a transaction that begins with `lockGroup`, and calls `releaseGroup` if anything fails.
 *
 * Claims exclude other groupings, so the rows are only read. Locking the rows here would make whole lists wait for a
 * single driver's step. It could also deadlock: steps lock a grouper before those grouped into it, and a list is
 * locked by id. What a step or an edit changes meanwhile is noticed by `lockGroup`.
 */
export async function claimGroup(
  { db, clock }: Deps,
  scope: Scope,
  wanted: WantedGroup,
  purpose: ClaimPurpose,
): Promise<ClaimedGroup> {
  const targets = targetsOf(wanted);
  const claim = newClaim(scope.centralId, purpose, targets, db.request ?? null);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const claimed = await db.beginIndependent(async (tx) => {
        const now = clock.now();
        // Before the claims: a caller must not claim what is out of its scope.
        const session = findSession(tx);
        await inOrder([findRequests(tx, scope, targets), session]);
        await insertClaims(tx, claim, now, session);
        const group = await findGroup(tx, scope, wanted.grouper, targets);
        assertCanGroup(group, now);
        return { ...group, claim };
      });
      db.afterRollback?.(() => releaseGroup({ db }, claimed));
      return claimed;
    } catch (error) {
      // A repetition of a request waits while the first attempt runs, perhaps in another process. Afterwards its
      // Idempotency-Key gives it the first attempt's answer, or it is carried out itself.
      if (!(error instanceof OwnAttemptRunning)) throw error;
      if (attempt === WAITS_MAX) throw new Refusal('own-attempt-running', { seconds: RETRY_SECONDS });
      await sleep(WAIT_MS);
    }
  }
}

/** Five seconds in total: most groupings take less, and callers wait longer. */
const WAIT_MS = 200;
const WAITS_MAX = 25;
const RETRY_SECONDS = 2;

/** The requests of a group as they are under lock, each kind by id. */
export interface LockedGroup {
  scheduled: readonly Scheduled[];
  deliveries: readonly Delivery[];
}

/**
 * Locks all requests of a group until the end of the transaction, and ends the claim with it. Refuses with not-saved
 * unless all requests are as they were when the group was planned and the claim is still held by this grouping. The
 * rules are checked again, because time has passed.
 *
 * The order of locks, everywhere: scheduled deliveries before deliveries, those that carry stops before those
 * grouped into them, each by id; then claims, drivers, deliveries on hold for these drivers, wallets.
 */
export async function lockGroup(tx: Tx, group: ClaimedGroup, now: Temporal.Instant): Promise<LockedGroup> {
  const { claim, grouper, others } = group;
  const scope = wholeCentral(claim.centralId);
  const all = [grouper, ...others];
  const idsOf = (noun: RequestNoun) =>
    all.filter((participant) => participant.noun === noun).map(({ request }) => request.id);
  const [scheduled, deliveries, claimed] = await inOrder([
    lockManyScheduled(tx, scope, idsOf('scheduled')),
    lockDeliveries(tx, scope, idsOf('delivery')),
    deleteClaims(tx, claim),
  ]);
  const locked = { scheduled, deliveries };
  const versions = {
    scheduled: new Map(locked.scheduled.map(({ id, version }) => [id, version])),
    delivery: new Map(locked.deliveries.map(({ id, version }) => [id, version])),
  };
  const unchanged = all.every(({ noun, request }) => versions[noun].get(request.id) === request.version);
  if (!unchanged || claimed < claim.targets.length) throw new Refusal('not-saved');
  assertCanGroup(group, now);
  return locked;
}

/** Ends the claim of a grouping that failed. A claim that cannot be deleted now expires. */
export async function releaseGroup({ db }: Pick<Deps, 'db'>, { claim }: ClaimedGroup): Promise<void> {
  await db.beginIndependent((tx) => deleteClaims(tx, claim)).catch(() => undefined);
}
