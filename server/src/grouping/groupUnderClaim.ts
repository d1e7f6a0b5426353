import { setTimeout as sleep } from 'node:timers/promises';
import { type Scope, wholeCentral } from '../centrals/caller.ts';
import type { Central } from '../centrals/central.ts';
import type { Delivery } from '../deliveries/delivery.ts';
import { lockDeliveries } from '../deliveries/deliveryStore.ts';
import type { EstimateDeps } from '../estimates/estimateTrip.ts';
import type { Actor } from '../events/actor.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import type { Deps } from '../postgres/deps.ts';
import type { Scheduled } from '../scheduled/scheduled.ts';
import { lockManyScheduled } from '../scheduled/scheduledStore.ts';
import {
  type Claim,
  type ClaimPurpose,
  deleteClaims,
  insertClaims,
  lockClaims,
  newClaim,
  OwnAttemptRunning,
} from './claimStore.ts';
import {
  assertCanGroup,
  findGroup,
  findRequests,
  type Group,
  targetsOf,
  type WantedGroup,
} from './grouping.ts';
import { type GroupPlan, planGroup } from './planGroup.ts';

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
async function claimGroup(
  { db, clock }: Deps,
  scope: Scope,
  wanted: WantedGroup,
  purpose: ClaimPurpose,
): Promise<ClaimedGroup> {
  const targets = targetsOf(wanted);
  const claim = newClaim(scope.centralId, purpose, targets, db.request ?? null);
  return afterOwnAttempt(() =>
    db.beginIndependent(async (tx) => {
      const now = clock.now();
      // First of all, because what may not be seen may not be claimed either.
      await findRequests(tx, scope, targets);
      await insertClaims(tx, claim, now);
      const group = await findGroup(tx, scope, wanted.grouper, targets);
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

/** Everybody who takes part, as they are under lock, each kind by id. */
export interface LockedGroup {
  scheduled: readonly Scheduled[];
  deliveries: readonly Delivery[];
}

/**
 * Locks everybody who takes part until the end of the transaction, and refuses with not-saved unless all are
 * as they were when the plan was made and the claim is still ours.
 *
 * The order of locks, everywhere: scheduled deliveries before deliveries, those that carry stops before those
 * grouped into them, each by id; then claims, drivers, wallets.
 */
async function lockGroup(tx: Tx, { claim, grouper, others }: ClaimedGroup): Promise<LockedGroup> {
  const scope = wholeCentral(claim.centralId);
  const all = [grouper, ...others];
  const idsOf = (noun: 'scheduled' | 'delivery') =>
    all.filter((one) => one.noun === noun).map(({ request }) => request.id);
  const locked = {
    scheduled: await lockManyScheduled(tx, scope, idsOf('scheduled')),
    deliveries: await lockDeliveries(tx, scope, idsOf('delivery')),
  };
  const versions = {
    scheduled: new Map(locked.scheduled.map(({ id, version }) => [id, version])),
    delivery: new Map(locked.deliveries.map(({ id, version }) => [id, version])),
  };
  const unchanged = all.every(({ noun, request }) => versions[noun].get(request.id) === request.version);
  if (!unchanged || !(await lockClaims(tx, claim))) throw new Refusal('not-saved');
  return locked;
}

/** For whom requests are grouped: a caller, or the central itself, which is nobody's login. */
export type GroupingScope = Scope & { central: Central; userId: number | null };

/** A group that is claimed, planned and locked: only writing it down is left. */
export interface ReadyGroup extends ClaimedGroup, GroupPlan {
  locked: LockedGroup;
}

/** Claim, plan, save: what all ways of grouping have in common. */
export async function groupUnderClaim(
  deps: EstimateDeps,
  scope: GroupingScope,
  wanted: WantedGroup,
  purpose: ClaimPurpose,
  save: (tx: Tx, centralId: number, group: ReadyGroup, actor: Actor) => Promise<void>,
): Promise<void> {
  const { db, clock } = deps;
  const group = await claimGroup(deps, scope, wanted, purpose);
  try {
    // The router is slow and may be down, so nothing is locked while it thinks.
    const plan = await planGroup(deps, scope.central, group);
    await db.begin(async (tx) => {
      const locked = await lockGroup(tx, group);
      const actor = { at: clock.now(), by: scope.userId };
      // Nobody changed any of them, but time went by.
      assertCanGroup(group, actor.at);
      await save(tx, scope.centralId, { ...group, ...plan, locked }, actor);
      await deleteClaims(tx, group.claim);
    });
  } catch (error) {
    // Whatever went wrong is what the caller must hear; a claim that cannot be given back expires.
    await db.beginIndependent((tx) => deleteClaims(tx, group.claim)).catch(() => undefined);
    throw error;
  }
}
