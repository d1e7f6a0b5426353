import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dataFolder, START_MS, spawnMalote } from './maloteProcess.ts';
import { waitUntil } from './waitUntil.ts';

/** Many test files may wait for this start. */
const FIRST_START_MS = 2 * START_MS;

/**
 * A new data folder in which a service with an empty demonstration has been started and ended before. Creating a
 * database takes more processor time than everything else in most tests of processes.
 */
export async function startedFolder(): Promise<string> {
  const folder = await dataFolder();
  const shared = process.env.MALOTE_TEST_SHARED;
  // `cp -a` also keeps the owners of the files: as root, the server runs under another account.
  if (shared) await promisify(execFile)('cp', ['-a', `${await startedOnce(shared)}/.`, folder]);
  return folder;
}

/** The first test file that needs it does the start, for all processes of this run. */
async function startedOnce(shared: string): Promise<string> {
  const folder = join(shared, 'started');
  const draft = `${folder}.draft`;
  await waitUntil(
    'a service has been started once',
    async () => {
      if (existsSync(folder)) return true;
      const isOurs = await mkdir(draft).then(
        () => true,
        () => false,
      );
      if (!isOurs) return false;
      if (existsSync(folder)) await rmdir(draft);
      else await startIn(draft).then(() => rename(draft, folder));
      return true;
    },
    2 * FIRST_START_MS,
  );
  return folder;
}

async function startIn(folder: string): Promise<void> {
  const service = spawnMalote(['serve'], {
    env: { MALOTE_DATA: folder, MALOTE_DEMO: 'empty', MALOTE_COURIERS: 'off', PORT: '0' },
  });
  const listens = () => service.stdout().includes('listening at') || service.child.exitCode !== null;
  try {
    await waitUntil('the service listens', listens, FIRST_START_MS);
    service.child.kill('SIGTERM');
    const { code, stderr } = await service.ended;
    assert.deepEqual([code, stderr], [0, '']);
  } catch (error) {
    service.child.kill('SIGKILL');
    // Its database may still write there. The folder is renamed so that another test file can retry; the end of the run
    // removes it.
    await rename(folder, `${folder}.failed${process.pid}`);
    throw error;
  }
}
