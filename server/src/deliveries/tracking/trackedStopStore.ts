import type { Scope } from '../../centrals/caller.ts';
import { writeToken } from '../../platform/kernel/centralToken.ts';
import type { Tx } from '../../platform/postgres/database.ts';

export interface TrackedStop {
  id: number;
  /** The last part of the tracking link. */
  token: string;
  /** The recipient gives this code to the driver. */
  code: number | null;
}

/**
 * The stops that a delivery carries, and those that were ordered with it and that another delivery carries, in the
 * order of the visits. The list is empty when no such delivery is in scope, or when all of its stops were removed.
 */
export async function findTrackedStops(tx: Tx, scope: Scope, deliveryId: number): Promise<TrackedStop[]> {
  const { centralId } = scope;
  const rows = await tx.rows<{ id: number; secret: string; code: number | null }>`
    select s.id, s.tracking_token as secret, s.confirmation_code as code
    from stops s
    join deliveries d on d.central_id = ${centralId} and d.id = ${deliveryId}
    where s.central_id = ${centralId}
      and (s.delivery_id = ${deliveryId} or s.ordered_with = ${deliveryId})
      and (${scope.companyId}::bigint is null or d.company_id = ${scope.companyId})
    order by s.position, s.id`;
  return rows.map(({ id, secret, code }) => ({ id, token: writeToken({ centralId, secret }), code }));
}

export async function isDeliveryInScope(tx: Tx, scope: Scope, deliveryId: number): Promise<boolean> {
  const rows = await tx.rows`
    select 1 from deliveries
    where central_id = ${scope.centralId} and id = ${deliveryId}
      and (${scope.companyId}::bigint is null or company_id = ${scope.companyId})`;
  return rows.length > 0;
}
