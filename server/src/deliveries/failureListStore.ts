import type { Scope } from '../centrals/caller.ts';
import type { FailureDecision, FailureReason } from '../kernel/states.ts';
import type { Tx } from '../postgres/database.ts';
import type { Status } from './status.ts';

/** A stop that was not delivered and not settled yet. */
export interface UnresolvedFailure {
  stopId: number;
  deliveryId: number;
  status: Status;
  customerName: string;
  recipientName: string | null;
  recipientPhone: string | null;
  address: string;
  district: string;
  driverName: string | null;
  reason: FailureReason;
  note: string | null;
  attempt: number;
  decision: FailureDecision;
  happenedAt: Temporal.Instant;
}

// The partial index holds only unsettled failures, so neither statement reads the history.
const UNRESOLVED = `
  from stop_attempts a
  join stops s on s.central_id = $1 and s.id = a.stop_id
  join deliveries d on d.central_id = $1 and d.id = s.delivery_id
  where a.central_id = $1 and a.decision <> 'retry' and a.undone_at is null and a.resolved_at is null
    and d.personal_data_removed_at is null and ($2::bigint is null or d.company_id = $2)`;

const COUNT_FAILURES = `select count(*) as count ${UNRESOLVED}`;

export async function countFailures(tx: Tx, { centralId, companyId }: Scope): Promise<number> {
  const [row] = await tx.run<{ count: number }>(COUNT_FAILURES, [centralId, companyId]);
  return row!.count;
}

const LIST = `
  select failure.*, customer.name as "customerName", driver.name as "driverName"
  from (select s.id as "stopId", s.delivery_id as "deliveryId", d.status, d.customer_id, a.driver_id,
      s.recipient_name as "recipientName", s.recipient_phone as "recipientPhone", s.address, s.district, a.reason,
      a.note, a.number as attempt, a.decision, a.happened_at as "happenedAt", a.recorded_at
    ${UNRESOLVED}
    order by a.recorded_at, a.stop_id limit $3) failure
  join customers customer on customer.central_id = $1 and customer.id = failure.customer_id
  left join drivers driver on driver.central_id = $1 and driver.id = failure.driver_id
  order by failure.recorded_at, failure."stopId"`;

/** The oldest first. */
export async function listFailures(
  tx: Tx,
  { centralId, companyId }: Scope,
  limit: number,
): Promise<UnresolvedFailure[]> {
  return tx.run<UnresolvedFailure>(LIST, [centralId, companyId, limit]);
}
