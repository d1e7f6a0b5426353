import type { Scope } from '../centrals/caller.ts';
import type { Delivery } from '../deliveries/delivery.ts';
import { findDeliveries } from '../deliveries/deliveryStore.ts';
import { STOPS_MAX } from '../estimates/stopOrder.ts';
import { type Position, samePlace } from '../kernel/position.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import { type Scheduled, secondsUntilDispatch } from '../scheduled/scheduled.ts';
import { findManyScheduled } from '../scheduled/scheduledStore.ts';
import type { ClaimTarget } from './claimStore.ts';
import { findCarriedStops } from './groupingStore.ts';

/** Contract 8. */
const ORDERS_MIN = 2;
const LEAD_SECONDS_MIN = 60;

/** A stop as far as grouping looks at it. */
export interface CarriedStop {
  id: number;
  position: Position;
  concluded: boolean;
}

/** A request that takes part in a grouping, with the stops it carries, in their order. */
export type Participant = { stops: readonly CarriedStop[] } & (
  | { noun: 'scheduled'; request: Scheduled }
  | { noun: 'delivery'; request: Delivery }
);

/**
 * Some requests become one: the grouper keeps its id and takes over everybody's stops.
 *
 * A scheduled delivery takes in scheduled ones; a delivery in progress takes in scheduled ones and deliveries
 * in progress. All of them are claimed, a stop order and a price are planned while nothing is locked, and the
 * result is saved in one transaction, or nothing is, when any of them changed meanwhile.
 */
export interface Group {
  grouper: Participant;
  others: readonly Participant[];
}

/**
 * Contract 7.2. Of several reasons to refuse the first in the order of the checks is given, across all
 * participants, as docs/contract.md has it.
 */
export function assertCanGroup({ grouper, others }: Group, now: Temporal.Instant): void {
  const all = [grouper, ...others];
  const scheduled = all.flatMap((one) => (one.noun === 'scheduled' ? [one.request] : []));
  const stops = all.reduce((sum, one) => sum + one.stops.length, 0);

  if (scheduled.some((one) => one.groupedAutomatically)) throw new Refusal('grouped-automatically');
  for (const one of all) assertReady(one);
  if (all.length < ORDERS_MIN) throw new Refusal('too-few-orders');
  // Orders without a company are of one payer only if they are the same person's.
  for (const { request } of others)
    if (request.companyId !== grouper.request.companyId || request.customerId !== grouper.request.customerId)
      throw new Refusal('different-companies');
  for (const { request } of others)
    if (!samePlace(request.pickup.position, grouper.request.pickup.position))
      throw new Refusal('different-pickups');
  for (const one of scheduled)
    if (secondsUntilDispatch(one, now) <= LEAD_SECONDS_MIN)
      throw new Refusal('too-close-to-dispatch', { id: one.id });
  if (stops > STOPS_MAX) throw new Refusal('too-many-stops', { max: STOPS_MAX, count: stops });
}

/** What those of a group that pay by credit take of it on their own. */
export const creditOfParts = ({ grouper, others }: Group): number =>
  [grouper, ...others].reduce(
    (sum, { request }) => sum + (request.payment === 'credit_wallet' ? request.netCents : 0),
    0,
  );

/** Joint trips are paid as the grouper is, so one that pays by credit may take in those that pay otherwise. */
export const takesMoreCredit = (group: Group, netCents: number): boolean =>
  group.grouper.request.payment === 'credit_wallet' && netCents > creditOfParts(group);

/** One that was grouped into another is not in progress on its own, though it shows its grouper's status. */
function assertReady({ noun, request }: Participant): void {
  if (noun === 'scheduled') {
    if (request.situation !== 'awaiting') throw new Refusal('not-awaiting-dispatch', { id: request.id });
  } else if (request.status !== 'in_progress' || request.groupedInto !== null)
    throw new Refusal('not-in-progress', { id: request.id });
}

/** Ids as they were sent: repeated ones count once, and the grouper's own is discarded. */
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

/** Refuses when one of them is not there for these eyes. */
export async function findRequests(
  tx: Tx,
  scope: Scope,
  targets: readonly ClaimTarget[],
): Promise<{ scheduled: Scheduled[]; deliveries: Delivery[] }> {
  const { scheduled = [], delivery = [] } = Object.groupBy(targets, ({ noun }) => noun);
  const idsOf = (some: readonly ClaimTarget[]) => some.map(({ id }) => id);
  return {
    scheduled: scheduled.length ? await findManyScheduled(tx, scope, idsOf(scheduled)) : [],
    deliveries: delivery.length ? await findDeliveries(tx, scope, idsOf(delivery)) : [],
  };
}

/** Everybody who would take part, with their stops; refuses as findRequests does. */
export async function findGroup(
  tx: Tx,
  scope: Scope,
  grouper: ClaimTarget,
  targets: readonly ClaimTarget[],
): Promise<Group> {
  // Before their stops: a change in between leaves the older version here, and the group is not saved.
  const { scheduled, deliveries } = await findRequests(tx, scope, targets);
  const stopsOf = await findCarriedStops(tx, scope.centralId, targets);
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
