import type { Scope } from '../../centrals/caller.ts';
import type { Page } from '../../platform/kernel/page.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import type { Actor, EventType, WantedType } from '../record/event.ts';
import { insertTestEvent } from '../record/testEventStore.ts';
import type { MessageState, Webhook } from './webhook.ts';

/** One line of an endpoint's message log. */
export interface LoggedMessage {
  id: number;
  uid: string;
  /** Of a test event with an example: the type of the example. */
  type: EventType;
  deliveryId: number | null;
  scheduledId: number | null;
  sequence: number | null;
  occurredAt: Temporal.Instant;
  state: MessageState;
  attempts: number;
  /** Null when its endpoint is paused or switched off. */
  nextAttemptAt: Temporal.Instant | null;
  lastAttemptAt: Temporal.Instant | null;
  lastStatus: number | null;
  lastDurationMs: number | null;
  lastAnswer: string | null;
  lastError: string | null;
  deliveredAt: Temporal.Instant | null;
  replayedAt: Temporal.Instant | null;
}

/** Newest first. The caller has checked that the webhook is in the scope. */
export async function findMessages(
  tx: Tx,
  centralId: number,
  webhookId: number,
  { limit, offset }: Page,
): Promise<LoggedMessage[]> {
  return tx.rows<LoggedMessage>`
    select s.id, e.uid,
      case when e.type = 'webhook.test' then coalesce(e.payload ->> 'sampleOf', e.type) else e.type end as type, e.delivery_id, e.scheduled_id, e.sequence,
      s.occurred_at, s.state, s.attempts,
      case when w.active and w.paused_at is null
        then greatest(s.next_attempt_at, w.next_attempt_at) end as next_attempt_at,
      s.last_attempt_at, s.last_status,
      s.last_duration_ms, s.last_answer, s.last_error,
      s.delivered_at, s.replayed_at
    from (
      select * from webhook_messages
      where central_id = ${centralId} and webhook_id = ${webhookId}
      order by occurred_at desc, id desc limit ${limit} offset ${offset}) s
    join events e on e.central_id = ${centralId} and e.id = s.event_id
    join webhooks w on w.central_id = ${centralId} and w.id = s.webhook_id
    order by s.occurred_at desc, s.id desc`;
}

/**
 * Removes the answers of receivers about some deliveries or scheduled deliveries, which may contain any data. The
 * messages themselves name no recipient (event.ts), and are deleted with their events. Positions, which have no
 * sequence and are in no index by delivery, are deleted within a day.
 */
export async function forgetReceiversAnswers(
  tx: Tx,
  centralId: number,
  { deliveries, scheduled }: { deliveries: readonly number[]; scheduled: readonly number[] },
): Promise<void> {
  await tx.rows`
    update webhook_messages set last_answer = null
    where central_id = ${centralId} and last_answer is not null and event_id in (
      select id from events where central_id = ${centralId} and delivery_id = any(${deliveries}::bigint[])
        and sequence is not null
      union all
      select id from events where central_id = ${centralId} and scheduled_id = any(${scheduled}::bigint[]))`;
}

/** Records the test event; returns the id of its message, which a trigger of the table inserts. */
export async function insertTest(
  tx: Tx,
  centralId: number,
  { id, companyId }: Webhook,
  sampleOf: WantedType | undefined,
  actor: Actor,
): Promise<number> {
  const event = await insertTestEvent(
    tx,
    centralId,
    { companyId, payload: { webhookId: id, ...(sampleOf && { sampleOf }) } },
    actor,
  );
  const message = await tx.row<{ id: number }>`
    select id from webhook_messages where central_id = ${centralId} and event_id = ${event.id}`;
  return message!.id;
}

// A replayed message waits again with the same id, and its attempts are counted from the start. A message that still
// waits is only made due. Expired messages stay expired.

/** Refuses a message outside the scope. */
export async function replayMessage(
  tx: Tx,
  { centralId, companyId }: Scope,
  id: number,
  now: Temporal.Instant,
): Promise<void> {
  const message = await tx.row<{ expiresAt: Temporal.Instant | null }>`
    select s.expires_at from webhook_messages s
    join webhooks w on w.central_id = ${centralId} and w.id = s.webhook_id and w.deleted_at is null
    where s.central_id = ${centralId} and s.id = ${id}
      and (${companyId}::bigint is null or w.company_id = ${companyId})
    for update of s`;
  if (!message) throw new Refusal('message-not-found');
  if (message.expiresAt !== null) throw new Refusal('message-outdated');
  await tx.rows`
    update webhook_messages set state = 'waiting', attempts = 0, refusals = 0, next_attempt_at = ${now}, replayed_at = ${now}
    where central_id = ${centralId} and id = ${id}`;
}

export interface ReplayRange {
  from: Temporal.Instant;
  until: Temporal.Instant;
  onlyFailed: boolean;
}

/** At most `limit`, oldest first; returns their number. The caller has checked that the webhook is in the scope. */
export async function replayRange(
  tx: Tx,
  centralId: number,
  webhookId: number,
  { from, until, onlyFailed }: ReplayRange,
  limit: number,
  now: Temporal.Instant,
): Promise<number> {
  const rows = await tx.rows`
    update webhook_messages s set state = 'waiting', attempts = 0, refusals = 0, next_attempt_at = ${now}, replayed_at = ${now}
    from (
      select central_id, id from webhook_messages
      where central_id = ${centralId} and webhook_id = ${webhookId}
        and occurred_at >= ${from} and occurred_at < ${until} and expires_at is null
        and (state = 'failed' or state = 'delivered' and not ${onlyFailed}::boolean)
      order by occurred_at, id limit ${limit}) chosen
    where s.central_id = ${centralId} and s.id = chosen.id
    returning s.id`;
  return rows.length;
}
