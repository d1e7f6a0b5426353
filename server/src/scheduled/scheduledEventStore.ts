import type { Actor } from '../events/actor.ts';
import type { ScheduledEvent } from '../events/event.ts';
import { insertEventsSql } from '../events/eventStore.ts';
import { scheduledFacts } from '../events/factsSql.ts';
import type { Tx } from '../postgres/database.ts';

const RECORD_SCHEDULED_EVENTS = `
  with given as (
    select (e ->> 'scheduledId')::bigint as scheduled_id, e ->> 'type' as type, e -> 'payload' as payload,
      ordinality, row_number() over (partition by e ->> 'scheduledId' order by ordinality) as nth
    from jsonb_array_elements($2::jsonb) with ordinality as t (e, ordinality)),
  numbered as (
    update scheduled s set event_sequence = event_sequence + counted.events
    from (select scheduled_id, count(*) as events from given group by scheduled_id) counted
    where s.central_id = $1 and s.id = counted.scheduled_id
    returning s.*, s.event_sequence - counted.events as sequence_before)
  ${insertEventsSql(
    ['central_id', 'type', 'company_id', 'scheduled_id', 'sequence', 'payload', 'occurred_at', 'user_id'],
    `select numbered.central_id, given.type, numbered.company_id, given.scheduled_id, sequence_before + nth,
      ${scheduledFacts('numbered')} || given.payload, $3::timestamptz, $4::bigint
    from given join numbered on numbered.id = given.scheduled_id
    order by given.ordinality`,
  )}`;

/**
 * Called after the changes, in their transaction: the facts are those that the changes made. The events are
 * numbered in the order given, in one statement.
 */
export async function recordScheduledEvents(
  tx: Tx,
  centralId: number,
  events: readonly ScheduledEvent[],
  { at, by }: Actor,
): Promise<void> {
  if (events.length === 0) return;
  await tx.run(RECORD_SCHEDULED_EVENTS, [centralId, JSON.stringify(events), at, by]);
}
