import { lockBalance } from '../../money/wallet/walletStore.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import type { Payment } from '../orders/request.ts';
import { sumAwaitingCredit } from './scheduledStore.ts';

interface Payable {
  companyId: number | null;
  payment: Payment;
  netCents: number;
}

/**
 * Refuses with insufficient-balance when the company's credit does not cover all of its awaiting scheduled deliveries.
 * Nothing is reserved before the dispatch, which checks the balance again.
 *
 * The caller has written the scheduled delivery, and the wallet is the last lock of its transaction. The next
 * transaction that locks the wallet sees this one in the sum, so two never count on the same credit.
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
