import { assertCouponUses } from '../estimates/couponStore.ts';
import type { Estimate } from '../estimates/estimateTrip.ts';
import type { Actor, ScheduledEvent } from '../events/event.ts';
import { eventTypeSql, insertEventsSql, insertedStops, scheduledFacts } from '../events/eventStore.ts';
import type { Tx } from '../postgres/database.ts';
import { newId } from '../postgres/ids.ts';
import type { PreparedOrder } from '../requests/request.ts';
import {
  customerOf,
  ORDER_COLUMNS,
  orderValues,
  parametersOf,
  pickupAndPlanChanges,
} from '../requests/requestStore.ts';
import { insertStopsSql, stopsParameter } from '../requests/stopStore.ts';
import type { Replacement } from './editScheduled.ts';

const CREATED = {
  type: 'scheduled.changed',
  payload: { situation: 'awaiting', change: 'created' },
} as const satisfies Omit<ScheduledEvent, 'scheduledId'>;

// Creation is the most frequent write of this room, so the row, its stops and its event are one statement.
// PostgreSQL checks foreign keys at the end of a statement, so the order of the parts does not matter.
const INSERT = `
  with new as (
    insert into scheduled (central_id, id, situation, dispatch_at, requested_at, ${ORDER_COLUMNS.join(', ')},
      event_sequence)
    values ($1, $7, 'awaiting', $3, $4, ${parametersOf(ORDER_COLUMNS, 9)}, 1)
    returning *),
  new_stops as (
    ${insertStopsSql('scheduled', '$1', '$7', '$2')}
    returning id, position, order_number, external_id)
  ${insertEventsSql(
    ['central_id', 'type', 'company_id', 'scheduled_id', 'sequence', 'payload', 'occurred_at', 'user_id'],
    '$8',
    `select central_id, ${eventTypeSql(CREATED.type)}, company_id, id, 1,
        ${scheduledFacts('$1', 'new', `(select ${insertedStops('new_stops')} from new_stops)`)} || $5::jsonb, $4, $6::bigint
      from new`,
  )}`;

/** Inserts a scheduled delivery with its stops and its first event; returns its id. */
export async function insertScheduled(
  tx: Tx,
  centralId: number,
  prepared: PreparedOrder,
  dispatchAt: Temporal.Instant,
  { at, by }: Actor,
): Promise<number> {
  const customerId = await customerOf(tx, centralId, prepared);
  const { stops } = prepared.order;
  const [id, stopIds, eventIds] = await Promise.all([
    newId(tx, centralId, 'scheduled'),
    tx.newIds(centralId, 'stop', stops.length),
    tx.newIds(centralId, 'event', 1),
  ]);
  await tx.run(INSERT, [
    centralId,
    stopsParameter(stops, stopIds),
    dispatchAt,
    at,
    CREATED.payload,
    by,
    id,
    eventIds,
    ...orderValues(prepared, customerId),
  ]);
  await assertCouponUses(tx, centralId, prepared.couponId, customerId);
  return id;
}

/**
 * Replaces everything that an edit replaces, except the stops. The scheduled delivery awaits its dispatch afterwards,
 * also if an earlier dispatch failed. The caller holds the row's lock.
 */
export async function replaceScheduled(
  tx: Tx,
  centralId: number,
  id: number,
  { dispatchAt, payment, pickup }: Replacement,
  estimate: Estimate,
): Promise<void> {
  const { text, values } = pickupAndPlanChanges(pickup, estimate);
  const next = values.length + 3;
  await tx.run(
    `update scheduled set ${text}, situation = 'awaiting', failure = null, dispatch_at = $${next},
       payment = $${next + 1}, estimate_outdated = false, dispatch_attempts = 0, retry_at = null,
       personal_data_removed_at = null, version = version + 1
     where central_id = $1 and id = $2`,
    [centralId, id, ...values, dispatchAt, payment],
  );
}
