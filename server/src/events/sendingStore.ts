import type { Tx } from '../postgres/database.ts';
import type { EventPayload, EventType } from './event.ts';
import { type Patience, type Sending, type SendingResult, withJitter } from './webhook.ts';

export interface ClaimOptions {
  holder: string;
  now: Temporal.Instant;
  heldUntil: Temporal.Instant;
  /** At the most, in all and for one endpoint. */
  most: number;
  mostPerEndpoint: number;
}

interface ClaimedRow {
  central_id: number;
  id: number;
  webhook_id: number;
  attempts: number;
  url: string;
  secret: string;
  previous_secret: string | null;
  uid: string;
  type: EventType;
  company_id: number | null;
  delivery_id: number | null;
  scheduled_id: number | null;
  sequence: number | null;
  payload: EventPayload;
  occurred_at: Temporal.Instant;
  time_zone: string;
}

/**
 * Takes due messages and holds them for a while, which no two senders can do with the same one (skip locked
 * and the hold). A message waits for all earlier ones of its subject, so order is kept; a failing endpoint
 * is given one at a time, so it costs the others nothing.
 */
export async function claimSendings(tx: Tx, options: ClaimOptions): Promise<Sending[]> {
  const { holder, now, heldUntil, most, mostPerEndpoint } = options;
  const rows = await tx<ClaimedRow>`
    with claimed as (
      update webhook_sendings s set held_until = ${heldUntil}, holder = ${holder}::uuid, attempts = attempts + 1
      from (
        select due.central_id, due.id from webhooks w cross join lateral (
          select one.central_id, one.id from webhook_sendings one
          where one.central_id = w.central_id and one.webhook_id = w.id and one.state = 'waiting'
            and one.next_attempt_at <= ${now} and (one.held_until is null or one.held_until <= ${now})
            and not exists (
              select 1 from webhook_sendings earlier
              where earlier.central_id = one.central_id and earlier.webhook_id = one.webhook_id
                and earlier.subject = one.subject and earlier.state = 'waiting'
                and earlier.event_id < one.event_id)
          order by one.next_attempt_at
          limit case when w.next_attempt_at is null then ${mostPerEndpoint}::integer else 1 end
          for update of one skip locked) due
        where w.active and w.paused_at is null
          and (w.next_attempt_at is null or w.next_attempt_at <= ${now} and not exists (
            select 1 from webhook_sendings held
            where held.central_id = w.central_id and held.webhook_id = w.id and held.state = 'waiting'
              and held.held_until > ${now}))
        limit ${most}) taken
      where s.central_id = taken.central_id and s.id = taken.id
      returning s.central_id, s.id, s.webhook_id, s.event_id, s.attempts)
    select claimed.central_id, claimed.id, claimed.webhook_id, claimed.attempts, w.url, w.secret,
      case when w.previous_secret_until > ${now} then w.previous_secret end as previous_secret,
      e.uid, e.type, e.company_id, e.delivery_id, e.scheduled_id, e.sequence, e.payload, e.occurred_at,
      c.time_zone
    from claimed
    join webhooks w on w.central_id = claimed.central_id and w.id = claimed.webhook_id
    join events e on e.central_id = claimed.central_id and e.id = claimed.event_id
    join centrals c on c.id = claimed.central_id`;
  return rows.map(toSending);
}

const toSending = (row: ClaimedRow): Sending => ({
  centralId: row.central_id,
  id: row.id,
  webhookId: row.webhook_id,
  url: row.url,
  secrets: row.previous_secret === null ? [row.secret] : [row.secret, row.previous_secret],
  attempts: row.attempts,
  event: {
    uid: row.uid,
    type: row.type,
    companyId: row.company_id,
    deliveryId: row.delivery_id,
    scheduledId: row.scheduled_id,
    sequence: row.sequence,
    payload: row.payload,
    occurredAt: row.occurred_at,
    timeZone: row.time_zone,
  },
});

export async function markReceived(
  tx: Tx,
  sending: Sending,
  result: SendingResult,
  now: Temporal.Instant,
): Promise<void> {
  await tx`
    with sent as (
      update webhook_sendings set state = 'delivered', delivered_at = ${now}, held_until = null, holder = null,
        last_attempt_at = ${now}, last_status = ${result.status}, last_duration_ms = ${result.durationMs},
        last_answer = ${result.answer}, last_error = null
      where central_id = ${sending.centralId} and id = ${sending.id})
    update webhooks set failures = 0, failing_since = null, next_attempt_at = null
    where central_id = ${sending.centralId} and id = ${sending.webhookId} and failures > 0`;
}

/** Both the message and its endpoint wait; see webhook.ts for how long. */
export async function markNotReceived(
  tx: Tx,
  sending: Sending,
  result: SendingResult,
  patience: Patience,
  now: Temporal.Instant,
  random: () => number,
): Promise<void> {
  const pause = patience.messagePauses[sending.attempts - 1];
  const nextAttempt = pause === undefined ? null : after(now, withJitter(pause, random));
  await tx`
    update webhook_sendings set held_until = null, holder = null, last_attempt_at = ${now},
      last_status = ${result.status}, last_duration_ms = ${result.durationMs}, last_answer = ${result.answer},
      last_error = ${result.error}, next_attempt_at = coalesce(${nextAttempt}::timestamptz, next_attempt_at),
      state = case when ${nextAttempt}::timestamptz is null then 'failed' else 'waiting' end
    where central_id = ${sending.centralId} and id = ${sending.id} and state = 'waiting'`;
  const [webhook] = await tx<{ failures: number; failing_since: Temporal.Instant }>`
    update webhooks set failures = failures + 1, failing_since = coalesce(failing_since, ${now})
    where central_id = ${sending.centralId} and id = ${sending.webhookId}
    returning failures, failing_since`;
  if (!webhook || webhook.failures < patience.failingAfter) return;
  const { endpointPauses, pausedAfter } = patience;
  const place = Math.min(webhook.failures - patience.failingAfter, endpointPauses.length - 1);
  const isPaused = now.since(webhook.failing_since).total('seconds') >= pausedAfter;
  await tx`
    update webhooks set next_attempt_at = ${after(now, withJitter(endpointPauses[place]!, random))},
      paused_at = case when ${isPaused} then coalesce(paused_at, ${now}) else paused_at end
    where central_id = ${sending.centralId} and id = ${sending.webhookId}`;
}

const after = (now: Temporal.Instant, seconds: number): Temporal.Instant =>
  now.add({ milliseconds: Math.round(seconds * 1000) });
