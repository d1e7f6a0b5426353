import type { Caller } from '../../centrals/caller.ts';
import type { EstimateDeps } from '../../money/pricing/estimateTrip.ts';
import { type Creation, createOnce } from '../orders/externalId.ts';
import type { LocateDeps, SentOrder } from '../orders/locateAddresses.ts';
import { replaceKnownScheduled } from './editScheduled.ts';
import { scheduleDelivery } from './scheduleDelivery.ts';

/** Creates a scheduled delivery. One whose external id exists is found or edited instead. */
export const createScheduled = (
  deps: EstimateDeps & LocateDeps,
  caller: Caller,
  sent: SentOrder,
  dispatchAt: Temporal.Instant,
): Promise<Creation> =>
  createOnce(deps, caller, sent, {
    noun: 'scheduled',
    dispatchAt,
    create: (order) => scheduleDelivery(deps, caller, order, dispatchAt),
    replace: (known, order) => replaceKnownScheduled(deps, caller, known, order, dispatchAt),
  });
