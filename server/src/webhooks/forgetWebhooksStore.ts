import type { Tx } from '../postgres/database.ts';

export async function deleteGoneMessages(tx: Tx, limit: number): Promise<number> {
  const rows = await tx`
    delete from webhook_sendings where (central_id, id) in (
      select s.central_id, s.id from webhooks w
      join webhook_sendings s on s.central_id = w.central_id and s.webhook_id = w.id
      where w.deleted_at is not null limit ${limit})
    returning id`;
  return rows.length;
}

export async function deleteGoneWebhooks(tx: Tx): Promise<void> {
  await tx`
    delete from webhooks w where deleted_at is not null and not exists (
      select 1 from webhook_sendings s where s.central_id = w.central_id and s.webhook_id = w.id)`;
}
