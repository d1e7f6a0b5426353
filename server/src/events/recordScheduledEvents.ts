import type { Tx } from '../postgres/database.ts';
import type { Actor } from './actor.ts';
import type { EventPayload, EventType } from './event.ts';
import { scheduledFacts } from './factsSql.ts';

export interface ScheduledEvent {
  scheduledId: number;
  type: EventType;
  payload: EventPayload;
}

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
  insert into events (central_id, id, type, company_id, scheduled_id, sequence, payload, occurred_at, user_id)
  select $1, next_id($1, 'event'), told.type, told.company_id, told.scheduled_id, told.sequence, told.payload,
    $3::timestamptz, $4::bigint
  from (
    select given.type, numbered.company_id, given.scheduled_id, sequence_before + nth as sequence,
      ${scheduledFacts('numbered')} || given.payload as payload
    from given join numbered on numbered.id = given.scheduled_id
    order by given.ordinality) told`;

/** recordScheduledEvent for several at once, numbered in the order given, in one statement. */
export async function recordScheduledEvents(
  tx: Tx,
  centralId: number,
  events: readonly ScheduledEvent[],
  { at, by }: Actor,
): Promise<void> {
  if (events.length === 0) return;
  await tx.run(RECORD_SCHEDULED_EVENTS, [centralId, JSON.stringify(events), at, by]);
}
