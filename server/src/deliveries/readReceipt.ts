import type { Caller } from '../centrals/caller.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Deps } from '../postgres/deps.ts';
import { findDelivery } from './deliveryStore.ts';
import { findReceipt, type Receipt } from './receiptStore.ts';

/** Contract 4.10. What was grouped into another delivery is on that one's receipt. */
export async function readReceipt({ db }: Deps, caller: Caller, id: number): Promise<Receipt> {
  const delivery = await findDelivery(db, caller, id);
  if (delivery.groupedInto !== null) throw new Refusal('receipt-of-grouper', { id: delivery.groupedInto });
  if (delivery.status !== 'finished') throw new Refusal('not-finished');
  return findReceipt(db, caller.centralId, id);
}
