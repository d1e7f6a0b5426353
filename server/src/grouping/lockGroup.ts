import { wholeCentral } from '../centrals/caller.ts';
import type { Delivery } from '../deliveries/delivery.ts';
import { lockDeliveries } from '../deliveries/deliveryStore.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import type { Scheduled } from '../scheduled/scheduled.ts';
import { lockManyScheduled } from '../scheduled/scheduledStore.ts';
import type { ClaimedGroup } from './claimGroup.ts';
import { lockClaims } from './claimStore.ts';

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
export async function lockGroup(tx: Tx, { claim, grouper, others }: ClaimedGroup): Promise<LockedGroup> {
  const sight = wholeCentral(claim.centralId);
  const all = [grouper, ...others];
  const idsOf = (noun: 'scheduled' | 'delivery') =>
    all.filter((one) => one.noun === noun).map(({ request }) => request.id);
  const locked = {
    scheduled: await lockManyScheduled(tx, sight, idsOf('scheduled')),
    deliveries: await lockDeliveries(tx, sight, idsOf('delivery')),
  };
  const versions = {
    scheduled: new Map(locked.scheduled.map(({ id, version }) => [id, version])),
    delivery: new Map(locked.deliveries.map(({ id, version }) => [id, version])),
  };
  const unchanged = all.every(({ noun, request }) => versions[noun].get(request.id) === request.version);
  if (!unchanged || !(await lockClaims(tx, claim))) throw new Refusal('not-saved');
  return locked;
}
