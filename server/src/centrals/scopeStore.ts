import { type PlainKind, Refusal } from '../platform/kernel/refusal.ts';
import type { Tx } from '../platform/postgres/database.ts';
import { raw, type Sql, sql } from '../platform/postgres/sql.ts';
import type { Scope } from './caller.ts';

interface Scoped<Row, Thing> {
  /** A table with the key (central_id, id) and the owner in company_id. */
  table: string;
  columns: string;
  /** The refusal for a row that is missing or outside the scope. */
  missing: PlainKind;
  toThing: (row: Row) => Thing;
}

/** Functions that find and lock one or several rows of a table within the caller's scope. */
export function rowsInScope<Row extends object, Thing>({
  table,
  columns,
  missing,
  toThing,
}: Scoped<Row, Thing>) {
  const source = { table: raw(table), columns: raw(columns) };
  const select = ({ centralId, companyId }: Scope, isWanted: Sql): Sql => sql`
    select ${source.columns} from ${source.table}
    where central_id = ${centralId} and ${isWanted}
      and (${companyId}::bigint is null or company_id = ${companyId})`;
  const unlocked = sql``;
  const locked = sql`for update`;

  const single =
    (lock: Sql) =>
    async (tx: Tx, scope: Scope, id: number): Promise<Thing> => {
      const row = await tx.row<Row>`${select(scope, sql`id = ${id}`)} ${lock}`;
      if (!row) throw new Refusal(missing);
      return toThing(row);
    };
  /** Those that there are: each once, always in id order, so that two such locks never deadlock. */
  const some =
    (lock: Sql) =>
    async (tx: Tx, scope: Scope, ids: readonly number[]): Promise<Thing[]> => {
      const rows = await tx.rows<Row>`${select(scope, sql`id = any(${ids}::bigint[])`)} order by id ${lock}`;
      return rows.map(toThing);
    };
  /** All of them. */
  const all =
    (lock: Sql) =>
    async (tx: Tx, scope: Scope, ids: readonly number[]): Promise<Thing[]> => {
      const found = await some(lock)(tx, scope, ids);
      if (found.length < new Set(ids).size) throw new Refusal(missing);
      return found;
    };
  return {
    find: single(unlocked),
    lock: single(locked),
    findAll: all(unlocked),
    lockAll: all(locked),
    findSome: some(unlocked),
    lockSome: some(locked),
  };
}
