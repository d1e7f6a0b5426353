import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from './database.ts';
import { joined, raw, type Sql, sql } from './sql.ts';

/** The position of a row in an order: its sort value, as PostgreSQL writes it, and its number. */
export interface RowKey {
  value: string;
  number: number;
}

export interface KeyOrder {
  /** The sort key: a column, or an expression that the index contains. */
  by: string;
  type: 'timestamptz' | 'date' | 'bigint' | 'text';
  /** The unique number that orders rows with equal values. */
  number: string;
  descending: boolean;
}

/** Matches these ids, through the primary key. */
export const isAmong = (ids: readonly number[]): Sql => sql`id = any(${ids}::bigint[])`;

// A filter that is not given matches every row.

export const equalsIfGiven = (
  column: string,
  type: 'bigint' | 'boolean' | 'text',
  value: number | boolean | string | null,
): Sql => sql`(${value}::${raw(type)} is null or ${raw(column)} = ${value})`;

export const isOneIfGiven = (column: string, texts: readonly string[] | null): Sql =>
  sql`(${texts}::text[] is null or ${raw(column)} = any(${texts}::text[]))`;

/** Matches rows that contain the text, ignoring accents and case. */
export const containsIfGiven = (expression: string, text: string | null): Sql =>
  sql`(${text}::text is null or position(fold_name(${text}::text) in fold_name(${raw(expression)})) > 0)`;

export interface KeysetList {
  /** Its key begins with central_id. */
  table: string;
  order: KeyOrder;
  /**
   * Conditions on the columns that precede the order in the index; a row satisfies one of them. Several are read
   * separately and merged, so they must exclude each other. None: the index of the order is enough.
   */
  leads: readonly Sql[];
  /**
   * What the caller may see. Other rows are not even examined: the place where a search continues is that of a row, and
   * the caller learns it.
   */
  within?: Sql | null;
  /** Filters of the rows read. Their texts are the same for every request, so that few statements are prepared. */
  checks: readonly Sql[];
  /** First value, included, and end, excluded; null: unbounded. */
  from: string | null;
  until: string | null;
}

export interface Slice<Row> {
  rows: Row[];
  /** The key after which the next slice begins; null: there are no more rows. */
  next: RowKey | null;
  /** The slice is short because enough rows were examined, not because there are no more. */
  isCutShort: boolean;
}

/**
 * How many rows a request examines at most, before its filters. It bounds the work of a page by a constant: a filter
 * that hardly any row satisfies gives a short page and the key where the search continues.
 */
const EXAMINED_MAX = 5_000;

/** Texts have no lowest and highest value: their order depends on the database. */
const BEFORE_ALL = { timestamptz: '-infinity', date: '-infinity', bigint: '0', text: null } as const;
const BEHIND_ALL = {
  timestamptz: 'infinity',
  date: 'infinity',
  bigint: String(2n ** 63n - 1n),
  text: null,
} as const;

/** Keys come back from callers, so values that PostgreSQL could not read are refused first. */
const isValue: Record<KeyOrder['type'], (text: string) => boolean> = {
  timestamptz: (text) =>
    /^[12]\d{3}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/.test(text) &&
    exists(() => Temporal.PlainDateTime.from(text.slice(0, -3), { overflow: 'reject' })),
  date: (text) =>
    /^[12]\d{3}-\d\d-\d\d$/.test(text) && exists(() => Temporal.PlainDate.from(text, { overflow: 'reject' })),
  bigint: (text) => /^\d{1,18}$/.test(text),
  text: (text) => !text.includes('\0') && text.isWellFormed(),
};

function exists(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

/** Parts of the statement that reads the columns shown. `keys` selects the ids and keys of a page, used as `page`. */
export interface PageSource {
  keys: Sql;
  /** Columns to select in addition to those shown. */
  columns: Sql;
  /** The `order by` clause. */
  sorted: Sql;
}

export interface SliceRequest {
  after: RowKey | null;
  limit: number;
  examinedMax?: number;
}

interface KeyColumns {
  keyValue: string;
  keyNumber: number;
}

/**
 * Reads the rows after a key. Pages are found by keys and never by an offset: every page costs the same, and rows
 * inserted meanwhile shift no page.
 */
export async function readSlice<Row extends object>(
  tx: Tx,
  centralId: number,
  list: KeysetList,
  { after, limit, examinedMax = EXAMINED_MAX }: SliceRequest,
  select: (page: PageSource) => Sql,
): Promise<Slice<Row>> {
  if (after && !isValue[list.order.type](after.value)) throw new Refusal('cursor-not-valid');
  const { keys, examined, sorted } = keysetPieces(centralId, list, after, examinedMax);
  const page = select({
    keys: sql`${keys} ${limitTo(limit + 1)}`,
    columns: sql`page.value::text as key_value, page.number as key_number`,
    sorted,
  });
  const found = await tx.rows<Row & KeyColumns>`${page}`;
  const rows = found.slice(0, limit);
  if (found.length > limit) {
    const { keyValue, keyNumber } = rows.at(-1)!;
    return { rows, next: { value: keyValue, number: keyNumber }, isCutShort: false };
  }
  const next = list.checks.length === 0 ? null : await findExaminedEnd(tx, examined, examinedMax);
  return { rows, next, isCutShort: next !== null };
}

/** A number of the text, because the planner has to know it. */
const limitTo = (count: number): Sql => raw(`limit ${count}`);

/** The last row examined; null if there were fewer rows than the limit. */
async function findExaminedEnd(tx: Tx, examined: Sql, examinedMax: number): Promise<RowKey | null> {
  const last = raw(`offset ${examinedMax - 1} limit 1`);
  const end = await tx.row<RowKey>`
    select value::text as value, number from (${examined}) examined ${last}`;
  return end ?? null;
}

/** Counts rows up to `max`. Without `isAll` the count is a lower bound. */
export async function countUpTo(
  tx: Tx,
  centralId: number,
  list: KeysetList,
  max: number,
): Promise<{ count: number; isAll: boolean }> {
  const { keys, examined } = keysetPieces(centralId, list, null, EXAMINED_MAX);
  const row = await tx.row<{ count: number }>`
    select count(*) as count from (${keys} ${limitTo(max + 1)}) counted`;
  const { count } = row!;
  if (count > max) return { count: max, isAll: false };
  const end = list.checks.length === 0 ? null : await findExaminedEnd(tx, examined, EXAMINED_MAX);
  return { count, isAll: end === null };
}

interface KeysetPieces {
  keys: Sql;
  /** The statement for keys without the checks. */
  examined: Sql;
  sorted: Sql;
}

function keysetPieces(
  centralId: number,
  { table, order, leads, within, checks, from, until }: KeysetList,
  after: RowKey | null,
  examinedMax: number,
): KeysetPieces {
  const { type, descending } = order;
  const by = raw(order.by);
  const number = raw(order.number);
  // The first page begins at one end of the period, and numbers begin with 1, so that a single comparison covers the
  // period and the key. With two, PostgreSQL may begin its index scan at the wrong one (measured: 30 ms instead of 1).
  const first = descending ? (until ?? BEHIND_ALL[type]) : (from ?? BEFORE_ALL[type]);
  const last = descending ? (from ?? BEFORE_ALL[type]) : (until ?? BEHIND_ALL[type]);
  const begin = after ?? (first === null ? null : { value: first, number: 0 });
  const afterBegin = begin
    ? sql` and (${by}, ${number}) ${raw(descending ? '<' : '>')}
        (${begin.value}::${raw(type)}, ${begin.number}::bigint)`
    : sql``;
  const beforeLast =
    last === null ? sql`` : sql` and ${by} ${raw(descending ? '>=' : '<')} ${last}::${raw(type)}`;
  const seen = within ? sql` and ${within}` : sql``;
  const direction = raw(descending ? 'desc' : 'asc');
  const ordered = sql`order by ${by} ${direction}, ${number} ${direction}`;
  const limit = limitTo(examinedMax);
  const conditions = leads.length === 0 ? [sql`true`] : leads;
  const sources = conditions.map(
    (condition) => sql`
    (select * from ${raw(table)} where central_id = ${centralId} and ${condition}${seen}${afterBegin}${beforeLast}
      ${ordered} ${limit})`,
  );
  const source = sql`(${joined(sources, ' union all ')}) source ${ordered}`;
  const key = sql`${by} as value, ${number} as number`;
  return {
    keys: sql`select id, ${key} from (select * from ${source} ${limit}) examined
      where ${checks.length === 0 ? sql`true` : joined(checks, ' and ')} ${ordered}`,
    examined: sql`select ${key} from ${source}`,
    sorted: sql`order by page.value ${direction}, page.number ${direction}`,
  };
}

export interface LedgerFilter<Kind extends string = string> {
  /** Null: all kinds. */
  kinds: readonly Kind[] | null;
  from: Temporal.Instant | null;
  until: Temporal.Instant | null;
  oldestFirst: boolean;
}

type KeysetRange = Pick<KeysetList, 'from' | 'until'> & { order: Omit<KeyOrder, 'descending'> };

/**
 * The entries of one account, in the order of `range`, or those of all accounts, by time. Times and ids are taken
 * before the account is locked, so within an account only the numbers are in the order of the balance.
 */
export function ledgerKeyset(
  table: string,
  { kinds, from, until, oldestFirst }: LedgerFilter,
  { column, id, also, range }: { column: string; id: number | null; also: number | null; range: KeysetRange },
): KeysetList {
  const isOther = also !== null && also !== id;
  const byTime: KeysetRange = {
    order: { by: 'created_at', type: 'timestamptz', number: 'id' },
    from: from?.toString() ?? null,
    until: until?.toString() ?? null,
  };
  const { order, ...period } = id === null ? byTime : range;
  return {
    table,
    order: { ...order, descending: !oldestFirst },
    leads: id === null ? [] : [sql`${raw(column)} = ${id}`],
    checks:
      kinds === null && !isOther ? [] : [isOneIfGiven('kind', kinds), equalsIfGiven(column, 'bigint', also)],
    ...period,
  };
}

/** For an account whose entries have days: days never decrease with the numbers, so the order is day and number. */
export const rangeOfDays = ({ from, until }: LedgerFilter, timeZone: string): KeysetRange => {
  const dayOf = (at: Temporal.Instant | null) =>
    at?.toZonedDateTimeISO(timeZone).toPlainDate().toString() ?? null;
  return {
    order: { by: 'day', type: 'date', number: 'number' },
    from: dayOf(from),
    until: dayOf(until),
  };
};
