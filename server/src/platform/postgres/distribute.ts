import type { ClientBase } from 'pg';
import { commitOn } from './transaction.ts';

/** The tables that one run has distributed or copied. */
export interface Distribution {
  /** Spread over the nodes by their central. */
  distributed: string[];
  /** Copied to every node. */
  copied: string[];
}

type Placement = 'distributed' | 'copied';

interface PendingTable {
  name: string;
  placement: Placement;
}

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

/**
 * Counters of ids stay on the coordinator: a process reserves ids of many centrals in one statement, and asks for a
 * block of them only now and then.
 */
const COORDINATOR_TABLES = ['id_counters'];

/**
 * A table with central_id is distributed by it, unless one of its unique keys lacks the column: that key holds for all
 * centrals, so each node gets a copy. Tables that the tables of centrals refer to are copied as well. All other tables
 * are read and written through the coordinator.
 */
const PENDING_TABLES = `
  with owned as (
    select c.oid, c.relname as name, a.attnum as central
    from pg_class c
    left join pg_attribute a on a.attrelid = c.oid and a.attname = 'central_id' and not a.attisdropped
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and c.relname <> all ($1)),
  placed as (
    select oid, name, case
      when central is not null and not exists (
        select from pg_index i where i.indrelid = oid and i.indisunique and central <> all (i.indkey))
        then 'distributed'
      when central is not null or exists (
        select from pg_constraint f join owned other on other.oid = f.conrelid
        where f.contype = 'f' and f.confrelid = owned.oid and other.central is not null)
        then 'copied' end as placement
    from owned)
  select name, placement from placed
  where placement is not null and oid not in (select logicalrelid from pg_dist_partition)
  order by placement, name`;

const FOREIGN_KEYS = `
  select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
  from pg_constraint
  where contype = 'f' and (conrelid = any ($1::regclass[]) or confrelid = any ($1::regclass[]))
  order by conrelid::regclass::text, conname`;

/** Whether Citus has distributed tables in the database. Undefined: the database has no Citus. */
export async function findCitus(client: ClientBase): Promise<'empty' | 'in use' | undefined> {
  const found = await client.query(`select from pg_extension where extname = 'citus'`);
  if (found.rowCount === 0) return undefined;
  // Triggers touch rows of their own central only, which the rules for migrations check.
  await client.query('set citus.enable_unsafe_triggers = on');
  const tables = await client.query('select from pg_dist_partition limit 1');
  return tables.rowCount === 0 ? 'empty' : 'in use';
}

/** Citus refuses a new table with a foreign key to a distributed one, unless it does not propagate the statement. */
export async function createTable(client: ClientBase, sql: string): Promise<void> {
  await client.query('set citus.enable_ddl_propagation = off');
  try {
    await client.query(sql);
  } finally {
    await client.query('set citus.enable_ddl_propagation = on').catch(() => undefined);
  }
}

/** Citus plans a statement only with a known central, so functions with a generic plan would fail. */
async function planEachTime(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regprocedure::text as name from pg_proc
     where pronamespace = current_schema()::regnamespace and proconfig @> '{plan_cache_mode=force_generic_plan}'`,
  );
  for (const { name } of rows)
    await client.query(`alter function ${name} set plan_cache_mode = force_custom_plan`);
}

/**
 * Distributes the tables that are not yet distributed, in one transaction. Foreign keys that involve them are dropped
 * first and created again at the end, because a distributed table cannot refer to one that is not, and some tables
 * refer to each other.
 */
export async function distributeTables(client: ClientBase): Promise<Distribution> {
  await planEachTime(client);
  const { rows: pending } = await client.query<PendingTable>(PENDING_TABLES, [COORDINATOR_TABLES]);
  const named = (placement: Placement): string[] =>
    pending.filter((table) => table.placement === placement).map(({ name }) => name);
  const distribution = { distributed: named('distributed'), copied: named('copied') };
  if (pending.length === 0) return distribution;
  await client.query('begin');
  try {
    // Statements for many shards run one after another, so that all of them see the changes of this transaction.
    await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`);
    const names = pending.map(({ name }) => client.escapeIdentifier(name));
    const { rows: keys } = await client.query<ForeignKey>(FOREIGN_KEYS, [names]);
    for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
    for (const name of distribution.copied) await client.query('select create_reference_table($1)', [name]);
    await distributeByCentral(client, distribution.distributed);
    for (const { table, name, definition } of keys)
      await client.query(`alter table ${table} add constraint ${name} ${definition}`);
    await commitOn(client);
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
  return distribution;
}

/** All tables are in one colocation group: the rows of a central are on one node, and move together. */
async function distributeByCentral(client: ClientBase, tables: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select logicalrelid::text as name from pg_dist_partition
     where partmethod = 'h' and logicalrelid in (
       select attrelid from pg_attribute where attname = 'central_id' and not attisdropped)
     limit 1`,
  );
  let anchor = rows[0]?.name;
  for (const table of tables) {
    await client.query(`select create_distributed_table($1, 'central_id', colocate_with => $2)`, [
      table,
      anchor ?? 'none',
    ]);
    anchor ??= table;
  }
}

/** The line that `malote migrate` prints. */
export function describeDistribution({ distributed, copied }: Distribution): string {
  if (distributed.length + copied.length === 0) return 'Citus: all tables are distributed';
  return `Citus: distributed ${distributed.length} tables by central, copied ${copied.length} to every node (${copied.join(', ')})`;
}
