import { findCentralsWith } from '../../centrals/centralStore.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { names, sql, values } from '../../platform/postgres/sql.ts';
import type { RequestNoun } from './request.ts';

/** A price that was promised for an order. */
export interface HeldQuote {
  id: string;
  companyId: number | null;
  /** Digest of what decides price and route; see quoteOrder.ts. */
  content: Buffer;
  categoryId: number;
  tariffId: number;
  couponId: number | null;
  discountPercent: string;
  plannedMetres: number;
  plannedSeconds: number;
  grossCents: number;
  netCents: number;
  createdAt: Temporal.Instant;
  expiresAt: Temporal.Instant;
}

/** Null: nothing was ordered with it yet. */
export interface StoredQuote extends HeldQuote {
  usedAt: Temporal.Instant | null;
}

export async function insertQuote(tx: Tx, centralId: number, quote: HeldQuote): Promise<void> {
  const row = {
    central_id: centralId,
    id: quote.id,
    company_id: quote.companyId,
    content: quote.content,
    category_id: quote.categoryId,
    tariff_id: quote.tariffId,
    coupon_id: quote.couponId,
    discount_percent: quote.discountPercent,
    planned_metres: quote.plannedMetres,
    planned_seconds: quote.plannedSeconds,
    gross_cents: quote.grossCents,
    net_cents: quote.netCents,
    created_at: quote.createdAt,
    expires_at: quote.expiresAt,
  };
  await tx.write`insert into quotes (${names(row)}) values (${values(row)})`;
}

const COLUMNS = sql`id, company_id, content, category_id, tariff_id, coupon_id, discount_percent, planned_metres,
      planned_seconds, gross_cents, net_cents, created_at, expires_at, used_at`;

export const findQuote = (tx: Tx, centralId: number, id: string): Promise<StoredQuote | undefined> =>
  tx.row<StoredQuote>`
    select ${COLUMNS} from quotes where central_id = ${centralId} and id = ${id}`;

export const findQuotes = (tx: Tx, centralId: number, ids: readonly string[]): Promise<StoredQuote[]> =>
  tx.rows<StoredQuote>`
    select ${COLUMNS} from quotes where central_id = ${centralId} and id = any(${ids}::text[])`;

/** Locks quotes until the end of the transaction; returns those that are not used yet. */
export async function lockUnusedQuotes(tx: Tx, centralId: number, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>`
    select id from quotes where central_id = ${centralId} and id = any(${ids}::text[]) and used_at is null
    order by id for update`;
  return rows.map(({ id }) => id);
}

/** Marks locked quotes as used, each for a request that was inserted in this transaction. */
export async function markQuotesUsed(
  tx: Tx,
  centralId: number,
  noun: RequestNoun,
  uses: readonly { quoteId: string; requestId: number }[],
  at: Temporal.Instant,
): Promise<void> {
  if (uses.length === 0) return;
  await tx.write`
    update quotes q set used_at = ${at}, ${REQUEST_COLUMN[noun]} = given.request_id
    from unnest(${uses.map(({ quoteId }) => quoteId)}::text[], ${uses.map(({ requestId }) => requestId)}::bigint[])
      as given (id, request_id)
    where q.central_id = ${centralId} and q.id = given.id`;
}

const REQUEST_COLUMN = { delivery: sql`delivery_id`, scheduled: sql`scheduled_id` } as const;

/**
 * Marks the quote as used for a request that was inserted in this transaction; false if it is used already. The row's
 * lock makes another order wait for the end of this one and then find the quote used, so it is used once.
 */
export async function markQuoteUsed(
  tx: Tx,
  centralId: number,
  id: string,
  noun: RequestNoun,
  requestId: number,
  at: Temporal.Instant,
): Promise<boolean> {
  const row = await tx.row`
    update quotes set used_at = ${at}, ${REQUEST_COLUMN[noun]} = ${requestId}
    where central_id = ${centralId} and id = ${id} and used_at is null
    returning id`;
  return row !== undefined;
}

export const findCentralsWithOldQuotes = (tx: Tx, before: Temporal.Instant): Promise<number[]> =>
  findCentralsWith(tx, sql`quotes where created_at < ${before}`);

export async function deleteOldQuotes(
  tx: Tx,
  centralId: number,
  before: Temporal.Instant,
  limit: number,
): Promise<number> {
  const rows = await tx.rows`
    delete from quotes where central_id = ${centralId} and id in (
      select id from quotes where central_id = ${centralId} and created_at < ${before} limit ${limit})
    returning id`;
  return rows.length;
}
