import { findCentralsWith } from '../../centrals/centralStore.ts';
import type { Actor } from '../../events/record/event.ts';
import { eventType, insertEvents } from '../../events/record/eventStore.ts';
import type { Page } from '../../platform/kernel/page.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { EntryKind } from '../../platform/kernel/states.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { violatedConstraint } from '../../platform/postgres/databaseErrors.ts';
import { sql } from '../../platform/postgres/sql.ts';

export type { EntryKind };

export interface NewEntry {
  companyId: number;
  kind: EntryKind;
  amountCents: number;
  deliveryId?: number;
  note?: string | null;
  userId?: number | null;
}

/**
 * Adds to the ledger and, by its trigger, to the balance, and records the events, in one statement. Each wallet's row is
 * locked until the end of the transaction, in the order of the entries, and its check refuses an overdraft, so two
 * reserves can never spend the same credit. Returns the ids of the entries.
 */
export async function insertEntries(
  tx: Tx,
  centralId: number,
  entries: readonly NewEntry[],
  { at, by }: Actor,
): Promise<number[]> {
  if (entries.length === 0) return [];
  const [ids, eventIds] = await Promise.all([
    tx.newIds(centralId, 'entry', entries.length),
    tx.newIds(centralId, 'event', entries.length),
  ]);
  try {
    await tx.rows`
      with entries as (
        insert into wallet_entries (central_id, id, company_id, kind, amount_cents, delivery_id, note, user_id,
          created_at)
        select ${centralId}, (${ids}::bigint[])[ordinality], (entry ->> 'companyId')::bigint, entry ->> 'kind',
          (entry ->> 'amountCents')::bigint, (entry ->> 'deliveryId')::bigint, entry ->> 'note',
          (entry ->> 'userId')::bigint, ${at}::timestamptz
        from jsonb_array_elements(${JSON.stringify(entries)}::jsonb) with ordinality as t (entry, ordinality)
        order by ordinality
        returning *)
      ${insertEvents(
        ['central_id', 'type', 'company_id', 'sequence', 'payload', 'occurred_at', 'user_id'],
        eventIds,
        sql`select central_id, ${eventType('wallet.entry')}, company_id, number,
            jsonb_build_object('entryId', id, 'kind', kind, 'amountCents', amount_cents, 'deliveryId', delivery_id,
              'balanceCents', balance_after_cents), ${at}::timestamptz, ${by}::bigint
          from entries`,
      )}`;
    return ids;
  } catch (error) {
    if (violatedConstraint(error) === 'wallets_not_overdrawn') throw new Refusal('insufficient-balance');
    throw error;
  }
}

export async function insertWallet(tx: Tx, centralId: number, companyId: number): Promise<void> {
  await tx.rows`insert into wallets (central_id, company_id) values (${centralId}, ${companyId})`;
}

/** Empty wallets for all companies of a central that have none. */
export async function insertMissingWallets(tx: Tx, centralId: number): Promise<void> {
  await tx.rows`
    insert into wallets (central_id, company_id)
    select ${centralId}::bigint, id from companies where central_id = ${centralId}
    on conflict do nothing`;
}

export async function findBalance(tx: Tx, centralId: number, companyId: number): Promise<number> {
  const row = await tx.row<{ balanceCents: number }>`
    select balance_cents from wallets where central_id = ${centralId} and company_id = ${companyId}`;
  return row?.balanceCents ?? 0;
}

/**
 * Locks the wallet until the end of the transaction, so that no other transaction can spend the returned balance
 * meanwhile.
 */
export async function lockBalance(tx: Tx, centralId: number, companyId: number): Promise<number> {
  const row = await tx.row<{ balanceCents: number }>`
    select balance_cents from wallets where central_id = ${centralId} and company_id = ${companyId} for update`;
  return row?.balanceCents ?? 0;
}

export interface Entry {
  id: number;
  kind: EntryKind;
  amountCents: number;
  balanceAfterCents: number;
  deliveryId: number | null;
  note: string | null;
  userId: number | null;
  createdAt: Temporal.Instant;
}

/** The balance and some of its entries at the same moment. */
export interface Statement {
  balanceCents: number;
  entries: Entry[];
}

/**
 * Newest first, in the order in which the wallet was locked: the balance after an entry is the one before it plus the
 * amount. One statement, so that the newest entry and the balance agree even with concurrent entries.
 */
export async function findStatement(
  tx: Tx,
  centralId: number,
  companyId: number,
  page: Page,
): Promise<Statement> {
  const rows = await tx.rows<{ balanceCents: number } & Entry>`
    select w.balance_cents, e.* from wallets w left join lateral (
      select id, kind, amount_cents, balance_after_cents,
        delivery_id, note, user_id, created_at
      from wallet_entries where central_id = ${centralId} and company_id = ${companyId}
      order by number desc limit ${page.limit} offset ${page.offset}) e on true
    where w.central_id = ${centralId} and w.company_id = ${companyId}`;
  const entries = rows.filter(({ id }) => id !== null).map(({ balanceCents: _balance, ...entry }) => entry);
  return { balanceCents: rows[0]?.balanceCents ?? 0, entries };
}

export const findCentralsWithOldNotes = (
  tx: Tx,
  centralIds: readonly number[],
  before: Temporal.Instant,
): Promise<number[]> =>
  findCentralsWith(
    tx,
    sql`wallet_entries where central_id = any(${centralIds}::bigint[]) and note is not null and created_at < ${before}`,
  );

/** Removes notes, which may name people. Nothing else of an entry can be changed. */
export async function removeOldNotes(
  tx: Tx,
  centralId: number,
  before: Temporal.Instant,
  limit: number,
): Promise<number> {
  const rows = await tx.rows`
    update wallet_entries set note = null where central_id = ${centralId} and id in (
      select id from wallet_entries
      where central_id = ${centralId} and note is not null and created_at < ${before}
      order by created_at, id limit ${limit})
    returning id`;
  return rows.length;
}

/** Removes notes that contain these digits, with any punctuation. */
export async function removeNotesNaming(tx: Tx, centralId: number, digits: string): Promise<number> {
  const rows = await tx.rows`
    update wallet_entries set note = null
    where central_id = ${centralId} and note is not null
      and regexp_replace(note, '\\D', '', 'g') like '%' || ${digits} || '%'
    returning id`;
  return rows.length;
}

export interface Balance {
  companyId: number;
  balanceCents: number;
}

/**
 * Locks the balances of several companies until the end of the transaction, so that no other transaction can spend
 * them. Locks are taken in the order of their keys, so that two such calls never deadlock.
 */
export async function lockBalances(
  tx: Tx,
  centralId: number,
  companyIds: readonly number[],
): Promise<Balance[]> {
  return tx.rows<Balance>`
    select company_id, balance_cents from wallets
    where central_id = ${centralId} and company_id = any(${companyIds}::bigint[])
    order by company_id for update`;
}

/** Locks wallets without waiting: those that another transaction holds are left out. */
export async function lockFreeBalances(
  tx: Tx,
  centralId: number,
  companyIds: readonly number[],
): Promise<Balance[]> {
  return tx.rows<Balance>`
    select company_id, balance_cents from wallets
    where central_id = ${centralId} and company_id = any(${companyIds}::bigint[])
    order by company_id for update skip locked`;
}
