import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from './database.ts';

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

/** `sql` gets the parameter of its value: `(p) => \`company_id = ${p}\``. */
export interface Condition {
  sql: (parameter: string) => string;
  value: unknown;
}

export const equals =
  (column: string) =>
  (parameter: string): string =>
    `${column} = ${parameter}`;

/** Matches these ids, through the primary key. */
export const isAmong = (ids: readonly number[]): Condition => ({
  sql: (parameter) => `id = any(${parameter}::bigint[])`,
  value: ids,
});

/** Matches every row if the value is null. */
export const equalsIfGiven =
  (column: string, type: string) =>
  (parameter: string): string =>
    `(${parameter}::${type} is null or ${column} = ${parameter})`;

/** Matches rows that contain the text, ignoring accents and case; every row if the text is null. */
export const likeIfGiven =
  (expression: string) =>
  (parameter: string): string =>
    `(${parameter}::text is null or position(fold_name(${parameter}::text) in fold_name(${expression})) > 0)`;

export interface KeysetList {
  /** Its key begins with central_id. */
  table: string;
  order: KeyOrder;
  /**
   * Conditions on the columns that precede the order in the index; a row satisfies one of them. Several are read
   * separately and merged, so they must exclude each other. None: the index of the order is enough.
   */
  leads: readonly Condition[];
  /**
   * What the caller may see. Other rows are not even examined: the place where a search continues is that of a row, and
   * the caller learns it.
   */
  within?: Condition | null;
  /** Filters of the rows read. Their texts are the same for every request, so that few statements are prepared. */
  checks: readonly Condition[];
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
  keys: string;
  /** Columns to select in addition to those shown. */
  columns: string;
  /** The `order by` clause. */
  sorted: string;
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
 * inserted meanwhile shift no page. In the statement that `select` completes, $1 is the central.
 */
export async function readSlice<Row extends object>(
  tx: Tx,
  centralId: number,
  list: KeysetList,
  { after, limit, examinedMax = EXAMINED_MAX }: SliceRequest,
  select: (page: PageSource) => string,
): Promise<Slice<Row>> {
  if (after && !isValue[list.order.type](after.value)) throw new Refusal('cursor-not-valid');
  const statement = keysetStatement(centralId, list, after, examinedMax);
  const found = await tx.run<Row & KeyColumns>(
    select({
      keys: `${statement.keys} limit ${limit + 1}`,
      columns: 'page.value::text as "keyValue", page.number as "keyNumber"',
      sorted: statement.sorted,
    }),
    [...statement.values, ...statement.checkValues],
  );
  const rows = found.slice(0, limit);
  if (found.length > limit) {
    const { keyValue, keyNumber } = rows.at(-1)!;
    return { rows, next: { value: keyValue, number: keyNumber }, isCutShort: false };
  }
  const next = list.checks.length === 0 ? null : await findExaminedEnd(tx, statement, examinedMax);
  return { rows, next, isCutShort: next !== null };
}

/** The last row examined; null if there were fewer rows than the limit. */
async function findExaminedEnd(
  tx: Tx,
  { examined, values }: KeysetStatement,
  examinedMax: number,
): Promise<RowKey | null> {
  const [end] = await tx.run<RowKey>(
    `select value::text as value, number from (${examined}) examined offset ${examinedMax - 1} limit 1`,
    values,
  );
  return end ?? null;
}

/** Counts rows up to `max`. Without `isAll` the count is a lower bound. */
export async function countUpTo(
  tx: Tx,
  centralId: number,
  list: KeysetList,
  max: number,
): Promise<{ count: number; isAll: boolean }> {
  const statement = keysetStatement(centralId, list, null, EXAMINED_MAX);
  const [row] = await tx.run<{ count: number }>(
    `select count(*) as count from (${statement.keys} limit ${max + 1}) counted`,
    [...statement.values, ...statement.checkValues],
  );
  const { count } = row!;
  if (count > max) return { count: max, isAll: false };
  const end = list.checks.length === 0 ? null : await findExaminedEnd(tx, statement, EXAMINED_MAX);
  return { count, isAll: end === null };
}

interface KeysetStatement {
  keys: string;
  /** The same without the checks. */
  examined: string;
  sorted: string;
  values: unknown[];
  /** Their parameters come last. */
  checkValues: unknown[];
}

function keysetStatement(
  centralId: number,
  { table, order, leads, within, checks, from, until }: KeysetList,
  after: RowKey | null,
  examinedMax: number,
): KeysetStatement {
  const values: unknown[] = [centralId];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const { by, type, number, descending } = order;
  // The first page begins at one end of the period, and numbers begin with 1, so that a single comparison covers the
  // period and the key. With two, PostgreSQL may begin its index scan at the wrong one (measured: 30 ms instead of 1).
  const first = descending ? (until ?? BEHIND_ALL[type]) : (from ?? BEFORE_ALL[type]);
  const last = descending ? (from ?? BEFORE_ALL[type]) : (until ?? BEHIND_ALL[type]);
  const begin = after ?? (first === null ? null : { value: first, number: 0 });
  const bounds = [
    ...(begin
      ? [
          `(${by}, ${number}) ${descending ? '<' : '>'}
        (${parameter(begin.value)}::${type}, ${parameter(begin.number)}::bigint)`,
        ]
      : []),
    ...(last === null ? [] : [`${by} ${descending ? '>=' : '<'} ${parameter(last)}::${type}`]),
  ].map((bound) => ` and ${bound}`);
  const direction = descending ? 'desc' : 'asc';
  const ordered = `order by ${by} ${direction}, ${number} ${direction}`;
  const conditions = leads.length === 0 ? ['true'] : leads.map(({ sql, value }) => sql(parameter(value)));
  const seen = within ? ` and ${within.sql(parameter(within.value))}` : '';
  const sources = conditions.map(
    (condition) => `
    (select * from ${table} where central_id = $1 and ${condition}${seen}${bounds.join('')}
      ${ordered} limit ${examinedMax})`,
  );
  const source = `(${sources.join(' union all ')}) source ${ordered}`;
  const leading = values.length;
  const checked = checks.map(({ sql, value }) => sql(parameter(value)));
  const key = `${by} as value, ${number} as number`;
  return {
    keys: `select id, ${key} from (select * from ${source} limit ${examinedMax}) examined
      where ${checked.join(' and ') || 'true'} ${ordered}`,
    examined: `select ${key} from ${source}`,
    sorted: `order by page.value ${direction}, page.number ${direction}`,
    values: values.slice(0, leading),
    checkValues: values.slice(leading),
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
    leads: id === null ? [] : [{ sql: equals(column), value: id }],
    checks:
      kinds === null && !isOther
        ? []
        : [
            {
              sql: (parameter) => `(${parameter}::text[] is null or kind = any(${parameter}::text[]))`,
              value: kinds,
            },
            { sql: equalsIfGiven(column, 'bigint'), value: also },
          ],
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
