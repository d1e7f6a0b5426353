import { wholeCentral } from '../centrals/caller.ts';
import type { Central } from '../centrals/central.ts';
import { findCentral } from '../centrals/centralStore.ts';
import type { EstimateDeps } from '../estimates/estimateTrip.ts';
import { CLAIM_SECONDS, deleteClaims, insertClaims, newClaim } from '../grouping/claimStore.ts';
import type { Group } from '../grouping/grouping.ts';
import { groupScheduled } from '../grouping/groupScheduled.ts';
import { Refusal } from '../kernel/refusal.ts';
import { PointOffRoad, RoutingUnavailable } from '../routing/router.ts';
import { forEachIsolated } from './forEachIsolated.ts';
import { findMergeable, findMergingCentrals, insertMerge, type Mergeable } from './mergeStore.ts';
import { type MergeBatch, planMerge } from './planMerge.ts';

/** Contract 8: nobody groups in the last minute; and a claim of ours must be over by then. */
const LEAD_SECONDS_MIN = 60 + CLAIM_SECONDS + 10;
/** One matrix is asked for as many stops at a time; with the pickup an engine answers them in one piece. */
const STOPS_TOGETHER_MAX = 49;

export interface Merged {
  groups: number;
  orders: number;
}

/**
 * Merges what will soon be dispatched and had better travel together, in every central that wants it.
 *
 * It waits until the first of some kindred orders is near its dispatch, so that latecomers are counted in,
 * and leaves alone what is nearer than a minute and a half: it never delays a dispatch. While it plans, the
 * orders are claimed, and a grouping by hand is told that they will be released shortly.
 */
export async function mergeDue(deps: EstimateDeps): Promise<Merged> {
  const merged: Merged = { groups: 0, orders: 0 };
  await forEachIsolated(await findMergingCentrals(deps.db), async (centralId) => {
    const central = await findCentral(deps.db, centralId);
    if (!central?.settings.autoMerge) return;
    await forEachIsolated(await groupByMergeKey(deps, central), async (mergeable) => {
      const groups = await mergeAlike(deps, central, mergeable);
      merged.groups += groups.length;
      merged.orders += groups.reduce((sum, { members }) => sum + members.length, 0);
    });
  });
  return merged;
}

/** Orders that may travel together and of which the first is near enough to its dispatch. */
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
  const families = Object.values(Object.groupBy(mergeable, ({ mergeKey }) => mergeKey));
  return families.flatMap((family) => {
    const [first] = family!;
    if (family!.length < 2 || Temporal.Instant.compare(first!.dispatchAt, lead) > 0) return [];
    const last = first!.dispatchAt.add({ minutes: mergeWindowMinutes });
    const near = family!.filter(({ dispatchAt }) => Temporal.Instant.compare(dispatchAt, last) <= 0);
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

/** Whoever else wants one of them now, or a router that is down, means: not this time. */
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
      const book = await priceBooks.of(central.id);
      const category = book.categories.find(({ id }) => id === mergeable[0]!.categoryId)!;
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

/** Grouped like any other, by the same rules and the same code, and marked as merged in the same transaction. */
async function mergeBatch(deps: EstimateDeps, central: Central, batch: MergeBatch): Promise<boolean> {
  const [grouper, ...others] = batch.members;
  const scope = { ...wholeCentral(central.id), central, userId: null };
  const wanted = { grouperId: grouper!.id, scheduledIds: others.map(({ id }) => id) };
  try {
    await groupScheduled(deps, scope, wanted, 'automatic_merge', async (tx, group, now) => {
      assertAsPlanned(group, batch);
      const saving = {
        companyId: grouper!.companyId,
        grouperId: grouper!.id,
        orders: batch.members.length,
        stops: group.stopIds.length,
        secondsBefore: batch.secondsBefore,
        secondsAfter: group.estimate.seconds,
        metresBefore: batch.metresBefore,
        metresAfter: group.estimate.metres,
        netCentsBefore: batch.members.reduce((sum, { netCents }) => sum + netCents, 0),
        netCentsAfter: group.estimate.netCents,
      };
      await insertMerge(tx, central.id, saving, now);
    });
    return true;
  } catch (error) {
    if (isPassing(error)) return false;
    throw error;
  }
}

/** One that was edited since the batch was planned may leave at another time, go elsewhere, or be paid otherwise. */
function assertAsPlanned({ grouper, others }: Group, { members }: MergeBatch): void {
  const planned = new Map(members.map(({ id, version }) => [id, version]));
  for (const { request } of [grouper, ...others])
    if (planned.get(request.id) !== request.version) throw new Refusal('not-saved');
}

const isPassing = (error: unknown): boolean =>
  error instanceof Refusal || error instanceof RoutingUnavailable || error instanceof PointOffRoad;
