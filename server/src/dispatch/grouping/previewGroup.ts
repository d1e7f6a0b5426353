import type { Stop } from '../../deliveries/orders/request.ts';
import { sumAwaitingCredit } from '../../deliveries/scheduled/scheduledStore.ts';
import { isUnroutable, type RoadRoute } from '../../geo/routing/router.ts';
import type { EstimateDeps } from '../../money/pricing/estimateTrip.ts';
import { categoryOf } from '../../money/pricing/priceBook.ts';
import { findBalance } from '../../money/wallet/walletStore.ts';
import type { Position } from '../../platform/kernel/position.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { GroupingScope } from './claimGroup.ts';
import { assertUnclaimed, type ClaimTarget } from './claimStore.ts';
import {
  assertCanGroup,
  creditOfParts,
  findGroup,
  type Group,
  type Participant,
  takesMoreCredit,
  targetsOf,
  type WantedGroup,
} from './group.ts';
import { type GroupPlan, planGroup } from './planGroup.ts';

/** A stop of the joint trip, with the request that carries it now. */
export interface PreviewedStop extends Stop {
  comesFrom: ClaimTarget;
}

export interface GroupPreview extends Group, GroupPlan {
  /** In the order that the grouper would have. */
  stops: PreviewedStop[];
  /** The joint route from the pickup, as [lng, lat] pairs; null when no router answered. */
  geometry: RoadRoute['geometry'] | null;
}

/**
 * Shows what a grouping would do: the same rules in the same order and the same plan, but nothing is claimed, locked
 * or written. The grouping itself may still be refused a moment later.
 */
export async function previewGroup(
  deps: EstimateDeps,
  scope: GroupingScope,
  wanted: WantedGroup,
): Promise<GroupPreview> {
  const { db, clock } = deps;
  const targets = targetsOf(wanted);
  const group = await findGroup(db, scope, wanted.grouper, targets);
  await assertUnclaimed(db, scope.centralId, targets, clock.now());
  assertCanGroup(group, clock.now());
  const plan = await planGroup(deps, scope.central, group);
  await assertCovered(deps, scope, group, plan);

  const all = [group.grouper, ...group.others].flatMap(({ noun, request, stops }) =>
    stops.map((stop) => ({ ...stop, comesFrom: { noun, id: request.id } })),
  );
  const stops = plan.stopIds.map((id) => all.find((stop) => stop.id === id)!);
  return { ...group, ...plan, stops, geometry: await drawWay(deps, scope, group, plan, stops) };
}

/** Refuses when the company's credit, with what is held for the participants, does not cover the joint trip. */
async function assertCovered(
  { db }: EstimateDeps,
  { centralId }: GroupingScope,
  group: Group,
  { estimate }: GroupPlan,
): Promise<void> {
  const { grouper, others } = group;
  const { companyId, payment } = grouper.request;
  if (payment !== 'credit_wallet' || companyId === null) return;
  const balance = await findBalance(db, centralId, companyId);
  if (grouper.noun === 'scheduled') {
    if (!takesMoreCredit(group, estimate.netCents)) return;
    const otherWaiting = (await sumAwaitingCredit(db, centralId, companyId)) - creditOfParts(group);
    if (balance < otherWaiting + estimate.netCents) throw new Refusal('insufficient-balance');
    return;
  }
  const held = [grouper, ...others].reduce((sum, participant) => sum + heldFor(participant), 0);
  if (balance + held < estimate.netCents) throw new Refusal('insufficient-balance');
}

const heldFor = ({ noun, request }: Participant): number => (noun === 'delivery' ? request.reservedCents : 0);

async function drawWay(
  { priceBooks, routers }: EstimateDeps,
  { central }: GroupingScope,
  { grouper: { request } }: Group,
  { returning }: GroupPlan,
  stops: readonly PreviewedStop[],
): Promise<GroupPreview['geometry']> {
  const { profile } = categoryOf(await priceBooks.of(central.id), request);
  const pickup = request.pickup.position;
  const along: Position[] = [pickup, ...stops.map(({ position }) => position)];
  if (returning) along.push(pickup);
  try {
    return (await routers.forPlanning(central.settings).route(along, profile)).geometry;
  } catch (error) {
    if (isUnroutable(error)) return null;
    throw error;
  }
}
