import type { Tx } from '../../platform/postgres/database.ts';
import type { DriverEntry } from '../earnings/earningStore.ts';

export interface Reversible extends Pick<DriverEntry, 'kind' | 'amountCents' | 'deliveryId' | 'reversesId'> {
  stopId: number | null;
  settledCashCents: number;
  /** Whether it is in a paid closing, so that its cash is settled. False if that payment was reversed. */
  isSettled: boolean;
  /** The closing that the entry paid. */
  paidClosingId: number | null;
  /** The part of the cash it settled that was entered by mistake and reversed since. */
  takenBackCents: number;
}

/** An entry of this driver that can be reversed. A unique index allows only one of two simultaneous reversals. */
export async function findReversible(
  tx: Tx,
  centralId: number,
  driverId: number,
  id: number,
): Promise<Reversible | undefined> {
  const entry = await tx.row<Reversible>`
    select e.kind, e.amount_cents, e.delivery_id, e.stop_id,
      e.reverses_id,
      e.settled_cash_cents, exists (
        select 1 from closings c
        where c.central_id = ${centralId} and c.driver_id = ${driverId} and c.paid_at is not null
          and e.number between c.from_number and c.to_number and not exists (
            select 1 from driver_entries taken
            where taken.central_id = ${centralId} and taken.reverses_id = c.paid_entry_id)) as is_settled,
      paid.id as paid_closing_id, coalesce((
        select -sum(back.settled_cash_cents) from driver_entries back
        join driver_entries cash on cash.central_id = ${centralId} and cash.id = back.reverses_id
        where back.central_id = ${centralId} and back.driver_id = ${driverId} and back.kind = 'collected'
          and back.day >= e.day and back.number > e.number
          and cash.number between paid.from_number and paid.to_number), 0)::bigint as taken_back_cents
    from driver_entries e
    left join closings paid on paid.central_id = ${centralId} and paid.driver_id = ${driverId}
      and paid.paid_entry_id = e.id
    where e.central_id = ${centralId} and e.id = ${id} and e.driver_id = ${driverId}`;
  return entry;
}

/** The caller holds the driver's account. */
export async function markUnpaid(
  tx: Tx,
  centralId: number,
  id: number,
  undoneEntryIds: readonly number[],
): Promise<void> {
  await tx.rows`
    update closings set paid_at = null, paid_by = null, paid_entry_id = null,
      undone_entry_ids = undone_entry_ids || ${undoneEntryIds}::bigint[]
    where central_id = ${centralId} and id = ${id}`;
}
