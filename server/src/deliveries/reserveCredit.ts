import type { Actor } from '../events/actor.ts';
import { recordCompanyEvent } from '../events/recordEvent.ts';
import type { Tx } from '../postgres/database.ts';
import { lockBalances } from '../wallet/reserveManyStore.ts';
import { type EntryKind, insertEntry } from '../wallet/walletStore.ts';

export interface Reserved {
  id: number;
  companyId: number | null;
  payment: string;
  reservedCents: number;
}

/**
 * Makes the amount held for a delivery equal to `cents`: reserves what is missing, gives back what is too
 * much. The caller holds the delivery's lock. Refuses with insufficient-balance.
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
  await tx`
    update deliveries set reserved_cents = ${wanted}
    where central_id = ${centralId} and id = ${delivery.id}`;
}

/**
 * Lets go of what is held for a delivery and for all that were grouped into it, and answers with what was held.
 * The amounts reach the wallets only with giveBack: a row is freed before its status changes, wallets are
 * locked after everything else. The caller holds the delivery's lock.
 */
export async function unreserve(tx: Tx, centralId: number, deliveryId: number): Promise<Reserved[]> {
  return tx<Reserved>`
    with held as (
      select id, company_id, payment, reserved_cents from deliveries
      where central_id = ${centralId} and (id = ${deliveryId} or grouped_into = ${deliveryId})
        and reserved_cents > 0)
    update deliveries d set reserved_cents = 0 from held
    where d.central_id = ${centralId} and d.id = held.id
    returning held.id, held.company_id as "companyId", held.payment, held.reserved_cents as "reservedCents"`;
}

export async function giveBack(
  tx: Tx,
  centralId: number,
  unreserved: readonly Reserved[],
  actor: Actor,
): Promise<void> {
  // Wallets in the order of their companies, so that two of these never wait for each other.
  const ordered = unreserved.toSorted((a, b) => Number(a.companyId) - Number(b.companyId) || a.id - b.id);
  for (const one of ordered) await enter(tx, centralId, one, 'release', one.reservedCents, actor);
}

/** On finish: what was held is given back and the fare is charged, each as an entry of its own. */
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

/** As far as the company's credit goes: nobody is overdrawn by a fee. */
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
  await recordCompanyEvent(
    tx,
    centralId,
    companyId,
    'wallet.entry',
    { entryId, kind, amountCents, deliveryId: delivery.id },
    actor,
  );
}
