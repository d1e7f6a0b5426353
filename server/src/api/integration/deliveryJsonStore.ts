import type { Scope } from '../../centrals/caller.ts';
import type { Status } from '../../deliveries/deliveries/status.ts';
import type { Payment } from '../../deliveries/orders/request.ts';
import type { Page } from '../../platform/kernel/page.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import type { RowTexts } from '../../platform/postgres/rowTexts.ts';
import { joined, raw, type Sql, sql } from '../../platform/postgres/sql.ts';
import { deliveryDocuments, deliveryVersions } from '../json/deliveryJson.ts';
import { scheduledDocument } from '../json/scheduledJson.ts';

export interface DeliveryFilter {
  statuses?: readonly Status[] | undefined;
  payment?: Payment | undefined;
  driverId?: number | undefined;
  externalId?: string | undefined;
}

export interface ScheduledFilter {
  externalId?: string | undefined;
}

const LIMITS = [20, 50, 100];

const haveStatus = (statuses: readonly Status[]): Sql =>
  statuses.length === 1
    ? sql`status = ${statuses[0]}`
    : raw(`status in (${statuses.map((status) => `'${status}'`).join(', ')})`);

/**
 * The ids of a page of deliveries, newest first, and the versions of all rows in their JSON. The ids come from one
 * index alone, and only the page's rows are joined. Each combination of filters is a separate statement with its own
 * plan, so that absent filters cost nothing. The limit is part of the text: as a parameter, PostgreSQL would plan every
 * page again (measured: 7 of 18 ms). It is rounded up to one of LIMITS, because each text stays prepared in each
 * connection; the caller drops the surplus.
 */
export function deliveryPage(
  { centralId, companyId }: Pick<Scope, 'centralId' | 'companyId'>,
  { payment, driverId, statuses, externalId }: DeliveryFilter,
  { limit, offset }: Page,
): Sql {
  const conditions = [
    sql``,
    ...(companyId === null ? [] : [sql`company_id = ${companyId}`]),
    ...(payment === undefined ? [] : [sql`payment = ${payment}`]),
    ...(driverId === undefined ? [] : [sql`driver_id = ${driverId}`]),
    ...(statuses === undefined ? [] : [haveStatus(statuses)]),
    ...(externalId === undefined ? [] : [sql`external_id = ${externalId}`]),
  ];
  const most = raw(`limit ${LIMITS.find((each) => each >= limit) ?? limit}`);
  return deliveryVersions(
    centralId,
    sql`
      select id from deliveries where central_id = ${centralId}${joined(conditions, ' and ')}
      order by requested_at desc, id desc ${most} ${offset > 0 ? sql`offset ${offset}` : sql``}`,
  );
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
  scope: Scope,
  timeZone: string,
  filter: DeliveryFilter,
  page: Page,
): Promise<Buffer[]> {
  const found = await findTexts(tx, texts, scope, timeZone, deliveryPage(scope, filter, page), page.limit);
  return found.map(([, text]) => text);
}

/** The JSON texts of these deliveries. */
export async function findDeliveryTexts(
  tx: Tx,
  texts: RowTexts,
  scope: Scope,
  timeZone: string,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Buffer>> {
  const { centralId } = scope;
  const page = deliveryVersions(centralId, sql`select unnest(${ids}::bigint[]) as id`);
  const found = await findTexts(tx, texts, scope, timeZone, page, ids.length);
  return new Map(found.map(([id, text]) => [Number(id), text]));
}

async function findTexts(
  tx: Tx,
  texts: RowTexts,
  { centralId }: Scope,
  timeZone: string,
  page: Sql,
  limit: number,
): Promise<[id: string, text: Buffer][]> {
  const versions = await tx.row<VersionsRow>`${page}`;
  const stops = new Map(listOf(versions!.stops).map(splitId));
  const registers = new Set(listOf(versions!.registers));
  const deliveries = listOf(versions!.deliveries).slice(0, limit).map(splitId);
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
    const rows = await tx.rows<DocumentRow>`${deliveryDocuments(centralId, timeZone, ids)}`;
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
  return deliveries.flatMap(([id]) => {
    const text = found.get(id);
    return text ? [[id, text] as [string, Buffer]] : [];
  });
}

const ownVersions = (delivery: string, stops: string | null | undefined): string =>
  `${delivery} ${stops ?? ''}`;

const listOf = (text: string | null): string[] => (text === null ? [] : text.split(','));

function splitId(entry: string): [id: string, rest: string] {
  const space = entry.indexOf(' ');
  return [entry.slice(0, space), entry.slice(space + 1)];
}

export async function findDeliveryDocument(
  tx: Tx,
  { centralId, companyId }: Scope,
  timeZone: string,
  id: number,
): Promise<string | undefined> {
  const row = await tx.row<DocumentRow>`
    ${deliveryDocuments(centralId, timeZone, [id])}
    and (${companyId}::bigint is null or d.company_id = ${companyId})`;
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
  { externalId }: ScheduledFilter,
  { limit, offset }: Page,
): Promise<string> {
  const isOfCompany = companyId === null ? sql`` : sql`and company_id = ${companyId}`;
  const isNamed = externalId === undefined ? sql`` : sql`and external_id = ${externalId}`;
  const row = await tx.row<{ documents: string | null }>`
    with page as materialized (
      select id, requested_at from scheduled where central_id = ${centralId} ${isOfCompany} ${isNamed}
      order by requested_at desc, id desc limit ${limit} offset ${offset})
    select '[' || string_agg(written.document, ',' order by page.requested_at desc, page.id desc) || ']' as documents
    from page cross join lateral (
      select ${scheduledDocument(centralId, timeZone)} and s.id = page.id) written`;
  return row?.documents ?? '[]';
}

/** The JSON texts of these scheduled deliveries. */
export async function findScheduledTexts(
  tx: Tx,
  { centralId }: Scope,
  timeZone: string,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Buffer>> {
  const rows = await tx.rows<{ id: number; document: string }>`
    select s.id, ${scheduledDocument(centralId, timeZone)} and s.id = any(${ids}::bigint[])`;
  return new Map(rows.map(({ id, document }) => [id, Buffer.from(document)]));
}

export async function findScheduledDocument(
  tx: Tx,
  { centralId, companyId }: Scope,
  timeZone: string,
  id: number,
): Promise<string | undefined> {
  const row = await tx.row<{ document: string }>`
    select ${scheduledDocument(centralId, timeZone)}
    and s.id = ${id} and (${companyId}::bigint is null or s.company_id = ${companyId})`;
  return row?.document;
}
