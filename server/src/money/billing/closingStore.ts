import type { Scope } from '../centrals/caller.ts';
import type { Central } from '../centrals/central.ts';
import type { Page } from '../kernel/page.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { DriverEntryKind } from '../kernel/states.ts';
import type { Tx } from '../postgres/database.ts';
import { newId } from '../postgres/ids.ts';
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
  /** The names and document at the time of the closing. Null: closed before they were stored. */
  name: string;
  document: string | null;
  centralName: string | null;
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

// Within an account days never decrease, so the entries up to a day are those up to a number.
const COMPANY_SUMS = `
  select kind, kind = 'payment' as settles, sum(amount_cents)::bigint as cents, sum(gross_cents)::bigint as gross,
    count(*) as count, count(*) filter (where kind = 'delivery') as deliveries, min(number) as "fromNumber",
    max(number) as "toNumber", min(day)::text as "fromDay", max(day)::text as "toDay"
  from company_entries where central_id = $1 and company_id = $2 and number > $3 and day between $4::date and $5::date
    and number <= $6
  group by kind`;

const DRIVER_SUMS = `
  select kind, paid.id is not null as settles, sum(amount_cents)::bigint as cents, 0::bigint as gross,
    count(*) as count, count(*) filter (where kind = 'share' and reverses_id is null) as deliveries,
    min(number) as "fromNumber", max(number) as "toNumber", min(day)::text as "fromDay", max(day)::text as "toDay"
  from driver_entries e
  left join closings paid on paid.central_id = $1 and paid.driver_id = $2
    and (paid.paid_entry_id = e.id or e.id = any(paid.undone_entry_ids))
  where e.central_id = $1 and e.driver_id = $2 and e.number > $3 and e.day between $4::date and $5::date
    and e.number <= $6
  group by kind, settles`;

/** The last day and the last number of a closing. */
export interface End {
  /** ISO 8601 date, or 'infinity'. */
  toDay: string;
  toNumber?: number;
}

/**
 * Of an account with entries of a day that is still to come: the number of the last of these that was made before
 * `until`; null where there is none.
 */
export async function findEndAhead(
  tx: Tx,
  centralId: number,
  party: Party,
  { today, until }: { today: string; until: Temporal.Instant | null },
): Promise<number | null> {
  const [row] =
    'companyId' in party
      ? await tx<{ number: number | null }>`
          select max(number) as number from company_entries
          where central_id = ${centralId} and company_id = ${party.companyId} and day > ${today}::date
            and (${until}::timestamptz is null or created_at < ${until})`
      : await tx<{ number: number | null }>`
          select max(number) as number from driver_entries
          where central_id = ${centralId} and driver_id = ${party.driverId} and day > ${today}::date
            and (${until}::timestamptz is null or created_at < ${until})`;
  return row!.number;
}

/**
 * The entries that no closing has, up to a day and up to a number; null when there are none. Days follow the numbers of
 * an account and lead its index, so the condition on days avoids reading entries that are closed.
 */
export async function findOpenEntries(
  tx: Tx,
  centralId: number,
  party: Party,
  { toDay, toNumber = Number.MAX_SAFE_INTEGER }: End,
): Promise<Omit<OpenEntries, 'leftOpen'> | null> {
  const [last] = await tx<{ number: number; day: string }>`
    select coalesce(max(to_number), 0) as number, coalesce(max(to_day), '-infinity')::text as day from closings
    where central_id = ${centralId}
      and (company_id = ${companyIdOf(party)}::bigint or driver_id = ${driverIdOf(party)}::bigint)`;
  const sums = 'companyId' in party ? COMPANY_SUMS : DRIVER_SUMS;
  const id = companyIdOf(party) ?? driverIdOf(party);
  const rows = await tx.run<SumRow>(sums, [centralId, id, last!.number, last!.day, toDay, toNumber]);
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

/** The caller holds the party's account. Two unique indexes also prevent that an entry is closed twice. */
export async function insertClosing(
  tx: Tx,
  { id: centralId, name: centralName }: Pick<Central, 'id' | 'name'>,
  party: Party,
  open: Omit<OpenEntries, 'count' | 'leftOpen'>,
  { at, by }: { at: Temporal.Instant; by: number | null },
): Promise<number> {
  const id = await newId(tx, centralId, 'closing');
  await tx`
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

const CLOSING = `
  select c.id, c.company_id as "companyId", c.driver_id as "driverId", c.central_name as "centralName",
    coalesce(c.party_name, company.name, driver.name) as name,
    case when c.party_name is null then company.document else c.party_document end as document, c.from_number as "fromNumber", c.to_number as "toNumber", c.from_day::text as "fromDay",
    c.to_day::text as "toDay", c.totals, c.due_cents as "dueCents", c.created_at as "createdAt", c.paid_at as "paidAt"
  from closings c
  left join companies company on company.central_id = $1 and company.id = c.company_id
  left join drivers driver on driver.central_id = $1 and driver.id = c.driver_id
  where c.central_id = $1`;

export async function findClosing(tx: Tx, { centralId, companyId }: Scope, id: number): Promise<Closing> {
  const [closing] = await tx.run<Closing>(
    `${CLOSING} and c.id = $2 and ($3::bigint is null or c.company_id = $3)`,
    [centralId, id, companyId],
  );
  if (!closing) throw new Refusal('closing-not-found');
  return closing;
}

/** Newest first; of companies, of drivers, or of one of them. */
export const listClosings = (
  tx: Tx,
  scope: Scope,
  of: { kind: 'companies' | 'drivers' | null; companyId: number | null; driverId: number | null },
  page: Page,
): Promise<Closing[]> =>
  tx.run<Closing>(
    `${CLOSING} and ($2::bigint is null or c.company_id = $2) and ($3::bigint is null or c.driver_id = $3)
      and ($4::text is null or (c.company_id is not null) = ($4 = 'companies'))
      and ($7::bigint is null or c.company_id = $7)
     order by c.created_at desc, c.id desc limit $5 offset $6`,
    [scope.centralId, of.companyId, of.driverId, of.kind, page.limit, page.offset, scope.companyId],
  );

/** False if the closing was already paid. The caller holds the party's account. */
export async function markPaid(
  tx: Tx,
  centralId: number,
  id: number,
  entryId: number | null,
  { at, by }: { at: Temporal.Instant; by: number | null },
): Promise<boolean> {
  const rows = await tx`
    update closings set paid_at = ${at}, paid_by = ${by}, paid_entry_id = ${entryId}
    where central_id = ${centralId} and id = ${id} and paid_at is null returning id`;
  return rows.length > 0;
}

/**
 * How much of the driver's cash the payment of this closing settles: all except that of entries in no paid closing.
 * Payments of a closing, their reversals and reversals of its cash belong to that closing, whichever closing lists
 * them. The caller holds the driver's account.
 */
export async function findSettledCash(
  tx: Tx,
  centralId: number,
  driverId: number,
  closingId: number,
): Promise<number> {
  const [row] = await tx<{ cents: number }>`
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

/** Oldest first. */
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
    return tx<ClosingLine>`
      select number, day::text, kind, false as reverses, delivery_id as "deliveryId", gross_cents as "grossCents",
        amount_cents as "amountCents", null::text as note
      from company_entries
      where central_id = ${centralId} and company_id = ${companyId}
        and number between ${fromNumber} and ${toNumber} and day between ${fromDay}::date and ${toDay}::date
      order by number`;
  return tx<ClosingLine>`
    select number, day::text, kind, reverses_id is not null as reverses, delivery_id as "deliveryId",
      0 as "grossCents", amount_cents as "amountCents", note
    from driver_entries
    where central_id = ${centralId} and driver_id = ${driverId} and number between ${fromNumber} and ${toNumber}
      and day between ${fromDay}::date and ${toDay}::date
    order by number`;
}
