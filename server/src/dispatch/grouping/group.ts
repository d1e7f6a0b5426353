import type { Scope } from '../../centrals/caller.ts';
import type { Delivery } from '../../deliveries/deliveries/delivery.ts';
import { findDeliveries } from '../../deliveries/deliveries/deliveryStore.ts';
import type { RequestNoun, Stop } from '../../deliveries/orders/request.ts';
import { findStops } from '../../deliveries/orders/stopStore.ts';
import { type Scheduled, secondsUntilDispatch } from '../../deliveries/scheduled/scheduled.ts';
import { findManyScheduled } from '../../deliveries/scheduled/scheduledStore.ts';
import { STOPS_MAX } from '../../money/pricing/stopOrder.ts';
import { samePlace } from '../../platform/kernel/position.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { inOrder } from '../../platform/postgres/transaction.ts';
import type { ClaimTarget } from './claimStore.ts';

/** Contract 8. */
const ORDERS_MIN = 2;
export const GROUPING_LEAD_SECONDS = 60;

/** A request that takes part in a grouping, with the stops it carries, in their order. */
export type Participant = { stops: readonly Stop[] } & (
  | { noun: 'scheduled'; request: Scheduled }
  | { noun: 'delivery'; request: Delivery }
);

/**
 * Several requests become one: the grouper keeps its id and takes over the stops of the others.
 *
 * A scheduled delivery takes in scheduled deliveries. A delivery in progress takes in scheduled deliveries and
 * deliveries in progress. Three steps: `claimGroup` claims all of them, `planGroup` plans the order of the stops and
 * the price while nothing is locked, and one transaction saves the result after `lockGroup`. If any of them changed
 * meanwhile, nothing is saved.
 */
export interface Group {
  grouper: Participant;
  others: readonly Participant[];
}

/**
 * Contract 7.2. Of several reasons to refuse, the first in the order of the checks is given, across all
 * participants; docs/contract.md describes the order.
 */
export function assertCanGroup({ grouper, others }: Group, now: Temporal.Instant): void {
  const all = [grouper, ...others];
  const scheduled = all.flatMap(({ noun, request }) => (noun === 'scheduled' ? [request] : []));
  const stops = all.reduce((sum, participant) => sum + participant.stops.length, 0);

  if (scheduled.some(({ groupedAutomatically }) => groupedAutomatically))
    throw new Refusal('grouped-automatically');
  for (const participant of all) assertReady(participant);
  if (all.length < ORDERS_MIN) throw new Refusal('too-few-orders');
  // Requests without a company have the same payer only if they are for the same person.
  for (const { request } of others)
    if (request.companyId !== grouper.request.companyId || request.customerId !== grouper.request.customerId)
      throw new Refusal('different-companies');
  for (const { request } of others)
    if (!samePlace(request.pickup.position, grouper.request.pickup.position))
      throw new Refusal('different-pickups');
  for (const request of scheduled)
    if (secondsUntilDispatch(request, now) <= GROUPING_LEAD_SECONDS)
      throw new Refusal('too-close-to-dispatch', { id: request.id });
  if (stops > STOPS_MAX) throw new Refusal('too-many-stops', { max: STOPS_MAX, count: stops });
}

/** The credit that the participants would take without the grouping. */
export const creditOfParts = ({ grouper, others }: Group): number =>
  [grouper, ...others].reduce(
    (sum, { request }) => sum + (request.payment === 'credit_wallet' ? request.netCents : 0),
    0,
  );

/** The grouper's payment pays the joint trip, so a grouper paid by credit may take in requests paid otherwise. */
export const takesMoreCredit = (group: Group, netCents: number): boolean =>
  group.grouper.request.payment === 'credit_wallet' && netCents > creditOfParts(group);

/** A delivery that is grouped into another one shows its grouper's status, but cannot be grouped again. */
function assertReady({ noun, request }: Participant): void {
  if (noun === 'scheduled') {
    if (request.situation !== 'awaiting') throw new Refusal('not-awaiting-dispatch', { id: request.id });
  } else if (request.status !== 'in_progress' || request.groupedInto !== null)
    throw new Refusal('not-in-progress', { id: request.id });
}

/** Ids as they were sent: repeated ids count once, and the grouper's own id is discarded. */
export interface WantedGroup {
  grouper: ClaimTarget;
  scheduledIds?: readonly number[];
  deliveryIds?: readonly number[];
}

export function targetsOf({ grouper, scheduledIds = [], deliveryIds = [] }: WantedGroup): ClaimTarget[] {
  const ids = { scheduled: new Set(scheduledIds), delivery: new Set(deliveryIds) };
  ids[grouper.noun].add(grouper.id);
  return (['scheduled', 'delivery'] as const).flatMap((noun) => [...ids[noun]].map((id) => ({ noun, id })));
}

/** Refuses when one of the requests does not exist or is out of scope. */
export async function findRequests(
  tx: Tx,
  scope: Scope,
  targets: readonly ClaimTarget[],
): Promise<{ scheduled: Scheduled[]; deliveries: Delivery[] }> {
  const { scheduled = [], delivery = [] } = Object.groupBy(targets, ({ noun }) => noun);
  const idsOf = (some: readonly ClaimTarget[]) => some.map(({ id }) => id);
  const [foundScheduled, deliveries] = await inOrder([
    scheduled.length ? findManyScheduled(tx, scope, idsOf(scheduled)) : Promise.resolve([]),
    delivery.length ? findDeliveries(tx, scope, idsOf(delivery)) : Promise.resolve([]),
  ]);
  return { scheduled: foundScheduled, deliveries };
}

/** All participants with their stops. Refuses as findRequests does. */
export async function findGroup(
  tx: Tx,
  scope: Scope,
  grouper: ClaimTarget,
  targets: readonly ClaimTarget[],
): Promise<Group> {
  // Requests are read before their stops: after a change in between, the older version keeps the group unsaved.
  const stopsIn = async (noun: RequestNoun) => {
    const ids = targets.filter((target) => target.noun === noun).map(({ id }) => id);
    return Map.groupBy(await findStops(tx, scope.centralId, noun, ids), ({ carriedBy }) => carriedBy);
  };
  const [{ scheduled, deliveries }, scheduledStops, deliveryStops] = await inOrder([
    findRequests(tx, scope, targets),
    stopsIn('scheduled'),
    stopsIn('delivery'),
  ]);
  const all: Participant[] = [
    ...scheduled.map((request) => ({
      noun: 'scheduled' as const,
      request,
      stops: scheduledStops.get(request.id) ?? [],
    })),
    ...deliveries.map((request) => ({
      noun: 'delivery' as const,
      request,
      stops: deliveryStops.get(request.id) ?? [],
    })),
  ];
  const isGrouper = ({ noun, request }: Participant) => noun === grouper.noun && request.id === grouper.id;
  return { grouper: all.find(isGrouper)!, others: all.filter((participant) => !isGrouper(participant)) };
}
