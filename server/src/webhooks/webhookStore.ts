import type { Scope } from '../centrals/caller.ts';
import type { WantedType } from '../events/event.ts';
import type { Page } from '../kernel/page.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { SecretBox } from '../kernel/secretBox.ts';
import type { Tx } from '../postgres/database.ts';
import type { Webhook } from './webhook.ts';
import type { StoredSecrets } from './webhookSecretStore.ts';
import { secretOwner } from './webhookSecrets.ts';

const COLUMNS = `id, company_id as "companyId", url, types, active, failures, failing_since as "failingSince",
  next_attempt_at as "nextAttemptAt", paused_at as "pausedAt", previous_secret_until as "previousSecretUntil",
  created_at as "createdAt"`;

const IN_SIGHT = `central_id = $1 and ($2::bigint is null or company_id = $2) and deleted_at is null`;

export async function findWebhooks(tx: Tx, scope: Scope, { limit, offset }: Page): Promise<Webhook[]> {
  return tx.run<Webhook>(`select ${COLUMNS} from webhooks where ${IN_SIGHT} order by id limit $3 offset $4`, [
    scope.centralId,
    scope.companyId,
    limit,
    offset,
  ]);
}

export async function findWebhook(tx: Tx, scope: Scope, id: number): Promise<Webhook> {
  return one(
    await tx.run<Webhook>(`select ${COLUMNS} from webhooks where ${IN_SIGHT} and id = $3`, [
      scope.centralId,
      scope.companyId,
      id,
    ]),
  );
}

export async function lockWebhook(tx: Tx, scope: Scope, id: number): Promise<Webhook> {
  return one(
    await tx.run<Webhook>(`select ${COLUMNS} from webhooks where ${IN_SIGHT} and id = $3 for update`, [
      scope.centralId,
      scope.companyId,
      id,
    ]),
  );
}

function one([webhook]: readonly Webhook[]): Webhook {
  if (!webhook) throw new Refusal('webhook-not-found');
  return webhook;
}

/** Of the same company, or of the central itself. */
export async function countWebhooks(tx: Tx, { centralId, companyId }: Scope): Promise<number> {
  const [row] = await tx<{ count: number }>`
    select count(*) from webhooks
    where central_id = ${centralId} and company_id is not distinct from ${companyId} and deleted_at is null`;
  return row!.count;
}

/** Those that take no messages at the moment though they should. */
export async function countTroubledWebhooks(tx: Tx, { centralId, companyId }: Scope): Promise<number> {
  const [row] = await tx.run<{ count: number }>(
    `select count(*) from webhooks
     where ${IN_SIGHT} and active and (paused_at is not null or next_attempt_at is not null)`,
    [centralId, companyId],
  );
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
  // The id comes first, because the secret is encrypted for it.
  const [row] = await tx<{ id: number }>`select next_id(${centralId}, 'webhook') as id`;
  const { id } = row!;
  const sealed = box.seal(secret, secretOwner(centralId, id));
  await tx`
    insert into webhooks (central_id, id, company_id, url, types, secret, created_at)
    values (${centralId}, ${id}, ${companyId}, ${url}, ${types}::text[], ${sealed}, ${now})`;
  return id;
}

// Each of the following changes a row whose lock the caller holds.

export async function markWebhook(
  tx: Tx,
  centralId: number,
  { id, url, types, active }: Pick<Webhook, 'id' | 'url' | 'types' | 'active'>,
): Promise<void> {
  await tx`
    update webhooks set url = ${url}, types = ${types}::text[], active = ${active}
    where central_id = ${centralId} and id = ${id}`;
}

/** As if it had never failed. */
export async function markAwake(tx: Tx, centralId: number, id: number): Promise<void> {
  await tx`
    update webhooks set failures = 0, failing_since = null, next_attempt_at = null, paused_at = null
    where central_id = ${centralId} and id = ${id}`;
}

export async function markRotated(
  tx: Tx,
  centralId: number,
  { id, secret, previousSecret }: StoredSecrets,
  previousUntil: Temporal.Instant,
): Promise<void> {
  await tx`
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
  await tx`
    update webhooks set active = false, deleted_at = ${now} where central_id = ${centralId} and id = ${id}`;
}
