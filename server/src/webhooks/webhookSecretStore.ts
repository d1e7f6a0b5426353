import type { Tx } from '../postgres/database.ts';

/** As they are in the database: encrypted, or plain where no key is configured. */
export interface StoredSecrets {
  id: number;
  secret: string;
  previousSecret: string | null;
}

/** The stored secret of a webhook whose lock the caller holds. */
export async function findStoredSecret(tx: Tx, centralId: number, id: number): Promise<string> {
  const [row] = await tx<{ secret: string }>`
    select secret from webhooks where central_id = ${centralId} and id = ${id}`;
  return row!.secret;
}

/** Those that do not begin as values of the current key do, also of webhooks that were deleted. */
export async function lockStoredSecrets(
  tx: Tx,
  centralId: number,
  currentPrefix: string,
  afterId: number,
  limit: number,
): Promise<StoredSecrets[]> {
  return tx<StoredSecrets>`
    select id, secret, previous_secret as "previousSecret" from webhooks
    where central_id = ${centralId} and id > ${afterId}
      and not (starts_with(secret, ${currentPrefix}) and coalesce(starts_with(previous_secret, ${currentPrefix}), true))
    order by id limit ${limit} for update`;
}

/** Of rows whose locks the caller holds. */
export async function markSecrets(
  tx: Tx,
  centralId: number,
  changed: readonly StoredSecrets[],
): Promise<void> {
  if (changed.length === 0) return;
  await tx`
    update webhooks w set secret = given.secret, previous_secret = given.previous_secret
    from unnest(
      ${changed.map(({ id }) => id)}::bigint[], ${changed.map(({ secret }) => secret)}::text[],
      ${changed.map(({ previousSecret }) => previousSecret)}::text[]) as given (id, secret, previous_secret)
    where w.central_id = ${centralId} and w.id = given.id`;
}
