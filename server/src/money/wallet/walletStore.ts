import type { Actor, WalletEvent } from '../events/event.ts';
import { eventTypeSql, insertEventsSql } from '../events/eventStore.ts';
import type { Page } from '../kernel/page.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { EntryKind } from '../kernel/states.ts';
import type { Tx } from '../postgres/database.ts';
import { violatedConstraint } from '../postgres/databaseErrors.ts';
import { newId } from '../postgres/ids.ts';

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
 * Adds to the ledger and, by its trigger, to the balance. The wallet's row is locked until the end of the
 * transaction and its check refuses an overdraft, so two reserves can never spend the same credit.
 */
export async function insertEntry(
  tx: Tx,
  centralId: number,
  entry: NewEntry,
  now: Temporal.Instant,
): Promise<number> {
  const id = await newId(tx, centralId, 'entry');
  try {
    await tx`
      insert into wallet_entries (central_id, id, company_id, kind, amount_cents, delivery_id, note, user_id, created_at)
      values (${centralId}, ${id}, ${entry.companyId}, ${entry.kind},
        ${entry.amountCents}, ${entry.deliveryId}, ${entry.note}, ${entry.userId}, ${now})`;
    return id;
  } catch (error) {
    if (violatedConstraint(error) === 'wallets_not_overdrawn') throw new Refusal('insufficient-balance');
    throw error;
  }
}

/** SQL that opens the wallet of each company in `companies`, rows with central_id and id. */
export const insertWalletsSql = (companies: string): string =>
  `insert into wallets (central_id, company_id) select central_id, id from ${companies}`;

export async function findBalance(tx: Tx, centralId: number, companyId: number): Promise<number> {
  const [row] = await tx<{ balance_cents: number }>`
    select balance_cents from wallets where central_id = ${centralId} and company_id = ${companyId}`;
  return row?.balance_cents ?? 0;
}

/**
 * Locks the wallet until the end of the transaction, so that no other transaction can spend the returned balance
 * meanwhile.
 */
export async function lockBalance(tx: Tx, centralId: number, companyId: number): Promise<number> {
  const [row] = await tx<{ balance_cents: number }>`
    select balance_cents from wallets where central_id = ${centralId} and company_id = ${companyId} for update`;
  return row?.balance_cents ?? 0;
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
  const rows = await tx<{ balance_cents: number } & Entry>`
    select w.balance_cents, e.* from wallets w left join lateral (
      select id, kind, amount_cents as "amountCents", balance_after_cents as "balanceAfterCents",
        delivery_id as "deliveryId", note, user_id as "userId", created_at as "createdAt"
      from wallet_entries where central_id = ${centralId} and company_id = ${companyId}
      order by number desc limit ${page.limit} offset ${page.offset}) e on true
    where w.central_id = ${centralId} and w.company_id = ${companyId}`;
  const entries = rows.filter(({ id }) => id !== null).map(({ balance_cents: _balance, ...entry }) => entry);
  return { balanceCents: rows[0]?.balance_cents ?? 0, entries };
}

export async function findCentralsWithOldNotes(
  tx: Tx,
  centralIds: readonly number[],
  before: Temporal.Instant,
): Promise<number[]> {
  const rows = await tx<{ central_id: number }>`
    select distinct central_id from wallet_entries
    where central_id = any(${centralIds}::bigint[]) and note is not null and created_at < ${before}`;
  return rows.map((row) => row.central_id);
}

/** Removes notes, which may name people. Nothing else of an entry can be changed. */
export async function removeOldNotes(
  tx: Tx,
  centralId: number,
  before: Temporal.Instant,
  limit: number,
): Promise<number> {
  const rows = await tx`
    update wallet_entries set note = null where central_id = ${centralId} and id in (
      select id from wallet_entries
      where central_id = ${centralId} and note is not null and created_at < ${before}
      order by created_at, id limit ${limit})
    returning id`;
  return rows.length;
}

/** Removes notes that contain these digits, with any punctuation. */
export async function removeNotesNaming(tx: Tx, centralId: number, digits: string): Promise<number> {
  const rows = await tx`
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
  return tx<Balance>`
    select company_id as "companyId", balance_cents as "balanceCents" from wallets
    where central_id = ${centralId} and company_id = any(${companyIds}::bigint[])
    order by company_id for update`;
}

export interface Reservation {
  companyId: number;
  deliveryId: number;
  cents: number;
}

/** Inserts the reserves of new deliveries and their events in one statement. */
export async function insertReserves(
  tx: Tx,
  centralId: number,
  reservations: readonly Reservation[],
  now: Temporal.Instant,
): Promise<void> {
  if (reservations.length === 0) return;
  const [entryIds, eventIds] = await Promise.all([
    tx.newIds(centralId, 'entry', reservations.length),
    tx.newIds(centralId, 'event', reservations.length),
  ]);
  await tx.run(INSERT_RESERVES, [centralId, now, JSON.stringify(reservations), entryIds, eventIds]);
}

const INSERT_RESERVES = `
  with entries as (
    insert into wallet_entries (central_id, id, company_id, kind, amount_cents, delivery_id, created_at)
    select $1, ($4::bigint[])[ordinality], (r ->> 'companyId')::bigint, 'reserve', -(r ->> 'cents')::bigint,
      (r ->> 'deliveryId')::bigint, $2::timestamptz
    from jsonb_array_elements($3::jsonb) with ordinality as t (r, ordinality)
    order by ordinality
    returning *)
  ${insertEventsSql(
    ['central_id', 'type', 'company_id', 'sequence', 'payload', 'occurred_at'],
    '$5',
    `select central_id, ${eventTypeSql('wallet.entry')}, company_id, number,
      jsonb_build_object('entryId', id, 'kind', kind, 'amountCents', amount_cents, 'deliveryId', delivery_id,
        'balanceCents', balance_after_cents), $2::timestamptz
    from entries`,
  )}`;

const RECORD_WALLET_EVENT = insertEventsSql(
  ['central_id', 'type', 'company_id', 'sequence', 'payload', 'occurred_at', 'user_id'],
  '$7',
  `select $1::bigint, $3::text, $2::bigint, wallet.entry_count,
    jsonb_build_object('balanceCents', wallet.balance_cents) || $4::jsonb, $5::timestamptz, $6::bigint
  from wallets wallet where wallet.central_id = $1 and wallet.company_id = $2`,
);

/**
 * Called after the entry, whose transaction holds the wallet's lock: the balance is the one after that entry, and the
 * sequence its number in the ledger. It is sent with the next statement or with the commit.
 */
export async function recordWalletEvent(
  tx: Tx,
  centralId: number,
  { companyId, type, payload }: WalletEvent,
  { at, by }: Actor,
): Promise<void> {
  const ids = await tx.newIds(centralId, 'event', 1);
  await tx.defer(RECORD_WALLET_EVENT, centralId, companyId, type, payload, at, by, ids);
}
