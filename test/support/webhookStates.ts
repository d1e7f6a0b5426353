import type { TestMalote } from './malote.ts';

// States of webhooks and of their messages that take a receiver and days of failures, and what no interface shows.

/** How many messages exist for a webhook, also for one that was deleted and whose log is gone. */
export async function countMessages({ db }: TestMalote, webhookId: string): Promise<number> {
  const [row] = await db<{ count: number }>`
    select count(*) from webhook_messages where central_id = 1 and webhook_id = ${Number(webhookId)}`;
  return row!.count;
}

/** As after a day of failed attempts. */
export async function pauseWebhook(
  { db, clock }: TestMalote,
  id: string,
  { failures, since }: { failures: number; since: Temporal.Instant },
): Promise<void> {
  await db`
    update webhooks set failures = ${failures}, failing_since = ${since}, next_attempt_at = ${clock.now()},
      paused_at = ${clock.now()} where central_id = 1 and id = ${Number(id)}`;
}

/** Messages as the sender leaves them; the given ones only, or all of the webhook. */
export async function settleMessages(
  { db, clock }: TestMalote,
  webhookId: string,
  state: 'delivered' | 'failed' | 'expired',
  messageIds: readonly number[] | null = null,
): Promise<void> {
  await db`
    update webhook_messages set state = ${state},
      expires_at = case when ${state} = 'expired' then ${clock.now()}::timestamptz end
    where central_id = 1 and webhook_id = ${Number(webhookId)}
      and (${messageIds}::bigint[] is null or id = any(${messageIds}::bigint[]))`;
}

/** More delivered messages than requests could make in the time of a test. */
export async function multiplyMessages({ db }: TestMalote, webhookId: string, count: number): Promise<void> {
  await db`
    insert into webhook_messages (central_id, id, webhook_id, event_id, subject, occurred_at, state, next_attempt_at)
    select central_id, next_id(1, 'sending'), webhook_id, event_id, subject, occurred_at, 'delivered', next_attempt_at
    from (select * from webhook_messages where central_id = 1 and webhook_id = ${Number(webhookId)} limit 1) message
    cross join generate_series(1, ${count}::integer)`;
}
