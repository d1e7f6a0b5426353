import type { Actor, ScheduledEvent } from '../../events/record/event.ts';
import { insertedStops, insertSelectedEvents, scheduledFacts } from '../../events/record/eventStore.ts';
import { assertCouponUses } from '../../money/pricing/couponStore.ts';
import type { Estimate } from '../../money/pricing/estimateTrip.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { newId } from '../../platform/postgres/ids.ts';
import { names, sql, values } from '../../platform/postgres/sql.ts';
import type { PreparedOrder } from '../orders/request.ts';
import { customerOf, orderRow, pickupAndPlanChanges } from '../orders/requestStore.ts';
import { insertStopRows, stopsParameter } from '../orders/stopStore.ts';
import type { Replacement } from './scheduled.ts';

const CREATED = {
  type: 'scheduled.changed',
  payload: { situation: 'awaiting', change: 'created' },
} as const satisfies Omit<ScheduledEvent, 'scheduledId'>;

const EVENT_COLUMNS = [
  'central_id',
  'type',
  'company_id',
  'scheduled_id',
  'sequence',
  'payload',
  'occurred_at',
  'user_id',
] as const;

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
  const [id, stopIds, eventId] = await Promise.all([
    newId(tx, centralId, 'scheduled'),
    tx.newIds(centralId, 'stop', stops.length),
    newId(tx, centralId, 'event'),
  ]);
  const row = {
    central_id: centralId,
    id,
    situation: 'awaiting',
    dispatch_at: dispatchAt,
    requested_at: at,
    ...orderRow(prepared, customerId),
    event_sequence: 1,
  };
  const inserted = sql`(select ${insertedStops(sql`new_stops`)} from new_stops)`;
  const facts = scheduledFacts(centralId, sql`new`, inserted);
  const event = sql`
    select ${eventId}::bigint, central_id, ${CREATED.type}::text, company_id, id, 1, ${facts} || ${CREATED.payload}::jsonb,
      ${at}::timestamptz, ${by}::bigint
    from new`;
  // Creation is the most frequent write of this room, so the row, its stops and its event are one statement.
  // PostgreSQL checks foreign keys at the end of a statement, so the order of the parts does not matter.
  await tx.rows`
    with new as (insert into scheduled (${names(row)}) values (${values(row)}) returning *),
    new_stops as (
      ${insertStopRows('scheduled', centralId, id, stopsParameter(stops, stopIds))}
      returning id, position, order_number, external_id)
    ${insertSelectedEvents(EVENT_COLUMNS, event)}`;
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
  await tx.rows`
    update scheduled set ${pickupAndPlanChanges(pickup, estimate)}, situation = 'awaiting', failure = null,
      dispatch_at = ${dispatchAt}, payment = ${payment}, estimate_outdated = false, dispatch_attempts = 0,
      retry_at = null, personal_data_removed_at = null, version = version + 1
    where central_id = ${centralId} and id = ${id}`;
}
