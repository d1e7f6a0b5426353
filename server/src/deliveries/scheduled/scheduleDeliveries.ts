import type { Caller } from '../../centrals/caller.ts';
import type { EstimateDeps } from '../../money/pricing/estimateTrip.ts';
import {
  assertAllDone,
  continueEach,
  type Outcome,
  valuesOf,
  withResults,
} from '../../platform/kernel/outcome.ts';
import { createMany } from '../orders/createMany.ts';
import type { Creation } from '../orders/externalId.ts';
import { balancesOf, type FindCredit, grantOrders, withCustomers } from '../orders/grantOrders.ts';
import { prepareMany, type TimedOrder } from '../orders/prepareMany.ts';
import { markQuotesUsed } from '../orders/quoteStore.ts';
import { quoteUses } from '../orders/request.ts';
import { insertScheduledTogether } from './insertScheduledStore.ts';
import { wakeDispatcher } from './scheduleDelivery.ts';
import { assertInFuture } from './scheduled.ts';
import { sumAwaitingCredit } from './scheduledStore.ts';

/** Creates several scheduled deliveries, like `openDeliveries`. */
export const scheduleDeliveries = (
  deps: EstimateDeps,
  caller: Caller,
  sent: readonly Outcome<TimedOrder<Temporal.Instant>>[],
  { allOrNone }: { allOrNone: boolean },
): Promise<Outcome<Creation>[]> =>
  createMany(deps, caller, 'scheduled', sent, async (orders) => {
    const { centralId } = caller;
    const prepared = await prepareMany(deps, caller, orders);
    const now = deps.clock.now();
    const timely = await continueEach(prepared, async (each) => {
      assertInFuture(each.dispatchAt, now);
      return each;
    });
    const actor = { at: now, by: caller.userId };
    return deps.db.begin(async (tx) => {
      const granted = await grantOrders(tx, centralId, timely, creditBesideAwaiting(centralId));
      if (allOrNone) assertAllDone(granted);
      const accepted = await withCustomers(tx, centralId, valuesOf(granted));
      const created = accepted.map((each) => ({ prepared: each, dispatchAt: each.dispatchAt }));
      const ids = await insertScheduledTogether(tx, centralId, created, actor);
      await markQuotesUsed(tx, centralId, 'scheduled', quoteUses(accepted, ids), now);
      const [first] = accepted.map(({ dispatchAt }) => dispatchAt).toSorted(Temporal.Instant.compare);
      if (first) wakeDispatcher(tx, first, now);
      return withResults(granted, ids);
    });
  });

/** What the scheduled deliveries that wait leave of the balances. Nothing is reserved before the dispatch. */
const creditBesideAwaiting =
  (centralId: number): FindCredit =>
  async (tx, companyIds) => {
    const credit = await balancesOf(centralId)(tx, companyIds);
    for (const id of companyIds)
      credit.set(id, (credit.get(id) ?? 0) - (await sumAwaitingCredit(tx, centralId, id)));
    return credit;
  };
