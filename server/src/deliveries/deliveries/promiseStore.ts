import type { Tx } from '../../platform/postgres/database.ts';
import { sql } from '../../platform/postgres/sql.ts';
import type { Demands } from '../orders/demands.ts';
import { promisedWith } from './promise.ts';

interface Demanding {
  demands: Demands | null;
}

/** What callers promised for the stops of a delivery, for `promisedWith`: columns of stop_demands as `demanded`. */
export const GIVEN_PROMISES = {
  count: sql`count(demanded.window_until)`,
  latest: sql`max(demanded.window_until)`,
};

const isPromised = ({ demands }: Demanding): boolean => (demands?.windowUntil ?? null) !== null;

/**
 * Fixes the promise of a delivery again, after an edit of its stops and its plan, where callers promised any of them. The
 * caller holds its lock. Without promises of callers an edit changes none.
 */
export async function renewPromise(
  tx: Tx,
  centralId: number,
  deliveryId: number,
  before: readonly Demanding[],
  after: readonly Demanding[],
): Promise<void> {
  if (![...before, ...after].some(isPromised)) return;
  await fixPromises(tx, centralId, [deliveryId]);
}

/** Fixes the promises of deliveries again, from what is promised for their stops. The caller holds their locks. */
export async function fixPromises(tx: Tx, centralId: number, deliveryIds: readonly number[]): Promise<void> {
  const promised = promisedWith(GIVEN_PROMISES, sql`d.requested_at`, sql`d.planned_seconds`, sql`count(*)`);
  await tx.write`
    update deliveries d set promised_at = (
      select ${promised} from stops s
      left join stop_demands demanded on demanded.central_id = ${centralId} and demanded.stop_id = s.id
      where s.central_id = ${centralId} and s.delivery_id = d.id)
    where d.central_id = ${centralId} and d.id = any(${deliveryIds}::bigint[])`;
}
