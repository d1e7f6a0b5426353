import { assertCouponUses } from '../estimates/couponUseStore.ts';
import type { Tx } from '../postgres/database.ts';
import type { PreparedOrder } from '../requests/order.ts';
import { customerOf, ORDER_COLUMNS, orderValues, parametersOf } from '../requests/requestStore.ts';
import { insertStops } from '../requests/stopStore.ts';
import type { Status } from './status.ts';

const COLUMNS = ORDER_COLUMNS.join(', ');

const INSERT = `
  insert into deliveries (central_id, id, status, requested_at, ${COLUMNS})
  values ($1, next_id($1, 'delivery'), $2, $3, ${parametersOf(ORDER_COLUMNS, 4)})
  returning id`;

/** Inserts a delivery with its stops; answers with its id. */
export async function insertDelivery(
  tx: Tx,
  centralId: number,
  prepared: PreparedOrder,
  status: Status,
  now: Temporal.Instant,
): Promise<number> {
  const customerId = await customerOf(tx, centralId, prepared);
  const [row] = await tx.run<{ id: number }>(INSERT, [
    centralId,
    status,
    now,
    ...orderValues(prepared, customerId),
  ]);
  await insertStops(tx, centralId, 'delivery', row!.id, prepared.order.stops);
  await assertCouponUses(tx, centralId, prepared.couponId, customerId);
  return row!.id;
}

/**
 * SQL that inserts a delivery for each row of `due`, which are rows of scheduled with the new id as `new_id`. What is
 * paid by credit counts as reserved. The unique index deliveries_once_per_scheduled guarantees that a scheduled
 * delivery is dispatched once.
 */
export const insertDispatchedSql = (due: string, now: string): string => `
  insert into deliveries (central_id, id, status, scheduled_id, ${COLUMNS}, reserved_cents, requested_at,
    event_sequence)
  select ${due}.central_id, ${due}.new_id,
    case when central.settings @> '{"releaseRequired": true}' or company.needs_release
      then 'awaiting_release' else 'distributing' end,
    ${due}.id, ${ORDER_COLUMNS.map((column) => `${due}.${column}`).join(', ')},
    case when ${due}.payment = 'credit_wallet' then ${due}.net_cents else 0 end, ${now}, 1
  from ${due}
  join centrals central on central.id = ${due}.central_id
  left join companies company on company.central_id = ${due}.central_id and company.id = ${due}.company_id
  returning *`;
