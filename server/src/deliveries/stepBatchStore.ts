import type { Actor, StatusDetails } from '../events/event.ts';
import { deliveryFacts, deliveryStops, eventTypeSql, insertEventSql } from '../events/eventStore.ts';
import type { Tx } from '../postgres/database.ts';
import { LATEST_MOMENT, type Reserved } from './deliveryStore.ts';
import { type StepName, steps } from './status.ts';

// The dispatcher's changes of many deliveries of a central at a time. The caller holds the locks of all of them.

/** A delivery that took a step, by itself or with its carrier. */
interface Moved {
  id: number;
  carrierId: number;
}

/**
 * Does for several deliveries what `markStep` does for one, and numbers the event of each in the same update.
 * takeSteps.ts asserts the step and records the events.
 */
export async function markSteps(
  tx: Tx,
  centralId: number,
  ids: readonly number[],
  name: StepName,
  { at }: Actor,
  searchAgainAt: Temporal.Instant | null,
): Promise<Moved[]> {
  const step = steps[name];
  const changes = ['status = $3', 'version = version + 1', 'event_sequence = event_sequence + 1'];
  if ('stamp' in step) changes.push(`${step.stamp} = greatest($4, ${LATEST_MOMENT})`);
  if ('searches' in step) changes.push('search_since = $4', 'search_again_at = null');
  if (searchAgainAt) changes.push('search_again_at = $5');
  if ('clears' in step) throw new Error(`${name} cannot be taken by several deliveries at a time`);
  return tx.run<Moved>(
    `update deliveries set ${changes.join(', ')}
     where central_id = $1 and (id = any($2::bigint[]) or grouped_into = any($2::bigint[]))
       and $4::timestamptz is not null
     returning id, coalesce(grouped_into, id) as "carrierId"`,
    [centralId, ids, step.to, at, ...(searchAgainAt ? [searchAgainAt] : [])],
  );
}

/**
 * Most deliveries take such a step right after their creation. Every change of a stop records an event, so the stops of
 * the first event still hold for the second one, and reading them costs half as much as collecting them again.
 */
const STOPS = `coalesce(
  (select created.payload -> 'stops' from events created
   where created.central_id = $1 and created.delivery_id = d.id and created.sequence = 1 and d.event_sequence = 2),
  ${deliveryStops('$1', 'd')})`;

const RECORD_STEPS = insertEventSql(
  ['central_id', 'type', 'company_id', 'delivery_id', 'sequence', 'payload', 'occurred_at', 'user_id'],
  [
    'given.event_id',
    '$1::bigint',
    eventTypeSql('delivery.status'),
    'd.company_id',
    'd.id',
    'd.event_sequence',
    `${deliveryFacts('$1', 'd', STOPS)} || given.payload || jsonb_build_object('driverName', driver.name)`,
    '$4::timestamptz',
    '$5::bigint',
  ],
  `unnest($2::bigint[], $3::jsonb[], $6::bigint[]) as given (id, payload, event_id)
  join deliveries d on d.central_id = $1 and d.id = given.id
  left join drivers driver on driver.central_id = $1 and driver.id = (given.payload ->> 'driverId')::bigint
  order by given.event_id`,
);

/** Called after `markSteps` has numbered the events, in its transaction. */
export async function recordSteps(
  tx: Tx,
  centralId: number,
  events: readonly { deliveryId: number; payload: StatusDetails }[],
  { at, by }: Actor,
): Promise<void> {
  const eventIds = await tx.newIds(centralId, 'event', events.length);
  await tx.run(RECORD_STEPS, [
    centralId,
    events.map(({ deliveryId }) => deliveryId),
    events.map(({ payload }) => JSON.stringify(payload)),
    at,
    by,
    eventIds,
  ]);
}

/** Removes the drivers, including those named by an operator. */
export async function clearDrivers(tx: Tx, centralId: number, ids: readonly number[]): Promise<void> {
  await tx`
    update deliveries set driver_id = null, driver_to_pickup_metres = 0, driver_specified = false
    where central_id = ${centralId} and id = any(${ids}::bigint[])
      and (driver_id is not null or driver_to_pickup_metres <> 0 or driver_specified)`;
}

/** The same as `clearReserved` for several deliveries. */
export async function clearReservedOf(
  tx: Tx,
  centralId: number,
  ids: readonly number[],
): Promise<Reserved[]> {
  return tx<Reserved>`
    with held as (
      select id, company_id, payment, reserved_cents from deliveries
      where central_id = ${centralId} and (id = any(${ids}::bigint[]) or grouped_into = any(${ids}::bigint[]))
        and reserved_cents > 0)
    update deliveries d set reserved_cents = 0 from held
    where d.central_id = ${centralId} and d.id = held.id
    returning held.id, held.company_id as "companyId", held.payment, held.reserved_cents as "reservedCents"`;
}
