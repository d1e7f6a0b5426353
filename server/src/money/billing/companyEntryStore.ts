import type { Actor } from '../../events/record/event.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { newId } from '../../platform/postgres/ids.ts';

/** Charges and the ways in which they are paid. */
export type CompanyEntryKind = 'delivery' | 'cancellation_fee' | 'wallet' | 'cash' | 'direct' | 'payment';

export interface NewCompanyEntry {
  /** Null: the delivery was not ordered by a company. */
  companyId: number | null;
  kind: CompanyEntryKind;
  /**
   * Positive is owed by the company, negative was paid. A payment of the central to the company is positive, and so is
   * cash that is taken back.
   */
  amountCents: number;
  /** For a charge: the price before the coupon. */
  grossCents?: number;
  /** For a charge: the drivers' share. */
  driverCents?: number;
  payment?: string | null;
  deliveryId: number | null;
  stopId?: number | null;
}

/**
 * Adds an entry to a company's ledger, whose trigger updates the account. Accounts of companies are locked after those
 * of drivers, and nothing is locked after them. The statement is deferred to the next one or to the commit.
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
  await tx.write`
    insert into company_entries (central_id, id, company_id, kind, amount_cents, gross_cents, driver_cents, payment,
      day, delivery_id, stop_id, user_id, created_at)
    values (${centralId}, ${id}, ${entry.companyId}, ${entry.kind}, ${entry.amountCents},
      ${entry.grossCents ?? 0}, ${entry.driverCents ?? 0}, ${entry.payment}, ${day}::date, ${entry.deliveryId},
      ${entry.stopId}, ${by}, ${at})`;
  return id;
}

/** Cash that was collected at a stop or, with a null stop, for a delivery as a whole. */
export interface CollectedCash {
  deliveryId: number;
  stopId: number | null;
  /** Negative. */
  amountCents: number;
}

/**
 * The company's entry of cash that a driver's account has too. Undefined if the cash was collected before companies
 * had accounts. Read through the index company_entries_cash.
 */
export async function findCashEntry(
  tx: Tx,
  centralId: number,
  { deliveryId, stopId, amountCents }: CollectedCash,
): Promise<{ companyId: number | null } | undefined> {
  const entry = await tx.row<{ companyId: number | null }>`
    select company_id from company_entries
    where central_id = ${centralId} and delivery_id = ${deliveryId} and kind = 'cash'
      and stop_id is not distinct from ${stopId}::bigint and amount_cents = ${amountCents}
    limit 1`;
  return entry;
}

/** Locks a company's account until the end of the transaction. */
export async function lockCompanyAccount(tx: Tx, centralId: number, companyId: number): Promise<void> {
  await tx.write`
    insert into company_accounts (central_id, company_id) values (${centralId}, ${companyId}) on conflict do nothing`;
  await tx.write`
    select 1 from company_accounts where central_id = ${centralId} and company_id = ${companyId} for update`;
}
