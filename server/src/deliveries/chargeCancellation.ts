import { findCentral } from '../centrals/centralStore.ts';
import type { Actor } from '../events/actor.ts';
import type { Tx } from '../postgres/database.ts';
import type { Delivery } from './delivery.ts';
import { markCancellationFee } from './deliveryStore.ts';
import { chargeFee } from './reserveCredit.ts';
import { isCarried } from './status.ts';

/**
 * What the central asks for a delivery that is cancelled after a driver accepted it, if it asks for anything; once a
 * stop was concluded at least the price of what was carried out, and never more than was agreed.
 * It is written on the delivery; a company that pays by credit wallet is charged at once, as far as its
 * credit goes. Wallets are locked last, so this comes after everything else of the cancellation.
 */
export async function chargeCancellation(
  tx: Tx,
  centralId: number,
  delivery: Delivery,
  doneCents: number | null,
  actor: Actor,
): Promise<void> {
  if (!isCarried(delivery.status)) return;
  const fee = (await findCentral(tx, centralId))?.settings.cancellationFeeCents ?? 0;
  const cents = doneCents === null ? fee : Math.min(Math.max(fee, doneCents), delivery.netCents);
  if (cents === 0) return;
  await markCancellationFee(tx, centralId, delivery.id, cents);
  await chargeFee(tx, centralId, delivery, cents, actor);
}
