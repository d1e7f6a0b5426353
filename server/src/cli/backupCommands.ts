import { mkdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { readConfig } from '../config.ts';
import { displayProgress } from '../geo/routing/importRoads.ts';
import { BackupDamaged } from '../platform/backup/backupFile.ts';
import { CannotRestore, restoreBackup } from '../platform/backup/restoreBackup.ts';
import { backupName, takeBackup } from '../platform/backup/takeBackup.ts';
import { systemClock } from '../platform/kernel/clock.ts';
import { CommandFailed, command } from './command.ts';
import { withEmbedded, withExistingStore } from './openStore.ts';
import { SECRET_KEY_FILE } from './secretKeys.ts';

const OTHER_DATABASE =
  'this command is for the embedded database; for DATABASE_URL use pg_dump and pg_restore (docs/operations.md)';

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);
const figure = (count: number): string => count.toLocaleString('en');

export const backupCommand = command({
  details: [
    'Writes all data of the embedded database to one compressed file, as it is at this moment; the service may run.',
    'The file holds personal data and is readable by its owner only. The key of stored secrets is not in it: keep a',
    `copy of ${SECRET_KEY_FILE} from MALOTE_DATA in another place. Imported roads are not in it either.`,
  ].join('\n'),
  options: {
    file: {
      value: 'file',
      positional: true,
      help: 'the file to write (default: a new one in MALOTE_BACKUP_FOLDER)',
    },
  },
  async run({ file }) {
    const { databaseUrl, backups } = readConfig(process.env);
    if (databaseUrl) throw new CommandFailed(OTHER_DATABASE);
    const path = resolve(file ?? join(backups.folder, backupName(systemClock.now())));
    if (await exists(path)) throw new CommandFailed(`${path} exists already: name another file`);
    return withExistingStore(async ({ connection }) => {
      if (file === undefined) await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const { show, end } = displayProgress(process.stderr);
      const taken = await takeBackup({ connection, clock: systemClock }, path, show)
        .finally(end)
        .catch(explainFileTrouble);
      console.log(
        `${taken.path}: ${figure(taken.rows)} rows of ${taken.tables} tables, ${megabytes(taken.bytes)} MB`,
      );
      return 0;
    });
  },
});

export const restoreCommand = command({
  details: [
    'Loads a backup into MALOTE_DATA, which must be new or empty; the service must not run there. Nothing is changed',
    `if anything fails. Put ${SECRET_KEY_FILE} back beside it before the first start. Deliveries that fell due since the`,
    'backup are dispatched at that start, oldest first.',
  ].join('\n'),
  options: {
    file: { value: 'file', required: true, positional: true, help: 'a file of "malote backup"' },
  },
  async run({ file }) {
    if (readConfig(process.env).databaseUrl) throw new CommandFailed(OTHER_DATABASE);
    const path = resolve(file);
    if (!(await exists(path))) throw new CommandFailed(`there is no file ${path}`);
    return withEmbedded(async (connection, config) => {
      const { show, end } = displayProgress(process.stderr);
      const restored = await restoreBackup(connection, path, show)
        .finally(end)
        .catch((error: unknown) => {
          if (error instanceof BackupDamaged)
            throw new CommandFailed(`${path} cannot be restored: ${error.message}`, { cause: error });
          if (error instanceof CannotRestore) throw new CommandFailed(error.message, { cause: error });
          return explainFileTrouble(error);
        });
      console.log(
        `restored ${figure(restored.rows)} rows of ${restored.tables} tables, as of ${restored.takenAt}`,
      );
      if (!(await exists(join(config.dataFolder, SECRET_KEY_FILE))))
        console.log(
          `put ${SECRET_KEY_FILE} back into ${config.dataFolder} before the first start, or give every webhook a new secret`,
        );
      return 0;
    });
  },
});

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

function explainFileTrouble(error: unknown): never {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/^E[A-Z]+$/.test(code)) throw new CommandFailed((error as Error).message, { cause: error });
  throw error;
}
