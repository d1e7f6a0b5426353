import type { Sight } from '../centrals/caller.ts';
import type { Delivery } from '../deliveries/delivery.ts';
import { findDeliveries } from '../deliveries/deliveryStore.ts';
import type { Tx } from '../postgres/database.ts';
import type { Needs } from '../postgres/needs.ts';
import type { Scheduled } from '../scheduled/scheduled.ts';
import { findManyScheduled } from '../scheduled/scheduledStore.ts';
import { type Claim, type ClaimPurpose, type ClaimTarget, newClaim } from './claim.ts';
import { insertClaims } from './claimStore.ts';
import { assertCanGroup, type Group, type Participant } from './grouping.ts';
import { findCarriedStops } from './groupingStore.ts';

/** Ids as they were sent: repeated ones count once, and the grouper's own is discarded. */
export interface WantedGroup {
  grouper: ClaimTarget;
  scheduledIds?: readonly number[];
  deliveryIds?: readonly number[];
}

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

function targetsOf({ grouper, scheduledIds = [], deliveryIds = [] }: WantedGroup): ClaimTarget[] {
  const ids = { scheduled: new Set(scheduledIds), delivery: new Set(deliveryIds) };
  ids[grouper.noun].add(grouper.id);
  return (['scheduled', 'delivery'] as const).flatMap((noun) => [...ids[noun]].map((id) => ({ noun, id })));
}

/** Refuses when one of them is not there for these eyes. */
async function findRequests(
  tx: Tx,
  sight: Sight,
  targets: readonly ClaimTarget[],
): Promise<{ scheduled: Scheduled[]; deliveries: Delivery[] }> {
  const { scheduled = [], delivery = [] } = Object.groupBy(targets, ({ noun }) => noun);
  const idsOf = (some: readonly ClaimTarget[]) => some.map(({ id }) => id);
  return {
    scheduled: scheduled.length ? await findManyScheduled(tx, sight, idsOf(scheduled)) : [],
    deliveries: delivery.length ? await findDeliveries(tx, sight, idsOf(delivery)) : [],
  };
}

async function findGroup(
  tx: Tx,
  sight: Sight,
  grouper: ClaimTarget,
  targets: readonly ClaimTarget[],
): Promise<Group> {
  // Before their stops: a change in between leaves the older version here, and the group is not saved.
  const { scheduled, deliveries } = await findRequests(tx, sight, targets);
  const stopsOf = await findCarriedStops(tx, sight.centralId, targets);
  const all: Participant[] = [
    ...scheduled.map((request) => ({
      noun: 'scheduled' as const,
      request,
      stops: stopsOf('scheduled', request.id),
    })),
    ...deliveries.map((request) => ({
      noun: 'delivery' as const,
      request,
      stops: stopsOf('delivery', request.id),
    })),
  ];
  const isGrouper = ({ noun, request }: Participant) => noun === grouper.noun && request.id === grouper.id;
  return { grouper: all.find(isGrouper)!, others: all.filter((one) => !isGrouper(one)) };
}
