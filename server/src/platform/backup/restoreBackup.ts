import { pipeline } from 'node:stream/promises';
import type { ClientConfig } from 'pg';
import { areUnreleased, migrate } from '../postgres/migrate.ts';
import { commitOn } from '../postgres/transaction.ts';
import { BackupDamaged, readBackupFile, type TableHeader, verifyBackupFile } from './backupFile.ts';
import {
  beginLoading,
  connect,
  continueNumbers,
  findMigrations,
  findTables,
  hasCentrals,
  writeTable,
} from './backupStore.ts';

/** Why a backup cannot be restored, in one line. */
export class CannotRestore extends Error {
  override name = 'CannotRestore';
}

export interface RestoredBackup {
  takenAt: string;
  tables: number;
  rows: number;
}

/**
 * Loads a backup into an empty database, in one transaction: if anything fails, the database stays empty. The schema is
 * first migrated to that of the backup, and after loading to that of this version.
 */
export async function restoreBackup(
  connection: ClientConfig,
  path: string,
  onProgress: (progress: { stage: string; percent: number }) => void = () => {},
): Promise<RestoredBackup> {
  onProgress({ stage: 'checking the file', percent: 0 });
  await verifyBackupFile(path);
  const restored = await readBackupFile(path, async ({ header, tables }) => {
    const last = header.migrations.at(-1);
    if (last === undefined) throw new BackupDamaged('it names no migration');
    if (areUnreleased(header.migrations))
      throw new CannotRestore(
        'the backup was taken by a version of Malote before its first release and can only be restored by that version',
      );
    await migrate(connection, undefined, last);
    const client = await connect(connection);
    try {
      assertFits(await findMigrations(client), header.migrations);
      if (await hasCentrals(client))
        throw new CannotRestore(
          'the database is not empty: name a new folder with MALOTE_DATA, or move the present one away',
        );
      const own = await findTables(client);
      await beginLoading(client, own);
      let count = 0;
      let rows = 0;
      for (;;) {
        const next = await tables.next();
        if (next.done) {
          if (next.value.rows !== rows) throw new BackupDamaged('rows are missing');
          break;
        }
        const { header: table, chunks } = next.value;
        assertKnown(own, table);
        onProgress({ stage: 'loading tables', percent: Math.floor((100 * count) / own.length) });
        const target = writeTable(client, table);
        await pipeline(chunks, target).catch((error: unknown) => refuseRows(table, error));
        rows += target.rowCount;
        count += 1;
      }
      await continueNumbers(client);
      await commitOn(client);
      return { takenAt: header.takenAt, tables: count, rows };
    } finally {
      await client.end();
    }
  });
  await migrate(connection);
  return restored;
}

/** The classes of errors about the data itself. Their messages quote it, so only the code is shown. */
const ABOUT_DATA = /^2[23]/;

function refuseRows({ table }: TableHeader, error: unknown): never {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (ABOUT_DATA.test(code)) throw new BackupDamaged(`PostgreSQL refuses its rows of ${table} (${code})`);
  throw error;
}

/** Refuses the backup of a newer version, whose schema may have columns that this version lacks. */
function assertFits(applied: readonly string[], taken: readonly string[]): void {
  const unknown = taken.find((name) => !applied.includes(name));
  if (unknown !== undefined)
    throw new CannotRestore(
      `the backup was taken by a newer version of Malote (${unknown}): restore it there`,
    );
  if (applied.length > taken.length)
    throw new CannotRestore(
      'the database has already a newer schema than the backup: name a new folder with MALOTE_DATA',
    );
}

function assertKnown(own: readonly TableHeader[], { table, columns }: TableHeader): void {
  const known = own.find((each) => each.table === table);
  if (!known || columns.some((column) => !known.columns.includes(column)))
    throw new BackupDamaged(`it holds a table that its migrations do not make: ${table}`);
}
