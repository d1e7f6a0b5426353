import type { Scope } from '../centrals/caller.ts';
import type { Tx } from '../postgres/database.ts';

/** A delivery for which no driver was found, and which was neither ordered again nor dismissed. */
export interface NotAttended {
  id: number;
  companyId: number | null;
  customerName: string;
  requestedAt: Temporal.Instant;
  notAttendedAt: Temporal.Instant;
}

/** Deliveries ordered since an instant, newest first, through the index by status and time. */
export async function listNotAttended(
  tx: Tx,
  { centralId, companyId }: Scope,
  since: Temporal.Instant,
  limit: number,
): Promise<NotAttended[]> {
  return tx<NotAttended>`
    select d.id, d.company_id as "companyId", customer.name as "customerName", d.requested_at as "requestedAt",
      d.not_attended_at as "notAttendedAt"
    from (
      select * from deliveries
      where central_id = ${centralId} and status = 'not_attended' and requested_at > ${since}
        and ordered_again_as is null and dismissed_at is null and grouped_into is null
        and personal_data_removed_at is null
        and (${companyId}::bigint is null or company_id = ${companyId})
      order by requested_at desc, id desc limit ${limit}) d
    join customers customer on customer.central_id = ${centralId} and customer.id = d.customer_id
    order by d.requested_at desc, d.id desc`;
}

/** False if it was ordered again before. The caller holds its lock. */
export async function markOrderedAgain(
  tx: Tx,
  centralId: number,
  id: number,
  newId: number,
): Promise<boolean> {
  const rows = await tx`
    update deliveries set ordered_again_as = ${newId}, version = version + 1
    where central_id = ${centralId} and id = ${id} and ordered_again_as is null
    returning id`;
  return rows.length > 0;
}

/** False if it was ordered again or dismissed before. The caller holds its lock. */
export async function markDismissed(
  tx: Tx,
  centralId: number,
  id: number,
  { at, by, reason }: { at: Temporal.Instant; by: number | null; reason: string },
): Promise<boolean> {
  const rows = await tx`
    update deliveries set dismissed_at = ${at}, dismissed_by = ${by}, dismissed_reason = ${reason},
      version = version + 1
    where central_id = ${centralId} and id = ${id} and ordered_again_as is null and dismissed_at is null
    returning id`;
  return rows.length > 0;
}
