import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientConfig } from 'pg';
import type { Clock } from '../kernel/clock.ts';
import { commitOn } from '../postgres/transaction.ts';
import { writeBackupFile } from './backupFile.ts';
import { connect, findMigrations, findTables, readTable } from './backupStore.ts';

export interface TakenBackup {
  path: string;
  bytes: number;
  tables: number;
  rows: number;
}

/**
 * Writes the whole database to one file while the service runs. All tables are read in one snapshot, so they are
 * consistent, and no other transaction waits for it.
 */
export async function takeBackup(
  { connection, clock }: { connection: ClientConfig; clock: Clock },
  path: string,
  onProgress: (progress: { stage: string; percent: number }) => void = () => {},
): Promise<TakenBackup> {
  const client = await connect(connection);
  try {
    await client.query('begin isolation level repeatable read read only');
    const header = { takenAt: clock.now().toString(), migrations: await findMigrations(client) };
    const tables = await findTables(client);
    let rows = 0;
    await writeBackupFile(path, header, async (writer) => {
      for (const [index, table] of tables.entries()) {
        onProgress({ stage: 'writing tables', percent: Math.floor((100 * index) / tables.length) });
        const read = readTable(client, table);
        await writer.table(table, read);
        rows += read.rowCount;
      }
      return { rows };
    });
    await commitOn(client);
    return { path, bytes: (await stat(path)).size, tables: tables.length, rows };
  } finally {
    await client.end();
  }
}

const NAME = /^malote-\d{8}-\d{6}\.zst$/;
/** Drafts of killed processes, which are removed once they are a day old. */
const UNFINISHED = /^malote-\d{8}-\d{6}\.zst\.part$/;
const UNFINISHED_HOURS_MAX = 24;

/** Named by its instant in UTC, so that names sort by age. */
export function backupName(now: Temporal.Instant): string {
  const [date, time] = now.toString({ smallestUnit: 'second' }).replace('Z', '').split('T');
  return `malote-${date!.replaceAll('-', '')}-${time!.replaceAll(':', '')}.zst`;
}

/** Takes a backup into a folder and removes abandoned drafts and all but the newest backups. Other files stay. */
export async function takeBackupInTurn(
  deps: { connection: ClientConfig; clock: Clock },
  { folder, kept }: { folder: string; kept: number },
): Promise<TakenBackup> {
  const now = deps.clock.now();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const taken = await takeBackup(deps, join(folder, backupName(now)));
  const names = (await readdir(folder)).sort();
  const older = names.filter((name) => NAME.test(name)).slice(0, -kept);
  const dayAgo = backupName(now.subtract({ hours: UNFINISHED_HOURS_MAX }));
  const abandoned = names.filter((name) => UNFINISHED.test(name) && name < dayAgo);
  for (const name of [...older, ...abandoned]) await rm(join(folder, name), { force: true });
  return taken;
}
