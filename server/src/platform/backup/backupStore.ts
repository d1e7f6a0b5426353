import type { Readable, Writable } from 'node:stream';
import pg, { type ClientConfig } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { TableHeader } from './backupFile.ts';

/*
 * Statements on whole tables of all centrals. They are only for the embedded database of one machine, not for requests.
 */

/** Not copied: a restore applies the migrations of the header, which writes this table. */
const LOG_OF_MIGRATIONS = 'migrations';

export async function connect(connection: ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, keepAlive: true });
  // A broken connection fails its statement too. Without a listener the error would end the process.
  client.on('error', () => {});
  await client.connect();
  await client.query('set statement_timeout = 0');
  await client.query('set idle_in_transaction_session_timeout = 0');
  return client;
}

export async function findTables(client: pg.Client): Promise<TableHeader[]> {
  const { rows } = await client.query<{ table: string; columns: string[] }>(
    `select t.relname as table, array_agg(c.attname::text order by c.attnum) as columns
     from pg_class t
     join pg_attribute c on c.attrelid = t.oid and c.attnum > 0 and not c.attisdropped and c.attgenerated = ''
     where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p') and not t.relispartition
       and t.relname <> $1
     group by t.relname order by t.relname`,
    [LOG_OF_MIGRATIONS],
  );
  return rows;
}

export async function findMigrations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from migrations order by name');
  return rows.map(({ name }) => name);
}

export async function hasCentrals(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(`select from centrals limit 1`);
  return rows.length > 0;
}

/** All rows of a table, as COPY writes them; `rowCount` is known at the end. */
export const readTable = (client: pg.Client, table: TableHeader): Readable & { rowCount: number } =>
  client.query(copyTo(`copy ${target(table)} to stdout`)) as unknown as Readable & { rowCount: number };

export const writeTable = (client: pg.Client, table: TableHeader): Writable & { rowCount: number } =>
  client.query(copyFrom(`copy ${target(table)} from stdin`)) as unknown as Writable & { rowCount: number };

const target = ({ table, columns }: TableHeader): string =>
  `${pg.escapeIdentifier(table)} (${columns.map(pg.escapeIdentifier).join(', ')})`;

/**
 * Disables triggers and foreign keys, because rows arrive complete and in any order. The constraints held when the
 * backup was taken, in one snapshot. Requires the rights of the embedded server's owner.
 */
export async function beginLoading(client: pg.Client, tables: readonly TableHeader[]): Promise<void> {
  await client.query('begin');
  await client.query('set local session_replication_role = replica');
  const names = tables.map(({ table }) => pg.escapeIdentifier(table)).join(', ');
  await client.query(`truncate ${names}`);
}

/** Sets identity sequences to continue after the highest loaded number. */
export async function continueNumbers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(
    `select t.relname as table, c.attname as column, pg_get_serial_sequence(quote_ident(t.relname), c.attname) as sequence
     from pg_class t join pg_attribute c on c.attrelid = t.oid and c.attidentity <> '' and not c.attisdropped
     where t.relnamespace = 'public'::regnamespace and t.relkind = 'r'`,
  );
  for (const { table, column, sequence } of rows)
    await client.query(
      `select setval($1, greatest(max(${pg.escapeIdentifier(column)}), 1), max(${pg.escapeIdentifier(column)}) is not null)
       from ${pg.escapeIdentifier(table)}`,
      [sequence],
    );
}
