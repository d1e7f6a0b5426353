import type { Caller } from '../../centrals/caller.ts';
import type { EstimateDeps } from '../../money/pricing/estimateTrip.ts';
import { type Creation, createOnce } from '../orders/externalId.ts';
import type { LocateDeps, SentOrder } from '../orders/locateAddresses.ts';
import { replaceKnownDelivery } from './editDelivery.ts';
import { openDelivery } from './openDelivery.ts';

/** Opens an immediate delivery. One whose external id exists is found or edited instead. */
export const createDelivery = (
  deps: EstimateDeps & LocateDeps,
  caller: Caller,
  sent: SentOrder,
): Promise<Creation> =>
  createOnce(deps, caller, sent, {
    noun: 'delivery',
    dispatchAt: null,
    create: (order) => openDelivery(deps, caller, order),
    replace: (known, order) => replaceKnownDelivery(deps, caller, known, order),
  });
