import type { Scope } from '../../centrals/caller.ts';
import type { Central } from '../../centrals/central.ts';
import type { Page } from '../../platform/kernel/page.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { DriverEntryKind } from '../../platform/kernel/states.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { newId } from '../../platform/postgres/ids.ts';
import { type Sql, sql } from '../../platform/postgres/sql.ts';
import type { CompanyEntryKind } from './companyEntryStore.ts';

/** Whose account is closed. */
export type Party = { companyId: number } | { driverId: number };

export type LineKind = CompanyEntryKind | DriverEntryKind;

/**
 * The sums of the entries of a closing by kind. `settled` are payments of earlier closings and their reversals, which
 * do not count towards the amount due.
 */
export type Totals = Partial<Record<LineKind | 'settled' | 'gross' | 'deliveries', number>>;

export interface Closing {
  id: number;
  companyId: number | null;
  driverId: number | null;
  /** The names and document at the time of the closing. A driver has no document. */
  name: string;
  document: string | null;
  centralName: string;
  fromNumber: number;
  toNumber: number;
  /** ISO 8601 dates. */
  fromDay: string;
  toDay: string;
  totals: Totals;
  dueCents: number;
  createdAt: Temporal.Instant;
  paidAt: Temporal.Instant | null;
}

/** The entries that could be closed now. */
export type OpenEntries = Pick<
  Closing,
  'fromNumber' | 'toNumber' | 'fromDay' | 'toDay' | 'totals' | 'dueCents'
> & {
  count: number;
  /** The number of entries up to the same day that stay open, because the closing has no room for them. */
  leftOpen: number;
};

interface SumRow {
  kind: LineKind;
  settles: boolean;
  cents: number;
  gross: number;
  count: number;
  deliveries: number;
  fromNumber: number;
  toNumber: number;
  fromDay: string;
  toDay: string;
}

const companyIdOf = (party: Party): number | null => ('companyId' in party ? party.companyId : null);
const driverIdOf = (party: Party): number | null => ('driverId' in party ? party.driverId : null);

/** The last day, and the number of the last entry, that a closing takes. */
export interface End {
  /** ISO 8601 date, or 'infinity'. */
  toDay: string;
  toNumber?: number;
}

/**
 * The number of the last entry that has a day after `today` and was made before `until`. Null: there is none. Such
 * entries exist if the clock of the service was ahead for a while.
 */
export async function findEndAhead(
  tx: Tx,
  centralId: number,
  party: Party,
  { today, until }: { today: string; until: Temporal.Instant | null },
): Promise<number | null> {
  const [row] =
    'companyId' in party
      ? await tx.rows<{ number: number | null }>`
          select max(number) as number from company_entries
          where central_id = ${centralId} and company_id = ${party.companyId} and day > ${today}::date
            and (${until}::timestamptz is null or created_at < ${until})`
      : await tx.rows<{ number: number | null }>`
          select max(number) as number from driver_entries
          where central_id = ${centralId} and driver_id = ${party.driverId} and day > ${today}::date
            and (${until}::timestamptz is null or created_at < ${until})`;
  return row!.number;
}

/**
 * The entries up to a day and a number that are in no closing. Null: there are none. In the index of an
 * account the day comes before the number, so the condition on days avoids reading entries that are closed.
 */
export async function findOpenEntries(
  tx: Tx,
  centralId: number,
  party: Party,
  { toDay, toNumber = Number.MAX_SAFE_INTEGER }: End,
): Promise<Omit<OpenEntries, 'leftOpen'> | null> {
  const last = await tx.row<{ number: number; day: string }>`
    select coalesce(max(to_number), 0) as number, coalesce(max(to_day), '-infinity')::text as day from closings
    where central_id = ${centralId}
      and (company_id = ${companyIdOf(party)}::bigint or driver_id = ${driverIdOf(party)}::bigint)`;
  // The days of an account's entries never decrease with their numbers, so all entries up to a day are those up to some
  // number.
  const isOpen = sql`e.number > ${last!.number} and e.day between ${last!.day}::date and ${toDay}::date
    and e.number <= ${toNumber}`;
  const rows =
    'companyId' in party
      ? await tx.rows<SumRow>`
          select kind, kind = 'payment' as settles, sum(amount_cents)::bigint as cents,
            sum(gross_cents)::bigint as gross, count(*) as count,
            count(*) filter (where kind = 'delivery') as deliveries, min(number) as from_number,
            max(number) as to_number, min(day)::text as from_day, max(day)::text as to_day
          from company_entries e where e.central_id = ${centralId} and e.company_id = ${party.companyId} and ${isOpen}
          group by kind`
      : await tx.rows<SumRow>`
          select kind, paid.id is not null as settles, sum(amount_cents)::bigint as cents, 0::bigint as gross,
            count(*) as count, count(*) filter (where kind = 'share' and reverses_id is null) as deliveries,
            min(number) as from_number, max(number) as to_number, min(day)::text as from_day,
            max(day)::text as to_day
          from driver_entries e
          left join closings paid on paid.central_id = ${centralId} and paid.driver_id = ${party.driverId}
            and (paid.paid_entry_id = e.id or e.id = any(paid.undone_entry_ids))
          where e.central_id = ${centralId} and e.driver_id = ${party.driverId} and ${isOpen}
          group by kind, settles`;
  if (rows.length === 0) return null;
  const totals: Totals = {};
  let dueCents = 0;
  for (const { kind, settles, cents } of rows) {
    const name = settles ? 'settled' : kind;
    totals[name] = (totals[name] ?? 0) + cents;
    if (!settles) dueCents += cents;
  }
  totals.gross = rows.reduce((sum, { gross }) => sum + gross, 0);
  totals.deliveries = rows.reduce((sum, { deliveries }) => sum + deliveries, 0);
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    fromNumber: Math.min(...rows.map((row) => row.fromNumber)),
    toNumber: Math.max(...rows.map((row) => row.toNumber)),
    fromDay: rows.map((row) => row.fromDay).toSorted()[0]!,
    toDay: rows
      .map((row) => row.toDay)
      .toSorted()
      .at(-1)!,
    totals,
    dueCents,
  };
}

/** The caller holds the lock of the party's account. Two unique indexes also prevent that an entry is closed twice. */
export async function insertClosing(
  tx: Tx,
  { id: centralId, name: centralName }: Pick<Central, 'id' | 'name'>,
  party: Party,
  open: Omit<OpenEntries, 'count' | 'leftOpen'>,
  { at, by }: { at: Temporal.Instant; by: number | null },
): Promise<number> {
  const id = await newId(tx, centralId, 'closing');
  await tx.rows`
    insert into closings (central_id, id, company_id, driver_id, from_number, to_number, from_day, to_day, totals,
      due_cents, created_at, user_id, central_name, party_name, party_document)
    select ${centralId}, ${id}, ${companyIdOf(party)}::bigint, ${driverIdOf(party)}::bigint, ${open.fromNumber},
      ${open.toNumber}, ${open.fromDay}::date, ${open.toDay}::date, ${open.totals}::jsonb, ${open.dueCents},
      ${at}::timestamptz, ${by}::bigint, ${centralName}, named.name, named.document
    from (
      select name, document from companies
      where central_id = ${centralId} and id = ${companyIdOf(party)}::bigint
      union all
      select name, null from drivers where central_id = ${centralId} and id = ${driverIdOf(party)}::bigint) named`;
  return id;
}

const closingsIn = ({ centralId, companyId }: Scope): Sql => sql`
  select c.id, c.company_id, c.driver_id, c.central_name, c.party_name as name, c.party_document as document,
    c.from_number, c.to_number, c.from_day::text as from_day, c.to_day::text as to_day, c.totals, c.due_cents,
    c.created_at, c.paid_at
  from closings c
  where c.central_id = ${centralId} and (${companyId}::bigint is null or c.company_id = ${companyId})`;

export async function findClosing(tx: Tx, scope: Scope, id: number): Promise<Closing> {
  const closing = await tx.row<Closing>`${closingsIn(scope)} and c.id = ${id}`;
  if (!closing) throw new Refusal('closing-not-found');
  return closing;
}

/** Closings of all companies, of all drivers, or of one of them, the newest first. */
export const listClosings = (
  tx: Tx,
  scope: Scope,
  {
    kind,
    companyId,
    driverId,
  }: { kind: 'companies' | 'drivers' | null; companyId: number | null; driverId: number | null },
  { limit, offset }: Page,
): Promise<Closing[]> =>
  tx.rows<Closing>`
    ${closingsIn(scope)} and (${companyId}::bigint is null or c.company_id = ${companyId})
      and (${driverId}::bigint is null or c.driver_id = ${driverId})
      and (${kind}::text is null or (c.company_id is not null) = (${kind}::text = 'companies'))
    order by c.created_at desc, c.id desc limit ${limit} offset ${offset}`;

/** Returns false if the closing was already paid. The caller holds the lock of the party's account. */
export async function markPaid(
  tx: Tx,
  centralId: number,
  id: number,
  entryId: number | null,
  { at, by }: { at: Temporal.Instant; by: number | null },
): Promise<boolean> {
  const rows = await tx.rows`
    update closings set paid_at = ${at}, paid_by = ${by}, paid_entry_id = ${entryId}
    where central_id = ${centralId} and id = ${id} and paid_at is null returning id`;
  return rows.length > 0;
}

/**
 * How much of the driver's cash the payment of this closing settles: all cash except that of entries that are open or
 * in an unpaid closing. A payment of a closing, its reversal and reversals of the closing's cash count for that
 * closing, even if a later closing lists them. The caller holds the lock of the driver's account.
 */
export async function findSettledCash(
  tx: Tx,
  centralId: number,
  driverId: number,
  closingId: number,
): Promise<number> {
  const row = await tx.row<{ cents: number }>`
    with of_driver as (
      select from_number, to_number, from_day, to_day, undone_entry_ids || paid_entry_id as payments,
        paid_at is not null or id = ${closingId} as is_paid
      from closings where central_id = ${centralId} and driver_id = ${driverId}),
    open as (
      select coalesce(min(from_number) filter (where not is_paid), max(to_number) + 1) as from_number,
        coalesce(min(from_day) filter (where not is_paid), max(to_day)) as from_day
      from of_driver)
    select greatest(0, account.cash_cents - greatest(0, coalesce((
      select sum(case when e.kind in ('collected', 'handed_in') then -e.amount_cents else 0 end - e.settled_cash_cents)
      from driver_entries e
      left join driver_entries taken on taken.central_id = ${centralId} and taken.id = e.reverses_id
        and e.kind = 'collected'
      left join of_driver paying on e.id = any(paying.payments)
      left join of_driver closed
        on coalesce(taken.number, e.number) between closed.from_number and closed.to_number
      where e.central_id = ${centralId} and e.driver_id = ${driverId}
        and e.day >= (select from_day from open) and e.number >= (select from_number from open)
        and not coalesce(paying.is_paid, closed.is_paid, false)), 0)))::bigint as cents
    from driver_accounts account where account.central_id = ${centralId} and account.driver_id = ${driverId}`;
  return row!.cents;
}

/** An entry as a statement prints it. */
export interface ClosingLine {
  number: number;
  day: string;
  kind: LineKind;
  /** Whether it reverses an earlier entry. */
  reverses: boolean;
  deliveryId: number | null;
  grossCents: number;
  amountCents: number;
  note: string | null;
}

/** The entries of a closing, the oldest first. */
export async function findClosingLines(
  tx: Tx,
  centralId: number,
  {
    companyId,
    driverId,
    fromNumber,
    toNumber,
    fromDay,
    toDay,
  }: Pick<Closing, 'companyId' | 'driverId' | 'fromNumber' | 'toNumber' | 'fromDay' | 'toDay'>,
): Promise<ClosingLine[]> {
  if (companyId !== null)
    return tx.rows<ClosingLine>`
      select number, day::text, kind, kind = 'cash' and amount_cents > 0 as reverses, delivery_id, gross_cents,
        amount_cents, null::text as note
      from company_entries
      where central_id = ${centralId} and company_id = ${companyId}
        and number between ${fromNumber} and ${toNumber} and day between ${fromDay}::date and ${toDay}::date
      order by number`;
  return tx.rows<ClosingLine>`
    select number, day::text, kind, reverses_id is not null as reverses, delivery_id,
      0 as gross_cents, amount_cents, note
    from driver_entries
    where central_id = ${centralId} and driver_id = ${driverId} and number between ${fromNumber} and ${toNumber}
      and day between ${fromDay}::date and ${toDay}::date
    order by number`;
}

const LINES_AT_ONCE = 500;

/** All entries of a closing, some at a time. A closing never changes, so no connection is held in between. */
export async function* readClosingLines(
  tx: Tx,
  centralId: number,
  closing: Parameters<typeof findClosingLines>[2],
): AsyncGenerator<ClosingLine[]> {
  // The entries of a closing have consecutive numbers.
  for (let fromNumber = closing.fromNumber; fromNumber <= closing.toNumber; fromNumber += LINES_AT_ONCE) {
    const toNumber = Math.min(closing.toNumber, fromNumber + LINES_AT_ONCE - 1);
    yield await findClosingLines(tx, centralId, { ...closing, fromNumber, toNumber });
  }
}
