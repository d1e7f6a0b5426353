import type { Scope } from '../centrals/caller.ts';
import type { Tx } from '../postgres/database.ts';
import { scheduledDocument } from '../wire/scheduledJson.ts';

/**
 * A page of scheduled deliveries as JSON text, newest first by creation, which no edit changes. As in deliveryJsonStore.ts, the ids
 * come from one index alone, and who sees one company only has a statement of its own.
 */
export async function findScheduledPage(
  tx: Tx,
  { centralId, companyId }: Scope,
  timeZone: string,
  page: { limit: number; offset: number },
): Promise<string> {
  const values: unknown[] = [centralId, timeZone, page.limit, page.offset];
  if (companyId !== null) values.push(companyId);
  const [row] = await tx.run<{ documents: string | null }>(
    `with page as materialized (
       select id, requested_at from scheduled where central_id = $1 ${companyId === null ? '' : 'and company_id = $5'}
       order by requested_at desc, id desc limit $3 offset $4)
     select '[' || string_agg(written.document, ',' order by page.requested_at desc, page.id desc) || ']' as documents
     from page cross join lateral (
       select ${scheduledDocument('$2')} where s.central_id = $1 and s.id = page.id) written`,
    values,
  );
  return row?.documents ?? '[]';
}

export async function findScheduledDocument(
  tx: Tx,
  scope: Scope,
  timeZone: string,
  id: number,
): Promise<string | undefined> {
  const [row] = await tx.run<{ document: string }>(
    `select ${scheduledDocument('$2')}
     where s.central_id = $1 and s.id = $3 and ($4::bigint is null or s.company_id = $4)`,
    [scope.centralId, timeZone, id, scope.companyId],
  );
  return row?.document;
}
