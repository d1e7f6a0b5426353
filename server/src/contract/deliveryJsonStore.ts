import type { Scope } from '../centrals/caller.ts';
import type { Status } from '../deliveries/status.ts';
import type { Tx } from '../postgres/database.ts';
import type { Payment } from '../requests/request.ts';
import { deliveryDocument } from '../wire/deliveryJson.ts';
import { scheduledDocument } from '../wire/scheduledJson.ts';

export interface DeliveryFilter {
  statuses?: readonly Status[] | undefined;
  payment?: Payment | undefined;
  driverId?: number | undefined;
}

/**
 * A page of deliveries as JSON text, newest first. The ids of the page come from one index alone, and only
 * its rows are joined and written. Each combination of filters is a statement of its own, so that each has
 * a plan of its own and none pays for a filter that is not there.
 *
 * $1 to $4 are the central, its time zone, limit and offset; the filters' values follow.
 */
export function deliveryPageStatement(
  scope: Pick<Scope, 'companyId'>,
  filter: DeliveryFilter,
): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const conditions = ['central_id = $1'];
  const require = (column: string, value: unknown) => {
    if (value === undefined || value === null) return;
    values.push(value);
    conditions.push(`${column} = $${values.length + 4}`);
  };
  require('company_id', scope.companyId);
  require('payment', filter.payment);
  require('driver_id', filter.driverId);
  if (filter.statuses?.length === 1) require('status', filter.statuses[0]);
  else if (filter.statuses)
    conditions.push(`status in (${filter.statuses.map((one) => `'${one}'`).join(', ')})`);
  return { text: pageStatement(conditions.join(' and ')), values };
}

const pageStatements = new Map<string, string>();

/** The text is long and the combinations are few, so each is put together once. */
function pageStatement(conditions: string): string {
  const known = pageStatements.get(conditions);
  if (known) return known;
  const text = `
    with page as materialized (
      select id, requested_at from deliveries where ${conditions}
      order by requested_at desc, id desc limit $3 offset $4)
    select '[' || string_agg(written.document, ',' order by page.requested_at desc, page.id desc) || ']' as documents
    from page cross join lateral (
      select ${deliveryDocument('$2')} where d.central_id = $1 and d.id = page.id) written`;
  pageStatements.set(conditions, text);
  return text;
}

export async function findDeliveryPage(
  tx: Tx,
  scope: Scope,
  timeZone: string,
  filter: DeliveryFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<string> {
  const { text, values } = deliveryPageStatement(scope, filter);
  const [row] = await tx.run<{ documents: string | null }>(text, [
    scope.centralId,
    timeZone,
    limit,
    offset,
    ...values,
  ]);
  return row?.documents ?? '[]';
}

const ONE = `select ${deliveryDocument('$2')}
  where d.central_id = $1 and d.id = $3 and ($4::bigint is null or d.company_id = $4)`;

export async function findDeliveryDocument(
  tx: Tx,
  scope: Scope,
  timeZone: string,
  id: number,
): Promise<string | undefined> {
  const [row] = await tx.run<{ document: string }>(ONE, [scope.centralId, timeZone, id, scope.companyId]);
  return row?.document;
}

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
