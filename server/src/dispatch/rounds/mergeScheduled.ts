import { wholeCentral } from '../../centrals/caller.ts';
import { type Central, MERGE_LEAD_SECONDS_MAX } from '../../centrals/central.ts';
import { findCentral } from '../../centrals/centralStore.ts';
import { markMergeCarrier } from '../../deliveries/scheduled/scheduledStore.ts';
import { serviceActor } from '../../events/record/event.ts';
import { isUnroutable } from '../../geo/routing/router.ts';
import type { EstimateDeps } from '../../money/pricing/estimateTrip.ts';
import { categoryOf } from '../../money/pricing/priceBook.ts';
import { centralsAhead } from '../../platform/kernel/clock.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { forEachIsolated } from '../../platform/kernel/rounds.ts';
import { claimGroup, lockGroup, releaseGroup } from '../grouping/claimGroup.ts';
import { CLAIM_SECONDS, deleteClaims, insertClaims, newClaim } from '../grouping/claimStore.ts';
import { GROUPING_LEAD_SECONDS, type Group } from '../grouping/group.ts';
import { saveScheduledGroup } from '../grouping/groupScheduled.ts';
import { type GroupPlan, planGroup } from '../grouping/planGroup.ts';
import {
  findMergeable,
  findMergingCentrals,
  insertMerge,
  type Mergeable,
  type MergeSaving,
} from './mergeStore.ts';
import { type MergeBatch, planMerge } from './planMerge.ts';

/** A merge that begins so long before a dispatch has ended while grouping is still allowed, as has its claim. */
const LEAD_SECONDS_MIN = GROUPING_LEAD_SECONDS + CLAIM_SECONDS + 10;
/** The stops of one matrix request; with the pickup, routing engines answer this many in one request. */
const STOPS_TOGETHER_MAX = 49;

export interface Merged {
  groups: number;
  orders: number;
}

/** Centrals with automatic merge and orders that could be merged now. */
export async function findMerging({ db, clock }: EstimateDeps): Promise<number[]> {
  const now = clock.now();
  const found = await findMergingCentrals(
    db,
    now.add({ seconds: LEAD_SECONDS_MIN }),
    now.add({ seconds: MERGE_LEAD_SECONDS_MAX }),
  );
  // Those with a clock that is ahead are few, and find out for themselves.
  return [...new Set([...found, ...centralsAhead(clock)])];
}

/**
 * Merges scheduled deliveries of a central that will soon be dispatched and save time together.
 *
 * It waits until the first order of a merge key is near its dispatch, so that late orders are included. It leaves
 * orders with less than LEAD_SECONDS_MIN to their dispatch alone, so it never delays a dispatch. The orders are claimed
 * while it plans, and a grouping by a user is refused with merge-in-progress meanwhile.
 */
export async function mergeIn(deps: EstimateDeps, centralId: number): Promise<Merged> {
  const merged: Merged = { groups: 0, orders: 0 };
  const central = await findCentral(deps.db, centralId);
  if (!central?.settings.autoMerge) return merged;
  await forEachIsolated(await groupByMergeKey(deps, central), async (mergeable) => {
    const groups = await mergeAlike(deps, central, mergeable);
    merged.groups += groups.length;
    merged.orders += groups.reduce((sum, { members }) => sum + members.length, 0);
  });
  return merged;
}

/** Orders that may travel together and whose first dispatch is near enough. */
async function groupByMergeKey({ db, clock }: EstimateDeps, central: Central): Promise<Mergeable[][]> {
  const now = clock.now();
  const { mergeLeadSeconds, mergeWindowMinutes } = central.settings;
  const lead = now.add({ seconds: mergeLeadSeconds });
  const mergeable = await findMergeable(
    db,
    central.id,
    now.add({ seconds: LEAD_SECONDS_MIN }),
    lead.add({ minutes: mergeWindowMinutes }),
    now,
  );
  const groups = Object.values(Object.groupBy(mergeable, ({ mergeKey }) => mergeKey));
  return groups.flatMap((alike) => {
    const [first] = alike!;
    if (alike!.length < 2 || Temporal.Instant.compare(first!.dispatchAt, lead) > 0) return [];
    const last = first!.dispatchAt.add({ minutes: mergeWindowMinutes });
    const near = alike!.filter(({ dispatchAt }) => Temporal.Instant.compare(dispatchAt, last) <= 0);
    return near.length < 2 ? [] : [atMostStops(near)];
  });
}

function atMostStops(orders: readonly Mergeable[]): Mergeable[] {
  let stops = 0;
  return orders.filter((order) => {
    stops += order.stops.length;
    return stops <= STOPS_TOGETHER_MAX;
  });
}

async function mergeAlike(
  deps: EstimateDeps,
  central: Central,
  mergeable: readonly Mergeable[],
): Promise<MergeBatch[]> {
  const batches = await planUnderClaim(deps, central, mergeable);
  const merged: MergeBatch[] = [];
  for (const batch of batches) if (await mergeBatch(deps, central, batch)) merged.push(batch);
  return merged;
}

/** A refusal, for example because another grouping holds a claim, or a router that is down postpones the merge. */
async function planUnderClaim(
  deps: EstimateDeps,
  central: Central,
  mergeable: readonly Mergeable[],
): Promise<MergeBatch[]> {
  const { db, clock, priceBooks, routers } = deps;
  const targets = mergeable.map(({ id }) => ({ noun: 'scheduled' as const, id }));
  const claim = newClaim(central.id, 'automatic_merge', targets);
  try {
    await db.beginIndependent((tx) => insertClaims(tx, claim, clock.now()));
    try {
      const category = categoryOf(await priceBooks.of(central.id), mergeable[0]!);
      return await planMerge(
        routers.forPlanning(central.settings),
        category.profile,
        mergeable,
        central.settings,
      );
    } finally {
      await db.beginIndependent((tx) => deleteClaims(tx, claim));
    }
  } catch (error) {
    if (isPassing(error)) return [];
    throw error;
  }
}

/** Groups a batch by the same rules and steps as groupScheduled, and records the merge in the same transaction. */
async function mergeBatch(deps: EstimateDeps, central: Central, batch: MergeBatch): Promise<boolean> {
  try {
    await groupBatch(deps, central, batch);
    return true;
  } catch (error) {
    if (isPassing(error)) return false;
    throw error;
  }
}

async function groupBatch(deps: EstimateDeps, central: Central, batch: MergeBatch): Promise<void> {
  const { db, clock } = deps;
  const [grouper, ...others] = batch.members.map(({ id }) => id);
  const wanted = { grouper: { noun: 'scheduled', id: grouper! }, scheduledIds: others } as const;
  const group = await claimGroup(deps, wholeCentral(central.id), wanted, 'automatic_merge');
  try {
    const plan = await planGroup(deps, central, group);
    await db.begin(async (tx) => {
      const actor = serviceActor(clock.now());
      await lockGroup(tx, group, actor.at);
      assertAsPlanned(group, batch);
      await saveScheduledGroup(tx, group, plan, actor);
      await markMergeCarrier(tx, central.id, grouper!);
      await insertMerge(tx, central.id, savingOf(batch, plan), actor.at);
    });
  } catch (error) {
    await releaseGroup(deps, group);
    throw error;
  }
}

function savingOf(batch: MergeBatch, { estimate, stopIds }: GroupPlan): MergeSaving {
  const { members, secondsBefore, metresBefore } = batch;
  const [grouper] = members;
  return {
    companyId: grouper!.companyId,
    grouperId: grouper!.id,
    orders: members.length,
    stops: stopIds.length,
    secondsBefore,
    secondsAfter: estimate.seconds,
    metresBefore,
    metresAfter: estimate.metres,
    netCentsBefore: members.reduce((sum, { netCents }) => sum + netCents, 0),
    netCentsAfter: estimate.netCents,
  };
}

/** An edit since the batch was planned may have changed the time, the places or the payment. */
function assertAsPlanned({ grouper, others }: Group, { members }: MergeBatch): void {
  const planned = new Map(members.map(({ id, version }) => [id, version]));
  for (const { request } of [grouper, ...others])
    if (planned.get(request.id) !== request.version) throw new Refusal('not-saved');
}

const isPassing = (error: unknown): boolean => error instanceof Refusal || isUnroutable(error);
