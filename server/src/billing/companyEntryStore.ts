import type { Actor } from '../events/event.ts';
import type { Tx } from '../postgres/database.ts';
import { newId } from '../postgres/ids.ts';

/** Charges and the ways in which they are paid. */
export type CompanyEntryKind = 'delivery' | 'cancellation_fee' | 'wallet' | 'cash' | 'direct' | 'payment';

export interface NewCompanyEntry {
  /** Null: ordered by nobody's company. */
  companyId: number | null;
  kind: CompanyEntryKind;
  /** Positive is owed by the company, negative was paid. A payment of the central to the company is positive. */
  amountCents: number;
  /** Of a charge: before the coupon. */
  grossCents?: number;
  /** Of a charge: what drivers get of it. */
  driverCents?: number;
  payment?: string | null;
  deliveryId: number | null;
  stopId?: number | null;
}

/**
 * Adds to a company's ledger and, by its trigger, to its account. Accounts of companies are locked after those of
 * drivers, and nothing is locked after them. Sent with the next statement or with the commit.
 */
export async function insertCompanyEntry(
  tx: Tx,
  centralId: number,
  timeZone: string,
  entry: NewCompanyEntry,
  { at, by }: Actor,
): Promise<number> {
  const id = await newId(tx, centralId, 'company_entry');
  const day = at.toZonedDateTimeISO(timeZone).toPlainDate().toString();
  await tx.defer`
    insert into company_entries (central_id, id, company_id, kind, amount_cents, gross_cents, driver_cents, payment,
      day, delivery_id, stop_id, user_id, created_at)
    values (${centralId}, ${id}, ${entry.companyId}, ${entry.kind}, ${entry.amountCents},
      ${entry.grossCents ?? 0}, ${entry.driverCents ?? 0}, ${entry.payment}, ${day}::date, ${entry.deliveryId},
      ${entry.stopId}, ${by}, ${at})`;
  return id;
}

/** Holds a company's account until the end of the transaction. */
export async function lockCompanyAccount(tx: Tx, centralId: number, companyId: number): Promise<void> {
  await tx.defer`
    insert into company_accounts (central_id, company_id) values (${centralId}, ${companyId}) on conflict do nothing`;
  await tx.defer`
    select 1 from company_accounts where central_id = ${centralId} and company_id = ${companyId} for update`;
}
