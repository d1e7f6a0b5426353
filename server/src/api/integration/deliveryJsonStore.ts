import type { Scope } from '../centrals/caller.ts';
import type { Status } from '../deliveries/status.ts';
import type { Page } from '../kernel/page.ts';
import type { Tx } from '../postgres/database.ts';
import type { RowTexts } from '../postgres/rowTexts.ts';
import type { Payment } from '../requests/request.ts';
import { deliveryDocuments, deliveryVersions } from '../wire/deliveryJson.ts';
import { scheduledDocument } from '../wire/scheduledJson.ts';

export interface DeliveryFilter {
  statuses?: readonly Status[] | undefined;
  payment?: Payment | undefined;
  driverId?: number | undefined;
}

const LIMITS = [20, 50, 100];

/**
 * The ids of a page of deliveries, newest first, and the versions of all rows in their JSON. The ids come from one
 * index alone, and only the page's rows are joined. Each combination of filters is a separate statement with its own
 * plan, so that absent filters cost nothing. The limit is part of the text: as a parameter, PostgreSQL would plan every
 * page again (measured: 7 of 18 ms). It is rounded up to one of LIMITS, because each text stays prepared in each
 * connection; the caller drops the surplus.
 *
 * $1 is the central; the filters' values and the offset, unless it is 0, follow.
 */
export function deliveryPageStatement(
  { centralId, companyId }: Pick<Scope, 'centralId' | 'companyId'>,
  filter: DeliveryFilter,
  { limit, offset }: Page,
): { text: string; values: unknown[] } {
  const values: unknown[] = [centralId];
  const conditions: string[] = [''];
  const require = (column: string, value: unknown) => {
    if (value === undefined || value === null) return;
    conditions.push(`${column} = $${values.push(value)}`);
  };
  require('company_id', companyId);
  require('payment', filter.payment);
  require('driver_id', filter.driverId);
  if (filter.statuses?.length === 1) require('status', filter.statuses[0]);
  else if (filter.statuses)
    conditions.push(`status in (${filter.statuses.map((status) => `'${status}'`).join(', ')})`);
  const skipped = offset > 0 ? `offset $${values.push(offset)}` : '';
  const page = `
    select id from deliveries where central_id = $1${conditions.join(' and ')}
    order by requested_at desc, id desc limit ${LIMITS.find((most) => most >= limit) ?? limit} ${skipped}`;
  return { text: statementOf(page), values };
}

const statements = new Map<string, string>();

/** The text is long and its variants are few, so each is composed once. */
function statementOf(page: string): string {
  const known = statements.get(page);
  if (known) return known;
  const text = deliveryVersions(page);
  statements.set(page, text);
  return text;
}

interface VersionsRow {
  deliveries: string | null;
  stops: string | null;
  registers: string | null;
}

interface DocumentRow {
  id: number;
  version: string;
  stops: string | null;
  registers: string;
  document: string;
}

/**
 * A page of deliveries, newest first, each as JSON text. Most deliveries of a page have ended and never change again,
 * so their texts are cached (rowTexts.ts), and PostgreSQL writes only new or changed ones.
 */
export async function findDeliveryPage(
  tx: Tx,
  texts: RowTexts,
  { centralId, companyId }: Scope,
  timeZone: string,
  filter: DeliveryFilter,
  page: Page,
): Promise<Buffer[]> {
  const { text, values } = deliveryPageStatement({ centralId, companyId }, filter, page);
  const [versions] = await tx.run<VersionsRow>(text, values);
  const stops = new Map(listOf(versions!.stops).map(splitId));
  const registers = new Set(listOf(versions!.registers));
  const deliveries = listOf(versions!.deliveries).slice(0, page.limit).map(splitId);
  const keyOf = (id: string) => `${id} ${centralId} ${timeZone}`;
  const found = new Map<string, Buffer>();
  const missing = (): string[] => {
    const ids: string[] = [];
    for (const [id, version] of deliveries) {
      if (found.has(id)) continue;
      const document = texts.find(keyOf(id), ownVersions(version, stops.get(id)), registers);
      if (document) found.set(id, document);
      else ids.push(id);
    }
    return ids;
  };
  const write = async (ids: readonly string[]): Promise<DocumentRow[]> => {
    const rows = await tx.run<DocumentRow>(deliveryDocuments, [centralId, timeZone, ids]);
    for (const { id, version, stops, registers, document } of rows)
      texts.keep(keyOf(String(id)), ownVersions(version, stops), registers.split(','), Buffer.from(document));
    return rows;
  };

  const absent = missing();
  if (absent.length > 0)
    await texts.makeOnce(absent.map(keyOf), async (keys) => {
      await write(keys.map((key) => splitId(key)[0]));
    });
  // Changed since, or evicted from the cache.
  const stillAbsent = absent.length > 0 ? missing() : [];
  if (stillAbsent.length > 0)
    for (const { id, document } of await write(stillAbsent)) found.set(String(id), Buffer.from(document));
  return deliveries.flatMap(([id]) => found.get(id) ?? []);
}

const ownVersions = (delivery: string, stops: string | null | undefined): string =>
  `${delivery} ${stops ?? ''}`;

const listOf = (text: string | null): string[] => (text === null ? [] : text.split(','));

function splitId(entry: string): [id: string, rest: string] {
  const space = entry.indexOf(' ');
  return [entry.slice(0, space), entry.slice(space + 1)];
}

const ONE = `${deliveryDocuments} and ($4::bigint is null or d.company_id = $4)`;

export async function findDeliveryDocument(
  tx: Tx,
  scope: Scope,
  timeZone: string,
  id: number,
): Promise<string | undefined> {
  const [row] = await tx.run<DocumentRow>(ONE, [scope.centralId, timeZone, [id], scope.companyId]);
  return row?.document;
}

/**
 * A page of scheduled deliveries as JSON text, newest first by creation, which no edit changes. As above, the ids come
 * from one index alone, and the scope of a company has a separate statement.
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
       select ${scheduledDocument('$1', '$2')} and s.id = page.id) written`,
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
    `select ${scheduledDocument('$1', '$2')}
     and s.id = $3 and ($4::bigint is null or s.company_id = $4)`,
    [scope.centralId, timeZone, id, scope.companyId],
  );
  return row?.document;
}
