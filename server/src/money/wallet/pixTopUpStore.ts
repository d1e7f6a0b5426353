import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Tx } from '../../platform/postgres/database.ts';

/** A Pix code for credit that is not paid yet. */
export interface PixTopUp {
  identifier: string;
  companyId: number;
  amountCents: number;
  requestedAt: Temporal.Instant;
}

export async function insertPixTopUp(
  tx: Tx,
  centralId: number,
  { identifier, companyId, amountCents, requestedAt }: PixTopUp,
  userId: number | null,
): Promise<void> {
  await tx.rows`
    insert into pix_top_ups (central_id, identifier, company_id, amount_cents, requested_at, user_id)
    values (${centralId}, ${identifier}, ${companyId}, ${amountCents}, ${requestedAt}, ${userId})`;
}

/** Deletes unpaid codes. Credited ones stay, so that they are never credited again. */
export async function deleteUnpaidPix(
  tx: Tx,
  centralId: number,
  companyId: number,
  before: Temporal.Instant,
): Promise<void> {
  await tx.rows`
    delete from pix_top_ups
    where central_id = ${centralId} and company_id = ${companyId} and entry_id is null
      and requested_at < ${before}`;
}

/** Counted up to `max`. */
export async function countAwaitedPix(
  tx: Tx,
  centralId: number,
  companyId: number,
  max: number,
): Promise<number> {
  const rows = await tx.rows`
    select 1 from pix_top_ups
    where central_id = ${centralId} and company_id = ${companyId} and entry_id is null limit ${max}`;
  return rows.length;
}

/** Newest first, through an index of unpaid codes only. */
export async function listAwaitedPix(
  tx: Tx,
  centralId: number,
  companyId: number,
  limit: number,
): Promise<PixTopUp[]> {
  return tx.rows<PixTopUp>`
    select identifier, company_id, amount_cents, requested_at
    from pix_top_ups where central_id = ${centralId} and company_id = ${companyId} and entry_id is null
    order by requested_at desc, identifier limit ${limit}`;
}

/** The lock admits one of several simultaneous credits; the others find that it is credited. */
export async function lockAwaitedPix(
  tx: Tx,
  centralId: number,
  companyId: number,
  identifier: string,
): Promise<{ amountCents: number }> {
  const row = await tx.row<{ amountCents: number; entryId: number | null }>`
    select amount_cents, entry_id from pix_top_ups
    where central_id = ${centralId} and company_id = ${companyId} and identifier = ${identifier} for update`;
  if (!row) throw new Refusal('pix-not-found');
  if (row.entryId !== null) throw new Refusal('pix-credited');
  return row;
}

export async function markPixCredited(
  tx: Tx,
  centralId: number,
  identifier: string,
  entryId: number,
): Promise<void> {
  await tx.rows`
    update pix_top_ups set entry_id = ${entryId}
    where central_id = ${centralId} and identifier = ${identifier}`;
}
