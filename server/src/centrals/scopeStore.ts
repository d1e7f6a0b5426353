import { Refusal, type RefusalKind } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import type { Scope } from './caller.ts';

interface Scoped<Row, Thing> {
  /** A table with the key (central_id, id) and the owner in company_id. */
  table: string;
  columns: string;
  /** The refusal for a row that is missing or outside the scope. */
  missing: RefusalKind;
  toThing: (row: Row) => Thing;
}

/** Functions that find and lock one or several rows of a table within the caller's scope. */
export function rowsInScope<Row extends object, Thing>({
  table,
  columns,
  missing,
  toThing,
}: Scoped<Row, Thing>) {
  const select = (ids: string) => `select ${columns} from ${table}
    where central_id = $1 and ${ids} and ($3::bigint is null or company_id = $3)`;
  const byId = select('id = $2');
  // Always in id order, so that two such locks never deadlock.
  const byIds = `${select('id = any($2::bigint[])')} order by id`;

  const single =
    (text: string) =>
    async (tx: Tx, { centralId, companyId }: Scope, id: number): Promise<Thing> => {
      const [row] = await tx.run<Row>(text, [centralId, id, companyId]);
      if (!row) throw new Refusal(missing);
      return toThing(row);
    };
  /** Each once, in id order. */
  const all =
    (text: string) =>
    async (tx: Tx, { centralId, companyId }: Scope, ids: readonly number[]): Promise<Thing[]> => {
      const rows = await tx.run<Row>(text, [centralId, ids, companyId]);
      if (rows.length < new Set(ids).size) throw new Refusal(missing);
      return rows.map(toThing);
    };
  return {
    find: single(byId),
    lock: single(`${byId} for update`),
    findAll: all(byIds),
    lockAll: all(`${byIds} for update`),
  };
}
