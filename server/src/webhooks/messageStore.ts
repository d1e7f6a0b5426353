import type { Tx } from '../postgres/database.ts';
import { EVENTS_CHANNEL, formatAnnouncement } from '../postgres/listen.ts';
import { endpointPause, nextAttempt, type RetryPolicy } from './retryPolicy.ts';
import type { AttemptResult, MessageEvent, WebhookMessage } from './webhook.ts';

export interface ClaimOptions {
  holder: string;
  now: Temporal.Instant;
  heldUntil: Temporal.Instant;
  /** How many messages are claimed at most, in all and per endpoint. */
  messagesMax: number;
  perEndpointMax: number;
}

type ClaimedRow = MessageEvent & {
  central_id: number;
  id: number;
  webhook_id: number;
  refusals: number;
  expires_at: Temporal.Instant | null;
  url: string;
  secret: string;
  previous_secret: string | null;
};

/**
 * Takes due messages and holds them for a while, which no two senders can do with the same one (skip locked
 * and the hold).
 *
 * The endpoints that have something waiting are found by leaping through an index, so neither those without
 * nor a paused one's backlog cost anything. Of each endpoint the oldest due messages are taken, as far as all
 * earlier ones of the same subject have gone, and as many as it may be given at once: a failing one gets a
 * single message. (The first of a subject is asked for as such, because a `not exists` is planned as a join, and
 * on unknown statistics that reads the whole backlog for every message.) When there is more than can be held, the endpoints with the least in flight come first, so
 * that slow ones cannot take all places.
 */
export async function claimMessages(tx: Tx, options: ClaimOptions): Promise<WebhookMessage[]> {
  const { holder, now, heldUntil, messagesMax, perEndpointMax } = options;
  const rows = await tx<ClaimedRow>`
    with recursive endpoints as (
      (select central_id, webhook_id from webhook_messages where state = 'waiting'
       order by central_id, webhook_id limit 1)
      union all
      select next.central_id, next.webhook_id from endpoints e cross join lateral (
        select s.central_id, s.webhook_id from webhook_messages s
        where s.state = 'waiting' and (s.central_id, s.webhook_id) > (e.central_id, e.webhook_id)
        order by s.central_id, s.webhook_id limit 1) next),
    ready as (
      select w.central_id, w.id, held.count as held,
        case when w.next_attempt_at is null then ${perEndpointMax}::bigint else 1 end - held.count as room
      from endpoints e
      join webhooks w on w.central_id = e.central_id and w.id = e.webhook_id
      cross join lateral (
        select count(*) from webhook_messages h
        where h.central_id = w.central_id and h.webhook_id = w.id and h.held_until > ${now}) held
      where w.active and w.paused_at is null and (w.next_attempt_at is null or w.next_attempt_at <= ${now})),
    found as (
      select due.*, ready.held + row_number() over (
        partition by ready.central_id, ready.id order by due.next_attempt_at, due.event_id) as place
      from ready cross join lateral (
        select one.central_id, one.id, one.next_attempt_at, one.event_id from webhook_messages one
        where one.central_id = ready.central_id and one.webhook_id = ready.id and one.state = 'waiting'
          and one.next_attempt_at <= ${now} and (one.held_until is null or one.held_until <= ${now})
          and one.place = (
            select first.place from webhook_messages first
            where first.central_id = one.central_id and first.webhook_id = one.webhook_id
              and first.subject = one.subject and first.state = 'waiting'
            order by first.place limit 1)
        order by one.next_attempt_at, one.event_id
        limit greatest(ready.room, 0)
        for update of one skip locked) due),
    claimed as (
      update webhook_messages s set held_until = ${heldUntil}, holder = ${holder}::uuid, attempts = s.attempts + 1
      from (select central_id, id from found order by place, next_attempt_at limit ${messagesMax}) taken
      where s.central_id = taken.central_id and s.id = taken.id
      returning s.central_id, s.id, s.webhook_id, s.event_id, s.refusals, s.expires_at)
    select claimed.central_id, claimed.id, claimed.webhook_id, claimed.refusals, claimed.expires_at, w.url, w.secret,
      case when w.previous_secret_until > ${now} then w.previous_secret end as previous_secret,
      e.uid, e.type, e.company_id as "companyId", e.delivery_id as "deliveryId", e.scheduled_id as "scheduledId",
      e.sequence, e.payload, e.occurred_at as "occurredAt", e.happened_at as "happenedAt", c.time_zone as "timeZone"
    from claimed
    join webhooks w on w.central_id = claimed.central_id and w.id = claimed.webhook_id
    join events e on e.central_id = claimed.central_id and e.id = claimed.event_id
    join centrals c on c.id = claimed.central_id`;
  return rows.map((row) => toMessage(row, holder));
}

function toMessage(row: ClaimedRow, holder: string): WebhookMessage {
  const { central_id, id, webhook_id, refusals, expires_at, url, secret, previous_secret, ...event } = row;
  return {
    centralId: central_id,
    id,
    webhookId: webhook_id,
    holder,
    url,
    storedSecrets: previous_secret === null ? [secret] : [secret, previous_secret],
    refusals,
    expiresAt: expires_at,
    event,
  };
}

/** What is too old to be sent, unless it is being sent right now. */
export async function expireMessages(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx`
    update webhook_messages s set state = 'expired', held_until = null, holder = null
    from (
      select central_id, id from webhook_messages
      where state = 'waiting' and expires_at <= ${now} and (held_until is null or held_until <= ${now})
      for update skip locked) old
    where s.central_id = old.central_id and s.id = old.id`;
}

/** Makes messages that were held but not sent free again, as if they had not been taken. */
export async function releaseMessages(
  tx: Tx,
  holder: string,
  messages: readonly WebhookMessage[],
): Promise<void> {
  await tx`
    update webhook_messages s set held_until = null, holder = null, attempts = s.attempts - 1
    from unnest(${messages.map((message) => message.centralId)}::bigint[], ${messages.map((message) => message.id)}::bigint[])
      as given (central_id, id)
    where s.central_id = given.central_id and s.id = given.id and s.holder = ${holder}::uuid`;
}

/**
 * Whoever held it: what was received was received. An endpoint that had been failing is an ordinary one again,
 * and what had been put off for its sake is due at once.
 */
export async function markReceived(
  tx: Tx,
  message: WebhookMessage,
  result: AttemptResult,
  now: Temporal.Instant,
): Promise<void> {
  const { centralId, id, webhookId } = message;
  const [endpoint] = await tx<{ was_failing: boolean }>`
    with sent as (
      update webhook_messages set state = 'delivered', delivered_at = ${now}, held_until = null, holder = null,
        last_attempt_at = ${now}, last_status = ${result.status}, last_duration_ms = ${result.durationMs},
        last_answer = ${result.answer}, last_error = null
      where central_id = ${centralId} and id = ${id} and state <> 'delivered'),
    before as (
      select next_attempt_at is not null as was_failing from webhooks
      where central_id = ${centralId} and id = ${webhookId} and failures > 0 for update),
    mended as (
      update webhooks set failures = 0, failing_since = null, next_attempt_at = null
      where central_id = ${centralId} and id = ${webhookId} and failures > 0)
    select was_failing from before`;
  if (endpoint?.was_failing) await makeDue(tx, centralId, webhookId, now);
}

/** For what becomes due without an event. Rare, so it may be a NOTIFY in the transaction itself. */
export async function wakeSenders(tx: Tx, centralId: number): Promise<void> {
  const [message] = formatAnnouncement({ centralId, toSend: true, eventIds: [] });
  await tx`select pg_notify(${EVENTS_CHANNEL}, ${message})`;
}

/** What was put off, which is never many: each has been tried before. */
export async function makeDue(
  tx: Tx,
  centralId: number,
  webhookId: number,
  now: Temporal.Instant,
): Promise<void> {
  await tx`
    update webhook_messages set next_attempt_at = ${now}
    where central_id = ${centralId} and webhook_id = ${webhookId} and state = 'waiting'
      and next_attempt_at > ${now}`;
}

/**
 * Both the message and its endpoint wait; patience.ts says how long. Of several attempts that fail together the
 * first ones make an endpoint a failing one, and the rest of them do not make it any worse. A hold that ran out
 * has no say any more.
 */
export async function markNotReceived(
  tx: Tx,
  message: WebhookMessage,
  result: AttemptResult,
  retryPolicy: RetryPolicy,
  now: Temporal.Instant,
  random: () => number,
): Promise<void> {
  const { centralId, id, webhookId, holder } = message;
  const held = await tx`
    select from webhook_messages
    where central_id = ${centralId} and id = ${id} and holder = ${holder}::uuid and state = 'waiting' for update`;
  if (held.length === 0) return;
  const failing = await countFailure(tx, centralId, webhookId, retryPolicy, now, random);
  await tx`
    update webhooks set last_failure_at = ${now}, last_failure_status = ${result.status},
      last_failure_error = ${result.error}
    where central_id = ${centralId} and id = ${webhookId}`;
  const refusals = message.refusals + (failing === null ? 1 : 0);
  const again = failing ?? nextAttempt(retryPolicy, refusals, now, random);
  await tx`
    update webhook_messages set held_until = null, holder = null, refusals = ${refusals}, last_attempt_at = ${now},
      last_status = ${result.status}, last_duration_ms = ${result.durationMs}, last_answer = ${result.answer},
      last_error = ${result.error}, next_attempt_at = coalesce(${again}::timestamptz, next_attempt_at),
      state = case when ${again}::timestamptz is null then 'failed' else 'waiting' end
    where central_id = ${centralId} and id = ${id}`;
}

/** Answers with when a failing endpoint is tried again; null for one that is none. */
async function countFailure(
  tx: Tx,
  centralId: number,
  webhookId: number,
  retryPolicy: RetryPolicy,
  now: Temporal.Instant,
  random: () => number,
): Promise<Temporal.Instant | null> {
  const [endpoint] = await tx<{
    failures: number;
    failing_since: Temporal.Instant | null;
    next_attempt_at: Temporal.Instant | null;
  }>`
    select failures, failing_since, next_attempt_at from webhooks
    where central_id = ${centralId} and id = ${webhookId} for update`;
  const { failures, failing_since: since, next_attempt_at: next } = endpoint!;
  if (next !== null && Temporal.Instant.compare(next, now) > 0) return next;
  const { nextAttemptAt, paused } = endpointPause(retryPolicy, failures + 1, since ?? now, now, random);
  await tx`
    update webhooks set failures = failures + 1, failing_since = coalesce(failing_since, ${now}),
      next_attempt_at = ${nextAttemptAt},
      paused_at = case when ${paused} then coalesce(paused_at, ${now}) else paused_at end
    where central_id = ${centralId} and id = ${webhookId}`;
  return nextAttemptAt;
}

export async function deleteGoneMessages(tx: Tx, limit: number): Promise<number> {
  const rows = await tx`
    delete from webhook_messages where (central_id, id) in (
      select s.central_id, s.id from webhooks w
      join webhook_messages s on s.central_id = w.central_id and s.webhook_id = w.id
      where w.deleted_at is not null limit ${limit})
    returning id`;
  return rows.length;
}

export async function deleteGoneWebhooks(tx: Tx): Promise<void> {
  await tx`
    delete from webhooks w where deleted_at is not null and not exists (
      select 1 from webhook_messages s where s.central_id = w.central_id and s.webhook_id = w.id)`;
}
