import { randomInt } from 'node:crypto';
import type { Scope } from '../centrals/caller.ts';
import type { Tx } from '../postgres/database.ts';

export interface TrackedStop {
  id: number;
  /** The secret part of its tracking link. */
  token: string;
  /** What the recipient tells the driver. */
  code: number | null;
}

/**
 * The stops that a delivery carries, also those that joined it by grouping, and those that were ordered with it,
 * also when another carries them by now. In the order of visiting; none when there is no such delivery in sight, or
 * when all of its stops were removed from the one that carried them.
 */
export async function findTrackedStops(tx: Tx, scope: Scope, deliveryId: number): Promise<TrackedStop[]> {
  return tx<TrackedStop>`
    select s.id, s.tracking_token as token, s.confirmation_code as code
    from stops s
    join deliveries d on d.central_id = s.central_id and d.id = ${deliveryId}
    where s.central_id = ${scope.centralId}
      and (s.delivery_id = ${deliveryId} or s.ordered_with = ${deliveryId})
      and (${scope.companyId}::bigint is null or d.company_id = ${scope.companyId})
    order by s.position, s.id`;
}

export async function isDeliveryInScope(tx: Tx, scope: Scope, deliveryId: number): Promise<boolean> {
  const rows = await tx`
    select 1 from deliveries
    where central_id = ${scope.centralId} and id = ${deliveryId}
      and (${scope.companyId}::bigint is null or company_id = ${scope.companyId})`;
  return rows.length > 0;
}

/**
 * Makes a stop's confirmation code, unless it has one: whoever comes second gets what the first one made,
 * also while the first one is still about to commit. Undefined when the stop is gone: its delivery was edited.
 */
export async function giveConfirmationCode(
  tx: Tx,
  centralId: number,
  stopId: number,
): Promise<number | undefined> {
  const [row] = await tx<{ confirmation_code: number }>`
    update stops set confirmation_code = coalesce(confirmation_code, ${randomInt(1_000, 10_000)}::integer)
    where central_id = ${centralId} and id = ${stopId}
    returning confirmation_code`;
  return row?.confirmation_code;
}
