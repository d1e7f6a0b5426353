import type { Caller } from '../../centrals/caller.ts';
import type { Outcome } from '../../platform/kernel/outcome.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { lockDriver, worksFor } from '../../registers/drivers/driverStore.ts';
import { changeMany, NONE_REFUSED } from './changeMany.ts';
import type { Delivery } from './delivery.ts';
import { markDriverSpecified, markHeld } from './deliveryStore.ts';
import { holdDelivery } from './holdDelivery.ts';
import { insertOffers, withdrawOffers } from './offerStore.ts';
import { assertStep } from './status.ts';
import { clearDrivers } from './stepStore.ts';
import { takeSteps } from './takeSteps.ts';

const idsOf = (deliveries: readonly Delivery[]): number[] => deliveries.map(({ id }) => id);

/** Holds several back. One that a driver carries frees the driver, so it is held by the command for one. */
export const holdDeliveries = (
  deps: Deps,
  caller: Caller,
  ids: readonly number[],
  reason: string,
): Promise<Outcome<null>[]> =>
  changeMany(deps, caller, ids, {
    assertReady: ({ status }) => assertStep('hold', status),
    isApart: ({ driverId }) => driverId !== null,
    alone: (db, id) => holdDelivery({ ...deps, db }, caller, id, reason),
    async together(tx, deliveries) {
      const { centralId } = caller;
      const actor = { at: deps.clock.now(), by: caller.userId };
      const free = () => ({ driverId: null, previousDriverId: null });
      await takeSteps(tx, centralId, deliveries, 'hold', actor, free);
      await clearDrivers(tx, centralId, idsOf(deliveries));
      await withdrawOffers(tx, centralId, idsOf(deliveries), ['open'], actor.at);
      await markHeld(tx, centralId, idsOf(deliveries), { at: actor.at, reason });
      return NONE_REFUSED;
    },
  });

/** Releases several for distribution. */
export const releaseDeliveries = (
  deps: Deps,
  caller: Caller,
  ids: readonly number[],
): Promise<Outcome<null>[]> =>
  changeMany(deps, caller, ids, {
    assertReady: ({ status }) => assertStep('release', status),
    async together(tx, deliveries) {
      await markHeld(tx, caller.centralId, idsOf(deliveries), null);
      const actor = { at: deps.clock.now(), by: caller.userId };
      await takeSteps(tx, caller.centralId, deliveries, 'release', actor);
      return NONE_REFUSED;
    },
  });

/** Offers several to one driver; their open offers to others are withdrawn. */
export const offerDeliveries = (
  deps: Deps,
  caller: Caller,
  ids: readonly number[],
  driverId: number,
): Promise<Outcome<null>[]> =>
  changeMany(deps, caller, ids, {
    assertReady: ({ status }) => assertStep('assign', status),
    async together(tx, deliveries) {
      const { centralId } = caller;
      const driver = await lockDriver(tx, centralId, driverId);
      if (!driver.active) throw new Refusal('driver-inactive');
      const refused = await ofOtherCompanies(tx, centralId, driverId, deliveries);
      const taken = deliveries.filter(({ id }) => !refused.has(id));
      if (taken.length === 0) return refused;
      const actor = { at: deps.clock.now(), by: caller.userId };
      const offers = taken.map(({ id: deliveryId }) => ({ deliveryId, driverId }));
      await withdrawOffers(tx, centralId, idsOf(taken), ['open'], actor.at);
      await insertOffers(tx, centralId, offers, null, actor.at);
      await markDriverSpecified(tx, centralId, idsOf(taken));
      await takeSteps(tx, centralId, taken, 'assign', actor, () => ({ offeredTo: driverId }));
      return refused;
    },
  });

async function ofOtherCompanies(
  tx: Tx,
  centralId: number,
  driverId: number,
  deliveries: readonly Delivery[],
): Promise<Map<number, Refusal>> {
  const refused = new Map<number, Refusal>();
  for (const [companyId, ofCompany] of Map.groupBy(deliveries, (delivery) => delivery.companyId))
    if (!(await worksFor(tx, centralId, driverId, companyId)))
      for (const { id } of ofCompany) refused.set(id, new Refusal('driver-of-other-companies'));
  return refused;
}

/**
 * Withdraws the open offers of several, which return to distribution. It does not count as a refusal of the drivers, who
 * may be asked again.
 */
export const withdrawOffersOf = (
  deps: Deps,
  caller: Caller,
  ids: readonly number[],
): Promise<Outcome<null>[]> =>
  changeMany(deps, caller, ids, {
    assertReady: ({ status }) => assertStep('decline', status),
    async together(tx, deliveries) {
      const { centralId } = caller;
      const actor = { at: deps.clock.now(), by: caller.userId };
      await withdrawOffers(tx, centralId, idsOf(deliveries), ['open'], actor.at);
      await clearDrivers(tx, centralId, idsOf(deliveries));
      const { assigned = [], searched = [] } = Object.groupBy(deliveries, ({ driverSpecified }) =>
        driverSpecified ? 'assigned' : 'searched',
      );
      await takeSteps(tx, centralId, searched, 'decline', actor);
      await takeSteps(tx, centralId, assigned, 'declineAssigned', actor);
      return NONE_REFUSED;
    },
  });
