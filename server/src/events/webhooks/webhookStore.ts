import type { Scope } from '../../centrals/caller.ts';
import { findCentralsWith } from '../../centrals/centralStore.ts';
import type { Page } from '../../platform/kernel/page.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { SecretBox } from '../../platform/kernel/secretBox.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { newId } from '../../platform/postgres/ids.ts';
import { raw, type Sql, sql } from '../../platform/postgres/sql.ts';
import type { WantedType } from '../record/event.ts';
import type { Webhook } from './webhook.ts';
import { secretOwner } from './webhook.ts';

/** Refused messages are due later than untried ones, of which there are few where an endpoint accepts messages. */
const RETRIES_SOUGHT = raw('limit 1000');

const isOf = (companyId: number | null): Sql =>
  sql`(${companyId}::bigint is null or company_id = ${companyId}) and deleted_at is null`;

const webhooksIn = ({ centralId, companyId }: Scope): Sql => sql`
  select id, company_id, url, types, active, failures, failing_since, next_attempt_at, paused_at,
    previous_secret_until, created_at, case when next_attempt_at is null then (
    select min(next_attempt_at) from (
      select m.next_attempt_at, m.last_attempt_at from webhook_messages m
      where m.central_id = ${centralId} and m.webhook_id = webhooks.id and m.state = 'waiting'
      order by m.next_attempt_at, m.event_id ${RETRIES_SOUGHT}) waiting
    where last_attempt_at is not null) end as retry_at
  from webhooks where central_id = ${centralId} and ${isOf(companyId)}`;

export const findWebhooks = (tx: Tx, scope: Scope, { limit, offset }: Page): Promise<Webhook[]> =>
  tx.rows<Webhook>`${webhooksIn(scope)} order by id limit ${limit} offset ${offset}`;

export const findWebhook = async (tx: Tx, scope: Scope, id: number): Promise<Webhook> =>
  existing(await tx.row<Webhook>`${webhooksIn(scope)} and id = ${id}`);

/** Excludes other changes of the webhook. New messages refer to its unchanging key, so they do not wait. */
export const lockWebhook = async (tx: Tx, scope: Scope, id: number): Promise<Webhook> =>
  existing(await tx.row<Webhook>`${webhooksIn(scope)} and id = ${id} for no key update`);

function existing(webhook: Webhook | undefined): Webhook {
  if (!webhook) throw new Refusal('webhook-not-found');
  return webhook;
}

/** Counts the webhooks of the same company, or of the central itself. */
export async function countWebhooks(tx: Tx, { centralId, companyId }: Scope): Promise<number> {
  const row = await tx.row<{ count: number }>`
    select count(*) from webhooks
    where central_id = ${centralId} and company_id is not distinct from ${companyId} and deleted_at is null`;
  return row!.count;
}

/** Counts active webhooks that are failing or paused. */
export async function countTroubledWebhooks(tx: Tx, { centralId, companyId }: Scope): Promise<number> {
  const row = await tx.row<{ count: number }>`
    select count(*) from webhooks
    where central_id = ${centralId} and ${isOf(companyId)} and active
      and (paused_at is not null or next_attempt_at is not null)`;
  return row!.count;
}

export interface NewWebhook {
  url: string;
  types: readonly WantedType[];
  secret: string;
}

export async function insertWebhook(
  tx: Tx,
  box: SecretBox,
  { centralId, companyId }: Scope,
  { url, types, secret }: NewWebhook,
  now: Temporal.Instant,
): Promise<number> {
  const id = await newId(tx, centralId, 'webhook');
  const sealed = box.seal(secret, secretOwner(centralId, id));
  await tx.rows`
    insert into webhooks (central_id, id, company_id, url, types, secret, created_at)
    values (${centralId}, ${id}, ${companyId}, ${url}, ${types}::text[], ${sealed}, ${now})`;
  return id;
}

// For each of the following functions the caller holds the lock of the row.

export async function markWebhook(
  tx: Tx,
  centralId: number,
  { id, url, types, active }: Pick<Webhook, 'id' | 'url' | 'types' | 'active'>,
): Promise<void> {
  await tx.rows`
    update webhooks set url = ${url}, types = ${types}::text[], active = ${active}
    where central_id = ${centralId} and id = ${id}`;
}

/** Resets all failures. */
export async function markAwake(tx: Tx, centralId: number, id: number): Promise<void> {
  await tx.rows`
    update webhooks set failures = 0, failing_since = null, next_attempt_at = null, paused_at = null
    where central_id = ${centralId} and id = ${id}`;
}

export async function markRotated(
  tx: Tx,
  centralId: number,
  { id, secret, previousSecret }: StoredSecrets,
  previousUntil: Temporal.Instant,
): Promise<void> {
  await tx.rows`
    update webhooks set previous_secret = ${previousSecret}, previous_secret_until = ${previousUntil},
      secret = ${secret}
    where central_id = ${centralId} and id = ${id}`;
}

export async function markDeleted(
  tx: Tx,
  centralId: number,
  id: number,
  now: Temporal.Instant,
): Promise<void> {
  await tx.rows`
    update webhooks set active = false, deleted_at = ${now} where central_id = ${centralId} and id = ${id}`;
}

/** The secrets as stored: encrypted, or plain if no key is configured. */
export interface StoredSecrets {
  id: number;
  secret: string;
  previousSecret: string | null;
}

/** The stored secret of a webhook whose lock the caller holds. */
export async function findStoredSecret(tx: Tx, centralId: number, id: number): Promise<string> {
  const row = await tx.row<{ secret: string }>`
    select secret from webhooks where central_id = ${centralId} and id = ${id}`;
  return row!.secret;
}

/** Centrals with secrets that are stored plainly or with an older key. */
export const findCentralsWithOldSecrets = (tx: Tx, currentPrefix: string): Promise<number[]> =>
  findCentralsWith(
    tx,
    sql`webhooks where not (starts_with(secret, ${currentPrefix}) and coalesce(starts_with(previous_secret, ${currentPrefix}), true))`,
  );

/** Locks secrets without the prefix of the current key, including those of deleted webhooks. */
export async function lockStoredSecrets(
  tx: Tx,
  centralId: number,
  currentPrefix: string,
  afterId: number,
  limit: number,
): Promise<StoredSecrets[]> {
  return tx.rows<StoredSecrets>`
    select id, secret, previous_secret from webhooks
    where central_id = ${centralId} and id > ${afterId}
      and not (starts_with(secret, ${currentPrefix}) and coalesce(starts_with(previous_secret, ${currentPrefix}), true))
    order by id limit ${limit} for no key update`;
}

/** The caller holds the locks of the rows. */
export async function markSecrets(
  tx: Tx,
  centralId: number,
  changed: readonly StoredSecrets[],
): Promise<void> {
  if (changed.length === 0) return;
  await tx.rows`
    update webhooks w set secret = given.secret, previous_secret = given.previous_secret
    from unnest(
      ${changed.map(({ id }) => id)}::bigint[], ${changed.map(({ secret }) => secret)}::text[],
      ${changed.map(({ previousSecret }) => previousSecret)}::text[]) as given (id, secret, previous_secret)
    where w.central_id = ${centralId} and w.id = given.id`;
}

/** Backlogs are counted up to this number, which bounds the cost. */
export const WAITING_COUNTED_MAX = 10_000;

/** The state of an endpoint. */
export interface WebhookStatus {
  webhook: Webhook;
  lastSuccessAt: Temporal.Instant | null;
  lastFailure: { at: Temporal.Instant; status: number | null; error: string | null } | null;
  /** Messages that wait to be sent, at most WAITING_COUNTED_MAX. */
  waiting: number;
  oldestWaitingAt: Temporal.Instant | null;
}

interface StatusRow {
  lastSuccessAt: Temporal.Instant | null;
  lastFailureAt: Temporal.Instant | null;
  lastFailureStatus: number | null;
  lastFailureError: string | null;
  waiting: number;
  oldestWaitingAt: Temporal.Instant | null;
}

/** Refuses with webhook-not-found outside the scope. */
export async function findWebhookStatus(tx: Tx, scope: Scope, id: number): Promise<WebhookStatus> {
  const webhook = await findWebhook(tx, scope, id);
  const { centralId } = scope;
  const row = await tx.row<StatusRow>`
    select w.last_failure_at, w.last_failure_status, w.last_failure_error, backlog.waiting,
      (select delivered_at from webhook_messages
        where central_id = ${centralId} and webhook_id = ${id} and delivered_at is not null
        order by delivered_at desc limit 1) as last_success_at,
      backlog.oldest_waiting_at
    from webhooks w cross join (
      select count(*) as waiting, min(occurred_at) as oldest_waiting_at from (
        select occurred_at from webhook_messages
        where central_id = ${centralId} and webhook_id = ${id} and state = 'waiting'
        order by next_attempt_at, event_id limit ${WAITING_COUNTED_MAX}) counted) backlog
    where w.central_id = ${centralId} and w.id = ${id}`;
  const { lastFailureAt: failedAt } = row!;
  return {
    webhook,
    lastSuccessAt: row!.lastSuccessAt,
    lastFailure: failedAt && {
      at: failedAt,
      status: row!.lastFailureStatus,
      error: row!.lastFailureError,
    },
    waiting: row!.waiting,
    oldestWaitingAt: row!.oldestWaitingAt,
  };
}

/** For a central that is about to be deleted: from now on nothing is sent. */
export async function stopWebhooks(tx: Tx, centralId: number): Promise<void> {
  await tx.rows`update webhooks set active = false where central_id = ${centralId} and active`;
}
