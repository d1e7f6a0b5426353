import type { Tx } from '../../platform/postgres/database.ts';
import { raw, type Sql } from '../../platform/postgres/sql.ts';
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

const addedCounts = (table: string, columns: readonly string[]): string[] =>
  columns.map((column) => `${column} = ${table}.${column} + excluded.${column}`);

const typed = (columns: readonly string[], type: string): string[] =>
  columns.map((column) => `${column} ${type}`);

const listed = (texts: readonly string[]): Sql => raw(texts.join(', '));

const DAYS = {
  columns: listed([...dayColumns, ...spreadColumns]),
  typed: listed([...typed(dayColumns, 'bigint'), ...typed(spreadColumns, 'integer[]')]),
  added: listed([
    ...addedCounts('report_days', dayColumns),
    ...spreadColumns.map((column) => `${column} = ${addedSpread('report_days', column)}`),
  ]),
};
const HOURS = {
  columns: listed(hourColumns),
  typed: listed(typed(hourColumns, 'bigint')),
  added: listed(addedCounts('report_hours', hourColumns)),
};

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
  if (dayRows.length > 0)
    await tx.write`
      insert into report_days (central_id, kind, company_id, day, of_id, ${DAYS.columns})
      select ${centralId}::bigint, kind, company_id, day, of_id, ${DAYS.columns}
      from json_to_recordset(${JSON.stringify(dayRows)}::json)
        as added (kind text, company_id bigint, day date, of_id bigint, ${DAYS.typed})
      on conflict (central_id, kind, company_id, day, of_id) do update set ${DAYS.added}`;
  if (hourRows.length > 0)
    await tx.write`
      insert into report_hours (central_id, company_id, day, hour, ${HOURS.columns})
      select ${centralId}::bigint, company_id, day, hour, ${HOURS.columns}
      from json_to_recordset(${JSON.stringify(hourRows)}::json)
        as added (company_id bigint, day date, hour smallint, ${HOURS.typed})
      on conflict (central_id, company_id, day, hour) do update set ${HOURS.added}`;
  if (reasonRows.length > 0)
    await tx.write`
      insert into report_reasons (central_id, company_id, day, kind, reason, count)
      select ${centralId}::bigint, company_id, day, kind, reason, count
      from json_to_recordset(${JSON.stringify(reasonRows)}::json)
        as added (company_id bigint, day date, kind text, reason text, count integer)
      on conflict (central_id, company_id, day, kind, reason) do update set
        count = report_reasons.count + excluded.count`;
}

export interface ReportState {
  countedTo: number;
  isComplete: boolean;
}

/** Centrals with deliveries to count. */
export async function findCentralsToCount(tx: Tx): Promise<number[]> {
  const rows = await tx.rows<{ centralId: number }>`
    select distinct central_id from report_queue
    union select central_id from report_states where not is_complete`;
  return rows.map(({ centralId }) => centralId);
}

/** Undefined while another process counts. A new central has no history to count. */
export async function lockState(tx: Tx, centralId: number): Promise<ReportState | undefined> {
  await tx.rows`insert into report_states (central_id) values (${centralId}) on conflict do nothing`;
  const state = await tx.row<ReportState>`
    select counted_to, is_complete from report_states
    where central_id = ${centralId} for update skip locked`;
  return state;
}

export async function saveState(
  tx: Tx,
  centralId: number,
  { countedTo, isComplete }: ReportState,
): Promise<void> {
  await tx.write`
    update report_states set counted_to = ${countedTo}, is_complete = ${isComplete}
    where central_id = ${centralId}`;
}

/** Deletes all totals of a central, so that its whole history is counted again. Waits for a running count. */
export async function forgetTotals(tx: Tx, centralId: number): Promise<void> {
  await tx.rows`
    insert into report_states (central_id, counted_to, is_complete) values (${centralId}, 0, false)
    on conflict (central_id) do update set counted_to = 0, is_complete = false`;
  await tx.rows`delete from report_days where central_id = ${centralId}`;
  await tx.rows`delete from report_hours where central_id = ${centralId}`;
  await tx.rows`delete from report_reasons where central_id = ${centralId}`;
}
