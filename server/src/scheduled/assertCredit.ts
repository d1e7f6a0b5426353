import type { Payment } from '../deliveries/payment.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import { lockBalance } from '../wallet/walletStore.ts';
import { sumAwaitingCredit } from './scheduledStore.ts';

/** Who pays, and how much. */
export interface Payable {
  companyId: number | null;
  payment: Payment;
  netCents: number;
}

/**
 * Refuses with insufficient-balance what the company's credit does not cover beside all that its other waiting
 * scheduled deliveries will take. Nothing is reserved before the dispatch, which looks again.
 *
 * Called once it is written, as the last lock of the transaction: whoever gets the wallet next sees it in the sum, so
 * two at once cannot both count on the same credit.
 */
export async function assertCredit(
  tx: Tx,
  centralId: number,
  { companyId, payment, netCents }: Payable,
): Promise<void> {
  if (payment !== 'credit_wallet' || companyId === null || netCents === 0) return;
  const balance = await lockBalance(tx, centralId, companyId);
  if ((await sumAwaitingCredit(tx, centralId, companyId)) > balance)
    throw new Refusal('insufficient-balance');
}
