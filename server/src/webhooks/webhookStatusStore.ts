import type { Scope } from '../centrals/caller.ts';
import type { Tx } from '../postgres/database.ts';
import type { Webhook } from './webhook.ts';
import { findWebhook } from './webhookStore.ts';

/** A backlog is counted up to here: the answer is the same for whoever reads it, and takes no longer. */
export const WAITING_COUNTED_MAX = 10_000;

/** How an endpoint is doing. */
export interface WebhookStatus {
  webhook: Webhook;
  lastSuccessAt: Temporal.Instant | null;
  lastFailure: { at: Temporal.Instant; status: number | null; error: string | null } | null;
  /** Messages that wait to be sent, at most WAITING_COUNTED_MAX. */
  waiting: number;
  oldestWaitingAt: Temporal.Instant | null;
}

interface StatusRow {
  last_success_at: Temporal.Instant | null;
  last_failure_at: Temporal.Instant | null;
  last_failure_status: number | null;
  last_failure_error: string | null;
  waiting: number;
  oldest_waiting_at: Temporal.Instant | null;
}

/** Refuses with webhook-not-found what is not in this scope. */
export async function findWebhookStatus(tx: Tx, scope: Scope, id: number): Promise<WebhookStatus> {
  const webhook = await findWebhook(tx, scope, id);
  const { centralId } = scope;
  const [row] = await tx<StatusRow>`
    select w.last_failure_at, w.last_failure_status, w.last_failure_error, backlog.waiting,
      (select delivered_at from webhook_sendings
        where central_id = ${centralId} and webhook_id = ${id} and delivered_at is not null
        order by delivered_at desc limit 1) as last_success_at,
      backlog.oldest_waiting_at
    from webhooks w cross join (
      select count(*) as waiting, min(occurred_at) as oldest_waiting_at from (
        select occurred_at from webhook_sendings
        where central_id = ${centralId} and webhook_id = ${id} and state = 'waiting'
        order by next_attempt_at, event_id limit ${WAITING_COUNTED_MAX}) counted) backlog
    where w.central_id = ${centralId} and w.id = ${id}`;
  const { last_failure_at: failedAt } = row!;
  return {
    webhook,
    lastSuccessAt: row!.last_success_at,
    lastFailure: failedAt && {
      at: failedAt,
      status: row!.last_failure_status,
      error: row!.last_failure_error,
    },
    waiting: row!.waiting,
    oldestWaitingAt: row!.oldest_waiting_at,
  };
}
