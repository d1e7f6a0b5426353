import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from './database.ts';

/** Where a row stands in an order: the value that it is sorted by, as PostgreSQL writes it, and its number. */
export interface RowKey {
  value: string;
  number: number;
}

export interface KeyOrder {
  /** What rows are sorted by: a column, or an expression that the index holds. */
  by: string;
  type: 'timestamptz' | 'date' | 'bigint' | 'text';
  /** The column that decides between equal values: a unique number. */
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

/** One of these ids, which the primary key finds. */
export const isAmong = (ids: readonly number[]): Condition => ({
  sql: (parameter) => `id = any(${parameter}::bigint[])`,
  value: ids,
});

/** Without a value, anything. */
export const equalsIfGiven =
  (column: string, type: string) =>
  (parameter: string): string =>
    `(${parameter}::${type} is null or ${column} = ${parameter})`;

/** Holds the text, whatever its accents and capitals; without one, anything. */
export const likeIfGiven =
  (expression: string) =>
  (parameter: string): string =>
    `(${parameter}::text is null or position(fold_name(${parameter}::text) in fold_name(${expression})) > 0)`;

export interface KeysetList {
  /** Its key begins with central_id. */
  table: string;
  order: KeyOrder;
  /**
   * What an index leads with before the order; rows satisfy one of these. Several are read side by side and merged, so
   * that they must exclude each other. None: the order's own index is enough.
   */
  leads: readonly Condition[];
  /**
   * What the caller may see. Other rows are not even examined: the place where a search goes on is told to the caller, and
   * is that of a row.
   */
  within?: Condition | null;
  /** What is checked of each row read. The same texts for every request, so that few statements are prepared. */
  checks: readonly Condition[];
  /** From this value on, and before that one; null: without an end. */
  from: string | null;
  until: string | null;
}

export interface Slice<Row> {
  rows: Row[];
  /** Where the next slice begins; null: there is nothing more. */
  next: RowKey | null;
  /** The slice is short because enough rows were examined, not because there are no more. */
  isCutShort: boolean;
}

/**
 * How many rows a request examines at most, whatever its filters leave of them. It bounds the work of a page by a
 * constant: a filter that hardly any row satisfies gives a short page and the place where the search goes on.
 */
const EXAMINED_MAX = 5_000;

/** Texts have neither: how they sort depends on the database. */
const BEFORE_ALL = { timestamptz: '-infinity', date: '-infinity', bigint: '0', text: null } as const;
const BEHIND_ALL = {
  timestamptz: 'infinity',
  date: 'infinity',
  bigint: String(2n ** 63n - 1n),
  text: null,
} as const;

/** A key comes back from outside: what PostgreSQL could not read is refused before. */
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

/** Finds the ids of a page, as `page` with its ids and keys, for the statement that reads what is shown of the rows. */
export interface PageSource {
  keys: string;
  /** To be selected beside what is shown. */
  columns: string;
  /** The order of the rows. */
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
 * Reads the rows behind a key. Pages are found by keys and never by an offset: a page costs the same wherever it is,
 * and rows that are inserted meanwhile shift none. $1 is the central in the statement that `select` completes.
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

/** The last row that was examined; null: fewer were there than may be. */
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

/** How many rows there are, counted up to `max`; cut short, there are at least so many. */
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
  /** The same, whatever the checks say. */
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
  // The first page begins at one end of the period and numbers begin with 1, so that one comparison holds both. With two
  // PostgreSQL may enter the index at the wrong one and pass over all that lies between (measured: 30 ms instead of 1).
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
  /** Null: any. */
  kinds: readonly Kind[] | null;
  from: Temporal.Instant | null;
  until: Temporal.Instant | null;
  oldestFirst: boolean;
}

type KeysetRange = Pick<KeysetList, 'from' | 'until'> & { order: Omit<KeyOrder, 'descending'> };

/**
 * The entries of one account, which leads its index, in the order of `range`; or those of all accounts, by time. Times are
 * taken before the account's lock is had, and so are ids: within an account only the numbers follow the balance.
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

/** Of an account whose entries have days, which never go back: both are in the order of the numbers. */
export const rangeOfDays = ({ from, until }: LedgerFilter, timeZone: string): KeysetRange => {
  const dayOf = (at: Temporal.Instant | null) =>
    at?.toZonedDateTimeISO(timeZone).toPlainDate().toString() ?? null;
  return {
    order: { by: 'day', type: 'date', number: 'number' },
    from: dayOf(from),
    until: dayOf(until),
  };
};
