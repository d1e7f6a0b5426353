import type { Central } from '../../centrals/central.ts';
import type { Actor } from '../../events/record/event.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { type CollectedCash, findCashEntry, insertCompanyEntry } from './companyEntryStore.ts';

/*
 * Enters the charges of deliveries and how they were paid, in the transaction that ends the delivery, after its
 * driver's account. The charge is the amount that the driver and the central share. The company owes what is not paid
 * by credit, in cash or with the order.
 */

export interface ChargedDelivery {
  id: number;
  companyId: number | null;
  payment: string;
  grossCents: number;
  netCents: number;
}

/**
 * Charges the price of a finished delivery. The driver has received `cashCents` of it, and `walletCents` was taken from
 * the company's credit.
 */
export async function chargeFinished(
  tx: Tx,
  { id: centralId, timeZone }: Central,
  { id, companyId, payment, grossCents, netCents }: ChargedDelivery,
  { shareCents, cashCents, walletCents }: { shareCents: number; cashCents: number; walletCents: number },
  actor: Actor,
): Promise<void> {
  const of = { companyId, deliveryId: id };
  const charge = { ...of, amountCents: netCents, grossCents, driverCents: shareCents, payment };
  await insertCompanyEntry(tx, centralId, timeZone, { ...charge, kind: 'delivery' }, actor);
  const paid = paidAtOnce(payment, { netCents, cashCents, walletCents });
  if (paid.cents > 0)
    await insertCompanyEntry(
      tx,
      centralId,
      timeZone,
      { ...of, kind: paid.by, amountCents: -paid.cents },
      actor,
    );
}

function paidAtOnce(
  payment: string,
  { netCents, cashCents, walletCents }: { netCents: number; cashCents: number; walletCents: number },
): { by: 'wallet' | 'cash' | 'direct'; cents: number } {
  if (payment === 'credit_wallet') return { by: 'wallet', cents: walletCents };
  // Other cash is collected at the stops, and entered there.
  if (payment === 'cash') return { by: 'cash', cents: cashCents };
  return { by: 'direct', cents: payment === 'invoiced' ? 0 : netCents };
}

/** Charges the fee of a cancelled delivery; `walletCents` of it was taken from the company's credit. */
export async function chargeCancelled(
  tx: Tx,
  { id: centralId, timeZone }: Central,
  { id, companyId, payment }: ChargedDelivery,
  {
    chargedCents,
    grossCents,
    shareCents,
    walletCents,
  }: { chargedCents: number; grossCents: number; shareCents: number; walletCents: number },
  actor: Actor,
): Promise<void> {
  const of = { companyId, deliveryId: id };
  const amounts = { amountCents: chargedCents, grossCents, driverCents: shareCents };
  const charge = { ...of, ...amounts, kind: 'cancellation_fee', payment } as const;
  await insertCompanyEntry(tx, centralId, timeZone, charge, actor);
  if (walletCents > 0)
    await insertCompanyEntry(
      tx,
      centralId,
      timeZone,
      { ...of, kind: 'wallet', amountCents: -walletCents },
      actor,
    );
}

/** Credits the company with cash that a driver collected at a stop. */
export async function creditCollected(
  tx: Tx,
  { id: centralId, timeZone }: Central,
  { id, companyId, stopId }: { id: number; companyId: number | null; stopId: number },
  cents: number,
  actor: Actor,
): Promise<void> {
  if (cents === 0) return;
  const entry = { companyId, deliveryId: id, stopId, kind: 'cash', amountCents: -cents } as const;
  await insertCompanyEntry(tx, centralId, timeZone, entry, actor);
}

/** Takes back the credit for cash whose entry in the driver's account is reversed. */
export async function takeBackCash(
  tx: Tx,
  { id: centralId, timeZone }: Central,
  cash: CollectedCash,
  actor: Actor,
): Promise<void> {
  const credited = await findCashEntry(tx, centralId, cash);
  if (!credited) return;
  const entry = { ...cash, ...credited, kind: 'cash', amountCents: -cash.amountCents } as const;
  await insertCompanyEntry(tx, centralId, timeZone, entry, actor);
}
