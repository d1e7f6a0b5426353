import type { Scope } from '../../centrals/caller.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { sql } from '../../platform/postgres/sql.ts';
import type { RequestNoun } from './request.ts';

/** An existing order with an external id. */
export interface KnownOrder {
  id: number;
  version: number;
  /** Null: its personal data was removed. */
  content: Buffer | null;
  /** It ended without being carried out. */
  isDead: boolean;
}

const TABLES = {
  delivery: { table: sql`deliveries`, isDead: sql`status in ('cancelled', 'not_attended')` },
  scheduled: { table: sql`scheduled`, isDead: sql`situation = 'cancelled'` },
} as const satisfies Record<RequestNoun, object>;

/** The one of this company; null: the one without a company. */
export function findByExternalId(
  tx: Tx,
  noun: RequestNoun,
  centralId: number,
  companyId: number | null,
  externalId: string,
): Promise<KnownOrder | undefined> {
  const { table, isDead } = TABLES[noun];
  return tx.row<KnownOrder>`
    select id, version, external_content as content, ${isDead} as is_dead from ${table}
    where central_id = ${centralId} and external_id = ${externalId} and company_id is not distinct from ${companyId}`;
}

/** Those that exist of these orders, each of its company, or without one. */
export function findManyByExternalId(
  tx: Tx,
  noun: RequestNoun,
  centralId: number,
  keys: readonly { companyId: number | null; externalId: string }[],
): Promise<(KnownOrder & { companyId: number | null; externalId: string | null })[]> {
  const { table, isDead } = TABLES[noun];
  return tx.rows<KnownOrder & { companyId: number | null; externalId: string | null }>`
    select id, version, external_content as content, ${isDead} as is_dead, company_id, external_id
    from ${table}
    where central_id = ${centralId} and external_id = any(${keys.map(({ externalId }) => externalId)}::text[])
      and coalesce(company_id, 0) = any(${keys.map(({ companyId }) => companyId ?? 0)}::bigint[])`;
}

/** At most two, which the caller may see: of one company, of those without a company (0), or of all (null). */
export async function findIdsByExternalId(
  tx: Tx,
  noun: RequestNoun,
  { centralId, companyId }: Scope,
  externalId: string,
  company: number | null,
): Promise<number[]> {
  const rows = await tx.rows<{ id: number }>`
    select id from ${TABLES[noun].table}
    where central_id = ${centralId} and external_id = ${externalId}
      and (${companyId}::bigint is null or company_id = ${companyId})
      and (${company}::bigint is null or coalesce(company_id, 0) = ${company})
    limit 2`;
  return rows.map(({ id }) => id);
}
