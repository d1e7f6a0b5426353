import type { EventType } from '../events/event.ts';
import type { Page } from '../kernel/page.ts';
import type { Tx } from '../postgres/database.ts';
import type { MessageState } from './webhook.ts';

/** One line of an endpoint's message log. */
export interface LoggedMessage {
  id: number;
  uid: string;
  type: EventType;
  deliveryId: number | null;
  scheduledId: number | null;
  sequence: number | null;
  occurredAt: Temporal.Instant;
  state: MessageState;
  attempts: number;
  nextAttemptAt: Temporal.Instant;
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
  return tx<LoggedMessage>`
    select s.id, e.uid, e.type, e.delivery_id as "deliveryId", e.scheduled_id as "scheduledId", e.sequence,
      s.occurred_at as "occurredAt", s.state, s.attempts, s.next_attempt_at as "nextAttemptAt",
      s.last_attempt_at as "lastAttemptAt", s.last_status as "lastStatus",
      s.last_duration_ms as "lastDurationMs", s.last_answer as "lastAnswer", s.last_error as "lastError",
      s.delivered_at as "deliveredAt", s.replayed_at as "replayedAt"
    from (
      select * from webhook_sendings
      where central_id = ${centralId} and webhook_id = ${webhookId}
      order by occurred_at desc, id desc limit ${limit} offset ${offset}) s
    join events e on e.central_id = s.central_id and e.id = s.event_id
    order by s.occurred_at desc, s.id desc`;
}
