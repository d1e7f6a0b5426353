import { findCentralsWith } from '../../centrals/centralStore.ts';
import type { Actor } from '../../events/record/event.ts';
import { eventType, insertEvents } from '../../events/record/eventStore.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { DriverEntryKind } from '../../platform/kernel/states.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { refuseViolations } from '../../platform/postgres/databaseErrors.ts';
import { newId } from '../../platform/postgres/ids.ts';
import { names, type Sql, sql, values } from '../../platform/postgres/sql.ts';
import type { ShareRule, StopsDone } from '../pricing/share.ts';

export interface NewDriverEntry {
  driverId: number;
  kind: DriverEntryKind;
  /** Positive is owed to the driver. */
  amountCents: number;
  deliveryId: number | null;
  stopId?: number | null;
  reversesId?: number | null;
  /** Cash that need not be handed in any more. A negative amount reverses that. */
  settledCashCents?: number;
  note?: string | null;
}

/** The time zone that decides the day of an entry. */
export interface EntryDay {
  timeZone: string;
}

/**
 * Adds to a driver's ledger and, by its trigger, to the account and to the totals of the day, and records the event.
 *
 * The account's row is locked until the end of the transaction, so that balances follow entry by entry. Accounts are
 * locked after everything else, also after wallets: a transaction with this lock locks no delivery, driver or wallet.
 */
export async function insertDriverEntry(
  tx: Tx,
  centralId: number,
  day: EntryDay,
  entry: NewDriverEntry,
  actor: Actor,
): Promise<number> {
  const id = await newId(tx, centralId, 'driver_entry');
  const inserted = tx.rows`${await recordedEntry(tx, centralId, id, day, entry, actor)}`;
  await refuseViolations(inserted, {
    driver_accounts_cash_not_negative: () => new Refusal('cash-not-held'),
    driver_entries_one_reversal: () => new Refusal('entry-reversed'),
    driver_entries_delivery_fkey: () => new Refusal('delivery-not-found'),
  });
  return id;
}

/** Enters earnings of a delivery. They cannot violate a constraint, so the entry is sent with the commit. */
export async function deferDriverEntry(
  tx: Tx,
  centralId: number,
  day: EntryDay,
  entry: NewDriverEntry & { kind: 'share' | 'collected' },
  actor: Actor,
): Promise<void> {
  const id = await newId(tx, centralId, 'driver_entry');
  await tx.write`${await recordedEntry(tx, centralId, id, day, entry, actor)}`;
}

/** The entry and its event. */
async function recordedEntry(
  tx: Tx,
  centralId: number,
  id: number,
  { timeZone }: EntryDay,
  entry: NewDriverEntry,
  { at, by }: Actor,
): Promise<Sql> {
  const eventIds = await tx.newIds(centralId, 'event', 1);
  const row = {
    central_id: centralId,
    id,
    driver_id: entry.driverId,
    kind: entry.kind,
    amount_cents: entry.amountCents,
    day: localDay(at, timeZone).toString(),
    delivery_id: entry.deliveryId,
    stop_id: entry.stopId ?? null,
    reverses_id: entry.reversesId ?? null,
    note: entry.note ?? null,
    settled_cash_cents: entry.settledCashCents ?? 0,
    user_id: by,
    created_at: at,
  };
  return sql`
    with entry as (insert into driver_entries (${names(row)}) values (${values(row)}) returning *)
    ${insertEvents(
      ['central_id', 'type', 'sequence', 'payload', 'occurred_at', 'user_id'],
      eventIds,
      sql`select entry.central_id, ${eventType('driver.entry')}, entry.number,
          jsonb_build_object('driverId', driver.id, 'driverName', driver.name, 'entryId', entry.id,
            'kind', entry.kind, 'amountCents', entry.amount_cents, 'deliveryId', entry.delivery_id,
            'reversesId', entry.reverses_id, 'balanceCents', entry.balance_after_cents,
            'cashCents', entry.cash_after_cents),
          entry.created_at, entry.user_id
        from entry join drivers driver on driver.central_id = ${centralId} and driver.id = entry.driver_id`,
    )}`;
}

export const localDay = (at: Temporal.Instant, timeZone: string): Temporal.PlainDate =>
  at.toZonedDateTimeISO(timeZone).toPlainDate();

/** The values from which the share of an ended delivery is computed. */
export interface ShareTerms {
  /** Agreed at the acceptance; null: not accepted, or accepted before shares existed. */
  rule: ShareRule | null;
  grossCents: number;
  metres: number;
  stops: number;
  /** The total amount to collect from recipients of orders in cash. */
  collectCents: number;
  /** Whether any stop was handed over. */
  isDelivered: boolean;
  /** Whether the cash of an order in cash was recorded, and so entered, at a stop. */
  isRecorded: boolean;
  /** The number of deliveries that end: this one and those grouped into it. */
  deliveries: number;
  /** The number of stops that each driver concluded, if the delivery was reassigned on the way. */
  done: StopsDone[] | null;
}

/** The caller holds the delivery's lock. */
export async function findShareTerms(tx: Tx, centralId: number, deliveryId: number): Promise<ShareTerms> {
  const terms = await tx.row<ShareTerms>`
    select d.share as rule, d.gross_cents, d.planned_metres as metres, stop.count as stops,
      stop.collect as collect_cents, stop.delivered > 0 as is_delivered, stop.recorded > 0 as is_recorded, (
        select count(*) from deliveries part
        where part.central_id = ${centralId} and (part.id = d.id or part.grouped_into = d.id)) as deliveries, (
        select json_agg(json_build_object('driverId', done.driver_id, 'stops', done.stops) order by done.driver_id)
        from (
          select coalesce(s.concluded_by, d.driver_id) as driver_id, count(*) as stops from stops s
          where s.central_id = ${centralId} and s.delivery_id = d.id and s.concluded_at is not null
          group by 1) done) as done
    from deliveries d, lateral (
      select count(*) as count,
        coalesce(sum(s.collect_cents) filter (where origin.payment = 'cash'), 0)::bigint as collect,
        count(*) filter (where s.concluded_at is not null and not s.not_delivered) as delivered,
        count(s.received_cents) filter (where origin.payment = 'cash') as recorded
      from stops s
      join deliveries origin on origin.central_id = ${centralId} and origin.id = s.ordered_with
      where s.central_id = ${centralId} and s.delivery_id = d.id) stop
    where d.central_id = ${centralId} and d.id = ${deliveryId}`;
  return terms!;
}

/**
 * Locks a driver's account until the end of the transaction. Totals of days are locked only under this lock.
 */
export async function lockAccount(tx: Tx, centralId: number, driverId: number): Promise<void> {
  await tx.write`
    insert into driver_accounts (central_id, driver_id) values (${centralId}, ${driverId}) on conflict do nothing`;
  await tx.write`
    select 1 from driver_accounts where central_id = ${centralId} and driver_id = ${driverId} for update`;
}

/** Adds finished deliveries to the totals of the day. The caller holds the account. */
export async function addFinished(
  tx: Tx,
  centralId: number,
  driverId: number,
  day: Temporal.PlainDate,
  deliveries: number,
): Promise<void> {
  await tx.write`
    insert into driver_days as known (central_id, driver_id, day, deliveries)
    values (${centralId}, ${driverId}, ${day.toString()}::date, ${deliveries})
    on conflict (central_id, driver_id, day) do update set deliveries = known.deliveries + excluded.deliveries`;
}

export interface DriverEntry {
  id: number;
  number: number;
  kind: DriverEntryKind;
  amountCents: number;
  balanceAfterCents: number;
  cashAfterCents: number;
  /** ISO 8601 date. */
  day: string;
  deliveryId: number | null;
  reversesId: number | null;
  note: string | null;
  userId: number | null;
  createdAt: Temporal.Instant;
}

export interface Account {
  balanceCents: number;
  cashCents: number;
}

/** Days are ISO 8601 dates, both included. */
export interface StatementPeriod {
  from: string | null;
  to: string | null;
  /** Only entries with smaller numbers; null: from the newest. */
  before: number | null;
  limit: number;
}

/**
 * Newest first, in the order in which the account was locked. The days of entries never decrease, so the index finds a
 * period however many entries follow it.
 */
export async function findDriverEntries(
  tx: Tx,
  centralId: number,
  driverId: number,
  { from, to, before, limit }: StatementPeriod,
): Promise<DriverEntry[]> {
  return tx.rows<DriverEntry>`
    select id, number, kind, amount_cents, balance_after_cents,
      cash_after_cents, day::text, delivery_id, reverses_id, note,
      user_id, created_at
    from driver_entries
    where central_id = ${centralId} and driver_id = ${driverId}
      and day >= coalesce(${from}::date, '-infinity') and day <= coalesce(${to}::date, 'infinity')
      and number < coalesce(${before}::bigint, 9223372036854775807)
    order by day desc, number desc limit ${limit}`;
}

export async function findAccount(tx: Tx, centralId: number, driverId: number): Promise<Account> {
  const account = await tx.row<Account>`
    select balance_cents, cash_cents from driver_accounts
    where central_id = ${centralId} and driver_id = ${driverId}`;
  return account ?? { balanceCents: 0, cashCents: 0 };
}

export interface Earned {
  deliveries: number;
  earnedCents: number;
  collectedCents: number;
}

export interface Earnings extends Account {
  today: Earned;
  week: Earned;
}

/** Reads the account's row and at most seven days, so the cost does not grow with a driver's history. */
export async function findEarnings(
  tx: Tx,
  centralId: number,
  driverId: number,
  today: Temporal.PlainDate,
): Promise<Earnings> {
  const monday = today.subtract({ days: today.dayOfWeek - 1 });
  const row = await tx.row<Omit<Earnings, 'today' | 'week'> & Record<string, number>>`
    select coalesce(max(account.balance_cents), 0) as balance_cents,
      coalesce(max(account.cash_cents), 0) as cash_cents,
      coalesce(sum(d.deliveries), 0)::bigint as week_deliveries,
      coalesce(sum(d.earned_cents), 0)::bigint as week_earned,
      coalesce(sum(d.collected_cents), 0)::bigint as week_collected,
      coalesce(sum(d.deliveries) filter (where d.day = ${today.toString()}::date), 0)::bigint as today_deliveries,
      coalesce(sum(d.earned_cents) filter (where d.day = ${today.toString()}::date), 0)::bigint as today_earned,
      coalesce(sum(d.collected_cents) filter (where d.day = ${today.toString()}::date), 0)::bigint as today_collected
    from (select 1) once
    left join driver_accounts account on account.central_id = ${centralId} and account.driver_id = ${driverId}
    left join driver_days d on d.central_id = ${centralId} and d.driver_id = ${driverId}
      and d.day between ${monday.toString()}::date and ${today.toString()}::date`;
  const { balanceCents, cashCents } = row!;
  const earned = (of: 'today' | 'week'): Earned => ({
    deliveries: row![`${of}Deliveries`]!,
    earnedCents: row![`${of}Earned`]!,
    collectedCents: row![`${of}Collected`]!,
  });
  return { balanceCents, cashCents, today: earned('today'), week: earned('week') };
}

/** Removes notes, which may name people. Nothing else of an entry can be changed. */
export async function removeOldDriverNotes(
  tx: Tx,
  centralId: number,
  before: Temporal.Instant,
  limit: number,
): Promise<number> {
  const rows = await tx.rows`
    update driver_entries set note = null where central_id = ${centralId} and id in (
      select id from driver_entries
      where central_id = ${centralId} and note is not null and created_at < ${before}
      order by created_at, id limit ${limit})
    returning id`;
  return rows.length;
}

export const findCentralsWithOldDriverNotes = (
  tx: Tx,
  centralIds: readonly number[],
  before: Temporal.Instant,
): Promise<number[]> =>
  findCentralsWith(
    tx,
    sql`driver_entries where central_id = any(${centralIds}::bigint[]) and note is not null and created_at < ${before}`,
  );

/** Removes notes that contain these digits, with any punctuation. */
export async function removeDriverNotesNaming(tx: Tx, centralId: number, digits: string): Promise<number> {
  const rows = await tx.rows`
    update driver_entries set note = null
    where central_id = ${centralId} and note is not null
      and regexp_replace(note, '\\D', '', 'g') like '%' || ${digits} || '%'
    returning id`;
  return rows.length;
}
