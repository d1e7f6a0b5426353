import type { Actor } from '../events/event.ts';
import type { Tx } from '../postgres/database.ts';
import { type EntryKind, insertEntry, lockBalances, recordWalletEvent } from '../wallet/walletStore.ts';
import { markReserved, type Reserved } from './deliveryStore.ts';

/**
 * Makes the amount held for a delivery equal to `cents`: reserves what is missing, or gives back the surplus. The
 * caller holds the delivery's lock. Refuses with insufficient-balance.
 */
export async function holdCredit(
  tx: Tx,
  centralId: number,
  delivery: Reserved,
  cents: number,
  actor: Actor,
): Promise<void> {
  const wanted = delivery.payment === 'credit_wallet' ? cents : 0;
  const difference = wanted - delivery.reservedCents;
  if (difference === 0) return;
  await enter(tx, centralId, delivery, difference > 0 ? 'reserve' : 'release', -difference, actor);
  await markReserved(tx, centralId, delivery.id, wanted);
}

/**
 * Gives back to the wallets what `clearReserved` took off the deliveries. The two are separate steps: the amount is
 * taken off a delivery before its status changes, and wallets are locked after everything else.
 */
export async function giveBack(
  tx: Tx,
  centralId: number,
  unreserved: readonly Reserved[],
  actor: Actor,
): Promise<void> {
  // Wallets are locked in the order of their companies, so that two transactions never wait for each other.
  const ordered = unreserved.toSorted((a, b) => Number(a.companyId) - Number(b.companyId) || a.id - b.id);
  for (const delivery of ordered)
    await enter(tx, centralId, delivery, 'release', delivery.reservedCents, actor);
}

/** Settles a finished delivery: one entry gives back what was held, another one charges the price. */
export async function settleCredit(
  tx: Tx,
  centralId: number,
  delivery: Reserved,
  chargedCents: number,
  actor: Actor,
): Promise<void> {
  if (delivery.payment !== 'credit_wallet') return;
  await holdCredit(tx, centralId, delivery, 0, actor);
  if (chargedCents > 0) await enter(tx, centralId, delivery, 'settlement', -chargedCents, actor);
}

/** Charges at most the company's balance: a fee never overdraws a wallet. */
export async function chargeFee(
  tx: Tx,
  centralId: number,
  delivery: Reserved,
  feeCents: number,
  actor: Actor,
): Promise<void> {
  const { companyId, payment } = delivery;
  if (payment !== 'credit_wallet' || companyId === null) return;
  const [wallet] = await lockBalances(tx, [{ centralId, companyId }]);
  const cents = Math.min(feeCents, wallet?.balanceCents ?? 0);
  if (cents > 0) await enter(tx, centralId, delivery, 'cancellation_fee', -cents, actor);
}

async function enter(
  tx: Tx,
  centralId: number,
  delivery: Reserved,
  kind: EntryKind,
  amountCents: number,
  actor: Actor,
): Promise<void> {
  const companyId = delivery.companyId;
  if (companyId === null) throw new Error('only a company pays by credit wallet');
  const entry = { companyId, kind, amountCents, deliveryId: delivery.id };
  const entryId = await insertEntry(tx, centralId, entry, actor.at);
  const payload = { entryId, kind, amountCents, deliveryId: delivery.id };
  await recordWalletEvent(tx, centralId, { companyId, type: 'wallet.entry', payload }, actor);
}
