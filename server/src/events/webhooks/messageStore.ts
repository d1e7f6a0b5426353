import { findCentralsWith } from '../../centrals/centralStore.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { EVENTS_CHANNEL, formatAnnouncement } from '../../platform/postgres/listen.ts';
import { sql } from '../../platform/postgres/sql.ts';
import { endpointPause, nextAttempt, type RetryPolicy } from './retryPolicy.ts';
import type { AttemptResult, MessageEvent, WebhookMessage } from './webhook.ts';

export interface ClaimOptions {
  holder: string;
  now: Temporal.Instant;
  heldUntil: Temporal.Instant;
  /** The maximum of messages claimed, in total and per endpoint. */
  messagesMax: number;
  perEndpointMax: number;
}

type ClaimedRow = MessageEvent & {
  id: number;
  webhookId: number;
  refusals: number;
  expiresAt: Temporal.Instant | null;
  url: string;
  secret: string;
  previousSecret: string | null;
};

/**
 * Centrals with messages that can be sent now. Endpoints with waiting messages are found by a skip scan of an index, so
 * neither endpoints without messages nor the backlog of a paused one cost anything.
 */
export async function findSendingCentrals(tx: Tx, now: Temporal.Instant): Promise<number[]> {
  if (tx.isDistributed) return findSendingCentralsByEndpoint(tx, now);
  const rows = await tx.rows<{ centralId: number }>`
    with recursive endpoints as (
      (select central_id, webhook_id from webhook_messages where state = 'waiting'
       order by central_id, webhook_id limit 1)
      union all
      select next.central_id, next.webhook_id from endpoints e cross join lateral (
        select s.central_id, s.webhook_id from webhook_messages s
        where s.state = 'waiting' and (s.central_id, s.webhook_id) > (e.central_id, e.webhook_id)
        order by s.central_id, s.webhook_id limit 1) next)
    select distinct e.central_id from endpoints e
    join webhooks w on w.central_id = e.central_id and w.id = e.webhook_id
    where w.active and w.paused_at is null and (w.next_attempt_at is null or w.next_attempt_at <= ${now})
      and exists (
        select 1 from webhook_messages s
        where s.central_id = e.central_id and s.webhook_id = e.webhook_id and s.state = 'waiting'
          and s.next_attempt_at <= ${now} and (s.held_until is null or s.held_until <= ${now}))`;
  return rows.map((row) => row.centralId);
}

/** On Citus: one look-up for each endpoint, because Citus has no recursive queries over all nodes. */
async function findSendingCentralsByEndpoint(tx: Tx, now: Temporal.Instant): Promise<number[]> {
  const rows = await tx.rows<{ centralId: number }>`
    select distinct w.central_id from webhooks w
    where w.active and w.paused_at is null and (w.next_attempt_at is null or w.next_attempt_at <= ${now})
      and exists (
        select 1 from webhook_messages s
        where s.central_id = w.central_id and s.webhook_id = w.id and s.state = 'waiting'
          and s.next_attempt_at <= ${now} and (s.held_until is null or s.held_until <= ${now}))`;
  return rows.map((row) => row.centralId);
}

/**
 * Claims due messages of a central and holds them for a while. `skip locked` and the hold ensure that two senders never
 * claim the same message.
 *
 * For each endpoint the oldest due messages are taken whose predecessors of the same subject have been sent, up to the
 * endpoint's limit: a failing one gets a single message. (The query selects the first message of a subject, because a
 * `not exists` is planned as a join, which on unknown statistics reads the whole backlog for every message.) If there
 * are more messages than places, the endpoints with the fewest messages in flight come first, so that slow ones cannot
 * take all places.
 */
export async function claimMessages(
  tx: Tx,
  centralId: number,
  options: ClaimOptions,
): Promise<WebhookMessage[]> {
  const { holder, now, heldUntil, messagesMax, perEndpointMax } = options;
  const rows = await tx.rows<ClaimedRow>`
    with recursive endpoints as (
      (select webhook_id from webhook_messages where central_id = ${centralId} and state = 'waiting'
       order by webhook_id limit 1)
      union all
      select next.webhook_id from endpoints e cross join lateral (
        select s.webhook_id from webhook_messages s
        where s.central_id = ${centralId} and s.state = 'waiting' and s.webhook_id > e.webhook_id
        order by s.webhook_id limit 1) next),
    ready as (
      select w.id, held.count as held,
        case when w.next_attempt_at is null then ${perEndpointMax}::bigint else 1 end - held.count as room
      from endpoints e
      join webhooks w on w.central_id = ${centralId} and w.id = e.webhook_id
      cross join lateral (
        select count(*) from webhook_messages h
        where h.central_id = ${centralId} and h.webhook_id = w.id and h.held_until > ${now}::timestamptz) held
      where w.active and w.paused_at is null and (w.next_attempt_at is null or w.next_attempt_at <= ${now})),
    found as (
      select due.*, ready.held + row_number() over (
        partition by ready.id order by due.next_attempt_at, due.event_id) as turn
      from ready cross join lateral (
        select message.id, message.next_attempt_at, message.event_id from webhook_messages message
        where message.central_id = ${centralId} and message.webhook_id = ready.id and message.state = 'waiting'
          and message.next_attempt_at <= ${now} and (message.held_until is null or message.held_until <= ${now})
          and (message.expires_at is null or message.expires_at > ${now})
          and message.place = (
            select first.place from webhook_messages first
            where first.central_id = ${centralId} and first.webhook_id = message.webhook_id
              and first.subject = message.subject and first.state = 'waiting'
            order by first.place limit 1)
        order by message.next_attempt_at, message.event_id
        limit greatest(ready.room, 0)
        for update of message skip locked) due),
    claimed as (
      update webhook_messages s
      set held_until = ${heldUntil}::timestamptz, holder = ${holder}::uuid, attempts = s.attempts + 1
      from (select id from found order by turn, next_attempt_at limit ${messagesMax}::bigint) taken
      where s.central_id = ${centralId} and s.id = taken.id
      returning s.id, s.webhook_id, s.event_id, s.refusals, s.expires_at)
    select claimed.id, claimed.webhook_id, claimed.refusals, claimed.expires_at, w.url, w.secret,
      case when w.previous_secret_until > ${now} then w.previous_secret end as previous_secret,
      e.uid, e.type, e.company_id, e.delivery_id, e.scheduled_id, e.sequence, e.payload, e.occurred_at, e.happened_at,
      c.time_zone
    from claimed
    join webhooks w on w.central_id = ${centralId} and w.id = claimed.webhook_id
    join events e on e.central_id = ${centralId} and e.id = claimed.event_id
    join centrals c on c.id = ${centralId}`;
  return rows.map((row) => toMessage(centralId, row, holder));
}

function toMessage(centralId: number, row: ClaimedRow, holder: string): WebhookMessage {
  const { id, webhookId, refusals, expiresAt, url, secret, previousSecret, ...event } = row;
  return {
    centralId,
    id,
    webhookId,
    holder,
    url,
    storedSecrets: previousSecret === null ? [secret] : [secret, previousSecret],
    refusals,
    expiresAt,
    event,
  };
}

export const findExpiringCentrals = (tx: Tx, now: Temporal.Instant): Promise<number[]> =>
  findCentralsWith(
    tx,
    sql`webhook_messages where state = 'waiting' and expires_at <= ${now} and (held_until is null or held_until <= ${now})`,
  );

/** Expires messages that are too old, unless they are being sent. */
export async function expireMessages(tx: Tx, centralId: number, now: Temporal.Instant): Promise<void> {
  await tx.rows`
    update webhook_messages set state = 'expired', held_until = null, holder = null
    where central_id = ${centralId} and id in (
      select id from webhook_messages
      where central_id = ${centralId} and state = 'waiting' and expires_at <= ${now}
        and (held_until is null or held_until <= ${now})
      for update skip locked)`;
}

/** Releases held messages that were not sent, as if they had not been claimed. */
export async function releaseMessages(
  tx: Tx,
  centralId: number,
  holder: string,
  ids: readonly number[],
): Promise<void> {
  await tx.rows`
    update webhook_messages set held_until = null, holder = null, attempts = attempts - 1
    where central_id = ${centralId} and id = any(${ids}::bigint[]) and holder = ${holder}::uuid`;
}

/**
 * Marks a message as received, even if another sender holds it now. A failing endpoint becomes an ordinary one again,
 * and its postponed messages are due at once.
 */
export async function markReceived(
  tx: Tx,
  message: WebhookMessage,
  result: AttemptResult,
  now: Temporal.Instant,
): Promise<void> {
  const { centralId, id, webhookId } = message;
  const endpoint = await tx.row<{ wasFailing: boolean }>`
    with sent as (
      update webhook_messages set state = 'delivered', delivered_at = ${now}, held_until = null, holder = null,
        last_attempt_at = ${now}, last_status = ${result.status}, last_duration_ms = ${result.durationMs},
        last_answer = ${result.answer}, last_error = null
      where central_id = ${centralId} and id = ${id} and state <> 'delivered'),
    before as (
      select next_attempt_at is not null as was_failing from webhooks
      where central_id = ${centralId} and id = ${webhookId} and failures > 0 for no key update),
    mended as (
      update webhooks set failures = 0, failing_since = null, next_attempt_at = null
      where central_id = ${centralId} and id = ${webhookId} and failures > 0)
    select was_failing from before`;
  if (endpoint?.wasFailing) await makeDue(tx, centralId, webhookId, now);
}

/** Wakes the senders for messages that become due without an event. */
export function wakeSenders(tx: Tx, centralId: number): void {
  for (const message of formatAnnouncement({ centralId, toSend: true, eventIds: [] }))
    tx.notify(EVENTS_CHANNEL, message);
}

/** Makes postponed messages due. They are few, because each has been tried before. */
export async function makeDue(
  tx: Tx,
  centralId: number,
  webhookId: number,
  now: Temporal.Instant,
): Promise<void> {
  await tx.rows`
    update webhook_messages set next_attempt_at = ${now}
    where central_id = ${centralId} and webhook_id = ${webhookId} and state = 'waiting'
      and next_attempt_at > ${now}`;
}

/**
 * Postpones the message and its endpoint; retryPolicy.ts defines how long. Of several attempts that fail together the
 * first ones make an endpoint a failing one, and the others do not count further. The result of an expired hold is
 * ignored.
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
  const held = await tx.rows`
    select from webhook_messages
    where central_id = ${centralId} and id = ${id} and holder = ${holder}::uuid and state = 'waiting' for update`;
  if (held.length === 0) return;
  const failing = await countFailure(tx, centralId, webhookId, retryPolicy, now, random);
  await tx.rows`
    update webhooks set last_failure_at = ${now}, last_failure_status = ${result.status},
      last_failure_error = ${result.error}
    where central_id = ${centralId} and id = ${webhookId}`;
  const refusals = message.refusals + (failing === null ? 1 : 0);
  const again = failing ?? nextAttempt(retryPolicy, refusals, now, random);
  await tx.rows`
    update webhook_messages set held_until = null, holder = null, refusals = ${refusals}, last_attempt_at = ${now},
      last_status = ${result.status}, last_duration_ms = ${result.durationMs}, last_answer = ${result.answer},
      last_error = ${result.error}, next_attempt_at = coalesce(${again}::timestamptz, next_attempt_at),
      state = case when ${again}::timestamptz is null then 'failed' else 'waiting' end
    where central_id = ${centralId} and id = ${id}`;
}

/** Returns when a failing endpoint is tried again; null if it is not failing. */
async function countFailure(
  tx: Tx,
  centralId: number,
  webhookId: number,
  retryPolicy: RetryPolicy,
  now: Temporal.Instant,
  random: () => number,
): Promise<Temporal.Instant | null> {
  const endpoint = await tx.row<{
    failures: number;
    failingSince: Temporal.Instant | null;
    nextAttemptAt: Temporal.Instant | null;
  }>`
    select failures, failing_since, next_attempt_at from webhooks
    where central_id = ${centralId} and id = ${webhookId} for no key update`;
  const { failures, failingSince: since, nextAttemptAt: next } = endpoint!;
  if (next !== null && Temporal.Instant.compare(next, now) > 0) return next;
  const { nextAttemptAt, paused } = endpointPause(retryPolicy, failures + 1, since ?? now, now, random);
  await tx.rows`
    update webhooks set failures = failures + 1, failing_since = coalesce(failing_since, ${now}),
      next_attempt_at = ${nextAttemptAt},
      paused_at = case when ${paused} then coalesce(paused_at, ${now}) else paused_at end
    where central_id = ${centralId} and id = ${webhookId}`;
  return nextAttemptAt;
}

export const findCentralsWithGoneWebhooks = (tx: Tx): Promise<number[]> =>
  findCentralsWith(tx, sql`webhooks where deleted_at is not null`);

export async function deleteGoneMessages(tx: Tx, centralId: number, limit: number): Promise<number> {
  const rows = await tx.rows`
    delete from webhook_messages where central_id = ${centralId} and id in (
      select s.id from webhooks w
      join webhook_messages s on s.central_id = ${centralId} and s.webhook_id = w.id
      where w.central_id = ${centralId} and w.deleted_at is not null limit ${limit})
    returning id`;
  return rows.length;
}

export async function deleteGoneWebhooks(tx: Tx, centralId: number): Promise<void> {
  await tx.rows`
    delete from webhooks w where central_id = ${centralId} and deleted_at is not null and not exists (
      select 1 from webhook_messages s where s.central_id = ${centralId} and s.webhook_id = w.id)`;
}
