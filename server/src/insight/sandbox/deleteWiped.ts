import { deleteWiped, listWiped } from '../../centrals/sandboxStore.ts';
import { countForEach } from '../../platform/kernel/rounds.ts';
import { type Db, deleteInSteps, type Tx } from '../../platform/postgres/database.ts';
import { raw } from '../../platform/postgres/sql.ts';

/** Tables whose rows refer to rows of the same table, or in a circle: each part is deleted in one statement. */
const IN_ONE_STATEMENT = ['deliveries', 'scheduled'] as const;
/** Images in an object store that are to be removed there. The central is deleted when that is done. */
const KEPT = 'proof_removals';
const isInCircle = (table: string): boolean => (IN_ONE_STATEMENT as readonly string[]).includes(table);
/** In this order, so that no statement leaves stops of a carrier with a gap, or a reversed entry behind. */
const ORDER: Readonly<Record<string, string>> = {
  stops: 'position desc',
  scheduled_stops: 'position desc',
  driver_entries: 'id desc',
};

/**
 * Deletes the sandboxes that were wiped, and those of closed centrals, with all their rows, in small steps. Work that
 * was still running in one may write meanwhile; then the central itself cannot be deleted yet, and the next run goes on.
 * Returns the number of deleted rows.
 */
export async function deleteWipedSandboxes(db: Db): Promise<number> {
  const wiped = await listWiped(db);
  if (wiped.length === 0) return 0;
  const tables = await tablesOfCentrals(db);
  return countForEach(wiped, (sandboxId) => deleteSandbox(db, sandboxId, tables));
}

async function deleteSandbox(db: Db, sandboxId: number, tables: readonly string[]): Promise<number> {
  let deleted = 0;
  let last: number;
  // Triggers of the deletion write rows too, such as what the search has to forget.
  do {
    last = await deleteRows(db, sandboxId, tables);
    deleted += last;
  } while (last > 0);
  await deleteWiped(db, sandboxId);
  return deleted;
}

async function deleteRows(db: Db, sandboxId: number, tables: readonly string[]): Promise<number> {
  let deleted = 0;
  for (const table of tables) {
    if (table === KEPT || table === IN_ONE_STATEMENT[1]) continue;
    if (table === IN_ONE_STATEMENT[0]) deleted += await db.begin((tx) => deleteRequests(tx, sandboxId));
    else deleted += await deleteInSteps(db, (tx, limit) => deleteSome(tx, table, sandboxId, limit));
  }
  return deleted;
}

async function deleteSome(tx: Tx, table: string, sandboxId: number, limit: number): Promise<number> {
  const order = ORDER[table];
  const rows = await tx.rows`
    delete from ${raw(table)} where central_id = ${sandboxId} and ctid = any(array(
      select ctid from ${raw(table)} where central_id = ${sandboxId} ${raw(order ? `order by ${order}` : '')}
      limit ${limit}))
    returning 1 as deleted`;
  return rows.length;
}

/** Deliveries and scheduled deliveries refer to each other; the references are checked at the end of the statement. */
async function deleteRequests(tx: Tx, sandboxId: number): Promise<number> {
  const [first, second] = IN_ONE_STATEMENT.map(raw);
  const row = await tx.row<{ count: number }>`
    with gone as (delete from ${first} where central_id = ${sandboxId} returning 1),
      others_gone as (delete from ${second} where central_id = ${sandboxId} returning 1)
    select (select count(*) from gone) + (select count(*) from others_gone) as count`;
  return row!.count;
}

interface ForeignKey {
  child: string;
  parent: string;
}

/** All tables with rows of centrals, each before those that it refers to. */
async function tablesOfCentrals(db: Db): Promise<string[]> {
  const tables = await db.rows<{ name: string }>`
    select c.relname::text as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'central_id' and not a.attisdropped
    where c.relnamespace = current_schema()::text::regnamespace and c.relkind in ('r', 'p') order by c.relname`;
  const keys = await db.rows<ForeignKey>`
    select distinct f.conrelid::regclass::text as child, f.confrelid::regclass::text as parent
    from pg_constraint f where f.contype = 'f' and f.conrelid <> f.confrelid
      and f.connamespace = current_schema()::text::regnamespace`;
  const isCircle = ({ child, parent }: ForeignKey): boolean => isInCircle(child) && isInCircle(parent);
  const left = new Set(tables.map(({ name }) => name));
  const inOrder: string[] = [];
  while (left.size > 0) {
    const free = [...left].filter(
      (name) => !keys.some((key) => key.parent === name && left.has(key.child) && !isCircle(key)),
    );
    // Both parts of the circle go with the first of them, once nothing else refers to either.
    const next = free.filter(
      (name) => !isInCircle(name) || IN_ONE_STATEMENT.every((each) => free.includes(each)),
    );
    if (next.length === 0) throw new Error(`tables refer to each other in a circle: ${[...left].join(', ')}`);
    for (const name of next) left.delete(name);
    inOrder.push(...next);
  }
  return inOrder;
}
