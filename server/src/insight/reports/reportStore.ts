import { toCamelCase } from '../../platform/postgres/batch.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { raw, type Sql, sql } from '../../platform/postgres/sql.ts';
import { ALL, type DayKind, type ReasonTotal } from './countDeliveries.ts';
import { RANGE_STARTS } from './spread.ts';
import { emptyTally, MEASURES, type Measure, type Tally } from './tally.ts';
import { COUNT_COLUMNS, HOUR_COUNTS } from './totalsStore.ts';

/*
 * Every statement reads the totals of the days of a bounded period through a key prefix. Its cost depends on the period
 * and on the number of companies, drivers or areas in it, never on the history.
 */

/** Days in the central's time zone, both included. */
export interface Period {
  from: string;
  to: string;
}

/** The company, driver or area that a report is about. */
export interface Subject {
  kind: DayKind;
  companyId: number;
  ofId: number;
}

export const subjectOf = (
  companyId: number | null,
  driverId: number | null,
  areaId: number | null,
): Subject => {
  if (driverId !== null) return { kind: 'driver', companyId: ALL, ofId: driverId };
  if (areaId !== null && companyId !== null) return { kind: 'company_area', companyId, ofId: areaId };
  if (areaId !== null) return { kind: 'area', companyId: ALL, ofId: areaId };
  if (companyId !== null) return { kind: 'company', companyId: ALL, ofId: companyId };
  return { kind: 'total', companyId: ALL, ofId: ALL };
};

type Row = Record<string, unknown>;

const sum = (column: string): string => `coalesce(sum(${column}), 0)::bigint as ${column}`;
const listed = (columns: readonly string[]): Sql => raw(columns.join(', '));

const COUNTS = listed(Object.values(COUNT_COLUMNS).map(sum));
const HOURS = listed(HOUR_COUNTS.map((count) => sum(COUNT_COLUMNS[count])));
const TIMES = listed(MEASURES.flatMap((measure) => [sum(`${measure}_count`), sum(`${measure}_seconds`)]));
const spreadSum = (measure: Measure): string =>
  `array[${RANGE_STARTS.map((_, index) => `sum(${measure}_spread[${index + 1}])`).join(', ')}]::integer[] as ${measure}_spread`;
const SPREADS = listed(MEASURES.map(spreadSum));

function toTally(row: Row): Tally {
  const tally = emptyTally();
  const of = (column: string): unknown => row[toCamelCase(column)];
  for (const [count, column] of Object.entries(COUNT_COLUMNS))
    tally[count as keyof typeof COUNT_COLUMNS] = (of(column) as number | undefined) ?? 0;
  for (const measure of MEASURES) {
    const durations = tally.times[measure];
    durations.count = of(`${measure}_count`) as number;
    durations.seconds = of(`${measure}_seconds`) as number;
    const spread = of(`${measure}_spread`) as (number | null)[] | undefined;
    durations.spread = (spread ?? []).map((count) => count ?? 0);
  }
  return tally;
}

const daysOf = (centralId: number, { kind, companyId, ofId }: Subject, { from, to }: Period): Sql => sql`
  from report_days
  where central_id = ${centralId} and kind = ${kind} and company_id = ${companyId} and of_id = ${ofId}
    and day between ${from} and ${to}`;

export async function sumPeriod(tx: Tx, centralId: number, subject: Subject, period: Period): Promise<Tally> {
  const row = await tx.row<Row>`select ${COUNTS}, ${TIMES}, ${SPREADS} ${daysOf(centralId, subject, period)}`;
  return toTally(row!);
}

const DAY_COLUMNS = listed([
  ...Object.values(COUNT_COLUMNS),
  ...MEASURES.flatMap((measure) => [`${measure}_count`, `${measure}_seconds`, `${measure}_spread`]),
]);

export interface Point {
  /** A day; a weekday from 1, Monday, to 7; or an hour. */
  key: string | number;
  tally: Tally;
}

const toPoint = (row: Row): Point => ({ key: row.key as string | number, tally: toTally(row) });

/** Days or weekdays without deliveries are left out. */
export async function seriesByDay(
  tx: Tx,
  centralId: number,
  subject: Subject,
  period: Period,
  by: 'day' | 'weekday',
): Promise<Point[]> {
  const days = daysOf(centralId, subject, period);
  const rows =
    by === 'day'
      ? await tx.rows<Row>`select day::text as key, ${DAY_COLUMNS} ${days} order by day`
      : await tx.rows<Row>`
          select extract(isodow from day)::integer as key, ${COUNTS}, ${TIMES}, ${SPREADS} ${days}
          group by 1 order by 1`;
  return rows.map(toPoint);
}

/** For the central, or for a company. Hours have average durations, but no distribution of durations. */
export async function seriesByHour(
  tx: Tx,
  centralId: number,
  companyId: number | null,
  { from, to }: Period,
): Promise<Point[]> {
  const rows = await tx.rows<Row>`
    select hour::integer as key, ${HOURS}, ${TIMES} from report_hours
    where central_id = ${centralId} and company_id = ${companyId ?? ALL} and day between ${from} and ${to}
    group by hour order by hour`;
  return rows.map(toPoint);
}

export interface Part {
  /** Null: no company, or outside all areas. */
  id: number | null;
  name: string | null;
  tally: Tally;
}

export type PartKind = Exclude<DayKind, 'total'>;

const NAMES = {
  company: sql`companies`,
  driver: sql`drivers`,
  area: sql`operating_areas`,
  company_area: sql`operating_areas`,
};
const TOTAL_SPREAD = raw(spreadSum('total'));

/**
 * The largest first. `onlyId`: only this one, even if it is small. Names are looked up only for the parts that are shown.
 * The whole is spread over all durations from order to hand-over.
 */
export async function listParts(
  tx: Tx,
  centralId: number,
  kind: PartKind,
  companyId: number | null,
  { from, to }: Period,
  limit: number,
  onlyId: number | null = null,
): Promise<Part[]> {
  const isWanted = onlyId === null ? sql`true` : sql`of_id = ${onlyId}`;
  const rows = await tx.rows<Row>`
    select part.*, named.name
    from (
      select of_id, ${COUNTS}, ${TIMES}, ${TOTAL_SPREAD} from report_days
      where central_id = ${centralId} and kind = ${kind} and company_id = ${companyId ?? ALL}
        and day between ${from} and ${to} and ${isWanted}
      group by of_id order by sum(finished + cancelled + not_attended) desc, of_id limit ${limit}) part
    left join ${NAMES[kind]} named on named.central_id = ${centralId} and named.id = part.of_id
    order by finished + cancelled + not_attended desc, of_id`;
  return rows.map((row) => ({
    id: (row.ofId as number) || null,
    name: row.name as string | null,
    tally: toTally(row),
  }));
}

export interface ReasonCount extends Pick<ReasonTotal, 'kind' | 'reason' | 'count'> {
  /** The name of a cancellation reason that still exists. */
  name: string | null;
}

export async function listReasons(
  tx: Tx,
  centralId: number,
  companyId: number | null,
  { from, to }: Period,
  limit: number,
): Promise<ReasonCount[]> {
  return tx.rows<ReasonCount>`
    select counted.kind, counted.reason, counted.count, named.name
    from (
      select kind, reason, sum(count)::bigint as count from report_reasons
      where central_id = ${centralId} and company_id = ${companyId ?? ALL} and day between ${from} and ${to}
      group by kind, reason order by sum(count) desc, kind, reason limit ${limit}) counted
    left join cancellation_reasons named on named.central_id = ${centralId} and counted.kind = 'cancelled'
      and named.id::text = counted.reason
    order by counted.count desc, counted.kind, counted.reason`;
}

/** Deliveries requested in the period that have not ended, through the index by status. */
export async function countStillOpen(
  tx: Tx,
  centralId: number,
  companyId: number | null,
  from: Temporal.Instant,
  until: Temporal.Instant,
): Promise<number> {
  const row = await tx.row<{ count: number }>`
    select count(*) as count from deliveries
    where central_id = ${centralId} and requested_at >= ${from} and requested_at < ${until}
      and (${companyId}::bigint is null or company_id = ${companyId})
      and status in ('awaiting_release', 'distributing', 'offered', 'pending', 'accepted', 'on_hold', 'in_progress')`;
  return row!.count;
}
