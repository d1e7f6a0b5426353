import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { isTaken } from './postmaster.ts';

export class DataFolderInUse extends Error {
  override name = 'DataFolderInUse';
}

export interface DataFolderLock {
  release(): void;
}

/**
 * One process at a time may run the database server of a data folder.
 *
 * The lock must vanish with its holder (kill -9, power cut), must not depend on process ids, which are reused, and must
 * have one winner when two processes start at the same instant. Only a lock of the operating system does all three.
 * Node offers none itself, but its built-in SQLite takes one on its file. Nothing is stored in that file: an exclusive
 * transaction is opened and left open. The file is never removed, because a second process could then lock a new file
 * while the first still holds the old one.
 */
export async function lockDataFolder(folder: string): Promise<DataFolderLock> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new Error(`cannot create the data folder ${folder}: ${(error as Error).message}`, { cause: error });
  }
  const pidFile = join(folder, 'malote.pid');
  const holder = new DatabaseSync(join(folder, 'malote.lock'), { timeout: 0, open: false });
  try {
    holder.open();
    holder.exec('begin exclusive');
    await writeFile(pidFile, `${process.pid}\n`);
  } catch (error) {
    if (holder.isOpen) holder.close();
    if (isBusy(error))
      throw new DataFolderInUse(`the data folder ${folder} is in use by ${await describeHolder(pidFile)}`);
    throw new Error(`cannot write to the data folder ${folder}`, { cause: error });
  }
  return {
    release() {
      if (holder.isOpen) holder.close();
    },
  };
}

const SQLITE_BUSY = 5;

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;

/** The holder writes its id just after it got the lock, so the id of a dead holder may be read for an instant. */
async function describeHolder(pidFile: string): Promise<string> {
  for (let attempt = 0; attempt < 10; attempt++) {
    const pid = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10);
    if (Number.isInteger(pid) && isTaken(pid)) return `another malote (process ${pid})`;
    await sleep(20);
  }
  return 'another malote';
}
