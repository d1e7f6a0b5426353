import type { Caller } from '../../centrals/caller.ts';
import type { Central } from '../../centrals/central.ts';
import { type Estimate, type EstimateDeps, estimateTrip } from '../../money/pricing/estimateTrip.ts';
import { STOPS_MAX } from '../../money/pricing/stopOrder.ts';
import { findBalance } from '../../money/wallet/walletStore.ts';
import { type Position, samePlace } from '../../platform/kernel/position.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { type Demands, NO_DEMANDS, orNone } from '../orders/demands.ts';
import { type LocateDeps, locateAddresses, type SentAddress } from '../orders/locateAddresses.ts';
import { inVisitOrder, type OrderedStop, type Stop, splitByVisit } from '../orders/request.ts';
import { deleteStops, findStops, insertStops, moveStops, updateStops } from '../orders/stopStore.ts';
import type { Delivery } from './delivery.ts';
import { findDelivery, lockDelivery, saveDeliveryEstimate } from './deliveryStore.ts';
import { noDearer } from './leaveCarrier.ts';
import { renewPromise } from './promiseStore.ts';
import { type RemainingStops, remainingTripOf } from './remainingTrip.ts';
import { stopRemoved } from './removeStop.ts';
import { holdAvailable, holdCredit } from './reserveCredit.ts';
import { isOver } from './status.ts';
import { recordDeliveryEvent, recordStopEvent } from './stepStore.ts';
import { assertUngrouped } from './takeSteps.ts';

/** A stop as an operator edits it. With an id it is an existing stop, whose fields stay unless given. */
export type WantedStop =
  | { id: number; changes: Partial<SentAddress<OrderedStop>>; demands: Partial<Demands> | null }
  | { id: null; stop: SentAddress<OrderedStop> };

/** The complete list of stops to visit: existing stops that are not named are removed. */
export interface StopsEdit {
  /** The version of the delivery that the operator saw. */
  version: number;
  stops: readonly WantedStop[];
  /** True lets the server choose the order, with failed stops last; false keeps the given order. */
  optimise: boolean;
}

/** A stop of the planned delivery; a new one has no id yet. */
export interface PlannedStop extends OrderedStop {
  id: number | null;
}

export interface PlannedEdit {
  before: Delivery;
  stopsBefore: readonly Stop[];
  done: readonly Stop[];
  /** The stops to visit, in their new order. */
  toVisit: readonly PlannedStop[];
  removed: readonly Stop[];
  /** Null if neither the places nor their order change: then the figures stay. */
  estimate: Estimate | null;
  netCents: number;
}

type EditDeps = EstimateDeps & LocateDeps;

/**
 * Changes the open stops of a delivery, at any time until its end: adds, moves, removes and reorders them, and changes
 * their recipients' data. The price is computed again, as in a grouping, and the reserved credit follows.
 *
 * Geocoder and router are asked while nothing is locked. The operator decided on a certain version, so another version,
 * read or locked, is refused instead of planned again.
 */
export async function editStops(deps: EditDeps, caller: Caller, id: number, edit: StopsEdit): Promise<void> {
  const { db, clock } = deps;
  const { centralId } = caller;
  const plan = await planStopsEdit(deps, caller, id, edit);
  await db.begin(async (tx) => {
    const actor = { at: clock.now(), by: caller.userId };
    const delivery = await lockDelivery(tx, caller, id);
    if (delivery.version !== edit.version) throw new Refusal('delivery-changed');
    await saveStops(tx, centralId, id, plan);
    await saveDeliveryEstimate(tx, centralId, id, plan.estimate);
    await renewPromise(tx, centralId, id, plan.stopsBefore, [...plan.done, ...plan.toVisit]);
    for (const stop of plan.removed) {
      const event = { deliveryId: id, type: 'delivery.stop_removed', payload: stopRemoved(stop) } as const;
      await recordStopEvent(tx, centralId, stop.orderedWith, event, actor);
    }
    const changed = { type: 'delivery.changed', payload: { change: 'stops_edited' } } as const;
    await recordDeliveryEvent(tx, centralId, { ...changed, deliveryId: id }, actor);
    // If the price does not rise, lack of credit is no reason to refuse.
    const hold = plan.netCents > delivery.netCents ? holdCredit : holdAvailable;
    await hold(tx, centralId, delivery, plan.netCents, actor);
  });
}

async function saveStops(
  tx: Tx,
  centralId: number,
  deliveryId: number,
  { done, toVisit, removed }: PlannedEdit,
): Promise<void> {
  await deleteStops(
    tx,
    centralId,
    'delivery',
    removed.map(({ id }) => id),
  );
  const kept = toVisit.flatMap((stop) => (stop.id === null ? [] : [{ ...stop, id: stop.id }]));
  await updateStops(tx, centralId, kept);
  const added = toVisit.filter(({ id }) => id === null);
  const newIds = added.length > 0 ? await insertStops(tx, centralId, 'delivery', deliveryId, added) : [];
  // The unique constraint on positions is checked at the end of the transaction, so duplicates are allowed until then.
  await moveStops(tx, centralId, 'delivery', deliveryId, [
    ...done.map(({ id }) => id),
    ...toVisit.map(({ id }) => id ?? newIds.shift()!),
  ]);
}

/** Plans an edit with all its refusals. Nothing is locked or written. */
export async function planStopsEdit(
  deps: EditDeps,
  caller: Caller,
  id: number,
  { version, stops: wanted, optimise }: StopsEdit,
): Promise<PlannedEdit> {
  const { db } = deps;
  const { central, centralId } = caller;
  const before = await findDelivery(db, caller, id);
  assertUngrouped(before);
  if (isOver(before.status)) throw new Refusal('delivery-over');
  if (before.version !== version) throw new Refusal('delivery-changed');
  const stopsBefore = inVisitOrder(await findStops(db, centralId, 'delivery', [id]));
  const { done, open } = splitByVisit(stopsBefore);
  const merged = mergeStops(wanted, open, done);
  const count = done.length + merged.length;
  if (merged.length === 0) throw new Refusal('removed-stop-last');
  if (count > STOPS_MAX) throw new Refusal('too-many-stops', { max: STOPS_MAX, count });

  const sent = { pickup: before.pickup, stops: merged };
  const { stops: located } = await locateAddresses<PlannedStop, object>(deps, central, sent);
  const toVisit = located.map((stop) => keepLocation(stop, open));
  const removed = open.filter((stop) => !toVisit.some(({ id }) => id === stop.id));
  const isSameWay = isSame(places(toVisit), places(open)) && !optimise;
  const estimate = isSameWay
    ? null
    : limitPrice(await estimateEdited(deps, central, before, { done, open: toVisit, optimise }), before, {
        open,
        toVisit,
      });
  const netCents = estimate?.netCents ?? before.netCents;
  await assertCovered(deps, centralId, before, netCents);
  return {
    before,
    stopsBefore,
    done,
    toVisit: estimate ? estimate.order.map((index) => toVisit[index]!) : toVisit,
    removed,
    estimate,
    netCents,
  };
}

function mergeStops(
  wanted: readonly WantedStop[],
  open: readonly Stop[],
  done: readonly Stop[],
): SentAddress<PlannedStop>[] {
  const left = new Map(open.map((stop) => [stop.id, stop]));
  return wanted.map((each) => {
    if (each.id === null) return { id: null, ...each.stop };
    const stop = left.get(each.id);
    // A stop that is named twice counts as missing the second time.
    left.delete(each.id);
    if (!stop)
      throw new Refusal(
        done.some(({ id }) => id === each.id) ? 'edited-stop-concluded' : 'removed-stop-not-found',
      );
    const { address, district, city, state } = { ...stop, ...each.changes };
    const isElsewhere = (['address', 'district', 'city', 'state'] as const).some(
      (part) => ({ address, district, city, state })[part] !== stop[part],
    );
    // Another address is looked up, unless its position comes with it.
    const position = each.changes.position ?? (isElsewhere ? null : stop.position);
    const demands = each.demands ? orNone({ ...NO_DEMANDS, ...stop.demands, ...each.demands }) : stop.demands;
    return { ...stop, ...each.changes, demands, id: stop.id, position };
  });
}

/** Keeps how a place was located while the place is the same. */
function keepLocation(stop: PlannedStop, open: readonly Stop[]): PlannedStop {
  const before = open.find(({ id }) => id === stop.id);
  const isSamePlace = before && before.address === stop.address && samePlace(before.position, stop.position);
  return isSamePlace ? { ...stop, located: before.located } : stop;
}

const places = (stops: readonly { position: Position }[]): Position[] =>
  stops.map(({ position }) => position);

const isSame = (way: readonly Position[], other: readonly Position[]): boolean =>
  way.length === other.length && way.every((place, index) => samePlace(place, other[index]!));

async function estimateEdited(
  deps: EstimateDeps,
  central: Central,
  before: Delivery,
  stops: RemainingStops,
): Promise<Estimate> {
  const router = deps.routers[stops.optimise ? 'forPlanning' : 'forEstimates'](central.settings);
  return estimateTrip(deps, router, central, await remainingTripOf(deps, central, before, stops));
}

/** Removing stops alone never raises the price. Adding, moving or reordering them may. */
function limitPrice(
  estimate: Estimate,
  before: Delivery,
  { open, toVisit }: { open: readonly Stop[]; toVisit: readonly PlannedStop[] },
): Estimate {
  const kept = open.filter((stop) => toVisit.some(({ id }) => id === stop.id));
  const onlyLoses = kept.length < open.length && isSame(places(kept), places(toVisit));
  return onlyLoses ? noDearer(estimate, before) : estimate;
}

/** Refuses early. The wallet, which is locked last, refuses too. */
async function assertCovered(
  { db }: EstimateDeps,
  centralId: number,
  { payment, companyId, reservedCents, netCents: before }: Delivery,
  netCents: number,
): Promise<void> {
  if (payment !== 'credit_wallet' || companyId === null || netCents <= before) return;
  const balance = await findBalance(db, centralId, companyId);
  if (balance + reservedCents < netCents) throw new Refusal('insufficient-balance');
}
