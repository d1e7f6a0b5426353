import type { Caller } from '../../centrals/caller.ts';
import type { EstimateDeps } from '../../money/pricing/estimateTrip.ts';
import { assertAllDone, type Outcome, valuesOf, withResults } from '../../platform/kernel/outcome.ts';
import { createMany } from '../orders/createMany.ts';
import type { Creation } from '../orders/externalId.ts';
import { balancesOf, grantOrders, withCustomers } from '../orders/grantOrders.ts';
import { prepareMany, type TimedOrder } from '../orders/prepareMany.ts';
import { markQuotesUsed } from '../orders/quoteStore.ts';
import { quoteUses } from '../orders/request.ts';
import { insertDeliveries } from './insertDeliveryStore.ts';
import { holdCredits } from './reserveCredit.ts';

/**
 * Opens several immediate deliveries in one transaction; returns the id of each, or why it was refused. Each order is
 * judged as if those before it were opened. With `allOrNone` one that is refused refuses all.
 */
export const openDeliveries = (
  deps: EstimateDeps,
  caller: Caller,
  sent: readonly Outcome<TimedOrder<null>>[],
  { allOrNone }: { allOrNone: boolean },
): Promise<Outcome<Creation>[]> =>
  createMany(deps, caller, 'delivery', sent, async (orders) => {
    const { centralId } = caller;
    const prepared = await prepareMany(deps, caller, orders);
    const actor = { at: deps.clock.now(), by: caller.userId };
    return deps.db.begin(async (tx) => {
      const granted = await grantOrders(tx, centralId, prepared, balancesOf(centralId));
      if (allOrNone) assertAllDone(granted);
      const accepted = await withCustomers(tx, centralId, valuesOf(granted));
      const ids = await insertDeliveries(
        tx,
        accepted.map((each) => ({ centralId, prepared: each, actor })),
      );
      await markQuotesUsed(tx, centralId, 'delivery', quoteUses(accepted, ids), actor.at);
      const holds = accepted.map(({ companyId, order: { payment }, estimate }, index) => ({
        delivery: { id: ids[index]!, companyId, payment, reservedCents: 0 },
        cents: estimate.netCents,
      }));
      await holdCredits(tx, centralId, holds, actor);
      return withResults(granted, ids);
    });
  });
