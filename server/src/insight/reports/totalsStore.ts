import type { Tx } from '../postgres/database.ts';
import type { Totals } from './countDeliveries.ts';
import { RANGE_STARTS } from './spread.ts';
import { MEASURES, type Tally } from './tally.ts';

/** The counts of a tally, by their columns. */
export const COUNT_COLUMNS = {
  finished: 'finished',
  promised: 'promised',
  onTime: 'on_time',
  cancelled: 'cancelled',
  notAttended: 'not_attended',
  stopsDelivered: 'stops_delivered',
  stopsFailed: 'stops_failed',
  grouped: 'grouped',
  savedMetres: 'saved_metres',
} as const satisfies Partial<Record<keyof Tally, string>>;

/** The counts that are also stored by hour. */
export const HOUR_COUNTS = ['finished', 'promised', 'onTime', 'cancelled', 'notAttended'] as const;

const hourColumns = [
  ...HOUR_COUNTS.map((count) => COUNT_COLUMNS[count]),
  ...MEASURES.flatMap((measure) => [`${measure}_count`, `${measure}_seconds`]),
];
const dayColumns = [
  ...Object.values(COUNT_COLUMNS),
  ...MEASURES.flatMap((measure) => [`${measure}_count`, `${measure}_seconds`]),
];
const spreadColumns = MEASURES.map((measure) => `${measure}_spread`);

/** The sum of two spreads, element by element, because PostgreSQL cannot add arrays. */
const addedSpread = (table: string, column: string): string =>
  `array[${RANGE_STARTS.map((_, index) => `${table}.${column}[${index + 1}] + excluded.${column}[${index + 1}]`).join(', ')}]`;

const addedCounts = (table: string, columns: readonly string[]): string =>
  columns.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(', ');

const typed = (columns: readonly string[], type: string): string =>
  columns.map((column) => `${column} ${type}`).join(', ');

const ADD_DAYS = `
  insert into report_days (central_id, kind, company_id, day, of_id, ${dayColumns.join(', ')}, ${spreadColumns.join(', ')})
  select $1::bigint, kind, company_id, day, of_id, ${dayColumns.join(', ')}, ${spreadColumns.join(', ')}
  from json_to_recordset($2::json) as added (kind text, company_id bigint, day date, of_id bigint,
    ${typed(dayColumns, 'bigint')}, ${typed(spreadColumns, 'integer[]')})
  on conflict (central_id, kind, company_id, day, of_id) do update set ${addedCounts('report_days', dayColumns)},
    ${spreadColumns.map((column) => `${column} = ${addedSpread('report_days', column)}`).join(', ')}`;

const ADD_HOURS = `
  insert into report_hours (central_id, company_id, day, hour, ${hourColumns.join(', ')})
  select $1::bigint, company_id, day, hour, ${hourColumns.join(', ')}
  from json_to_recordset($2::json) as added (company_id bigint, day date, hour smallint, ${typed(hourColumns, 'bigint')})
  on conflict (central_id, company_id, day, hour) do update set ${addedCounts('report_hours', hourColumns)}`;

const ADD_REASONS = `
  insert into report_reasons (central_id, company_id, day, kind, reason, count)
  select $1::bigint, company_id, day, kind, reason, count
  from json_to_recordset($2::json) as added (company_id bigint, day date, kind text, reason text, count integer)
  on conflict (central_id, company_id, day, kind, reason) do update set count = report_reasons.count + excluded.count`;

const toRow = (tally: Tally): Record<string, number | string> => ({
  ...Object.fromEntries(
    Object.entries(COUNT_COLUMNS).map(([count, column]) => [
      column,
      tally[count as keyof typeof COUNT_COLUMNS],
    ]),
  ),
  ...Object.fromEntries(
    MEASURES.flatMap((measure) => [
      [`${measure}_count`, tally.times[measure].count],
      [`${measure}_seconds`, tally.times[measure].seconds],
      [`${measure}_spread`, `{${tally.times[measure].spread.join(',')}}`],
    ]),
  ),
});

/** The caller holds the lock of the central's state, so no other transaction adds to the totals meanwhile. */
export async function addTotals(tx: Tx, centralId: number, { days, hours, reasons }: Totals): Promise<void> {
  const dayRows = days.map(({ tally, kind, companyId, day, ofId }) => ({
    ...{ kind, company_id: companyId, day, of_id: ofId },
    ...toRow(tally),
  }));
  const hourRows = hours.map(({ tally, companyId, day, hour }) => ({
    ...{ company_id: companyId, day, hour },
    ...toRow(tally),
  }));
  const reasonRows = reasons.map(({ companyId, ...rest }) => ({ ...rest, company_id: companyId }));
  if (dayRows.length > 0) await tx.defer(ADD_DAYS, centralId, JSON.stringify(dayRows));
  if (hourRows.length > 0) await tx.defer(ADD_HOURS, centralId, JSON.stringify(hourRows));
  if (reasonRows.length > 0) await tx.defer(ADD_REASONS, centralId, JSON.stringify(reasonRows));
}

export interface ReportState {
  countedTo: number;
  isComplete: boolean;
}

/** Centrals with deliveries to count. */
export async function findCentralsToCount(tx: Tx): Promise<number[]> {
  const rows = await tx<{ central_id: number }>`
    select distinct central_id from report_queue
    union select central_id from report_states where not is_complete`;
  return rows.map(({ central_id }) => central_id);
}

/** Undefined while another process counts. A new central has no history to count. */
export async function lockState(tx: Tx, centralId: number): Promise<ReportState | undefined> {
  await tx`insert into report_states (central_id) values (${centralId}) on conflict do nothing`;
  const [state] = await tx<ReportState>`
    select counted_to as "countedTo", is_complete as "isComplete" from report_states
    where central_id = ${centralId} for update skip locked`;
  return state;
}

export async function saveState(
  tx: Tx,
  centralId: number,
  { countedTo, isComplete }: ReportState,
): Promise<void> {
  await tx.defer`
    update report_states set counted_to = ${countedTo}, is_complete = ${isComplete}
    where central_id = ${centralId}`;
}

/** Deletes all totals of a central, so that its whole history is counted again. Waits for a running count. */
export async function forgetTotals(tx: Tx, centralId: number): Promise<void> {
  await tx`
    insert into report_states (central_id, counted_to, is_complete) values (${centralId}, 0, false)
    on conflict (central_id) do update set counted_to = 0, is_complete = false`;
  await tx`delete from report_days where central_id = ${centralId}`;
  await tx`delete from report_hours where central_id = ${centralId}`;
  await tx`delete from report_reasons where central_id = ${centralId}`;
}
