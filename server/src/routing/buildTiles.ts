import { spawn } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { type ImportProgress, progressIn } from './importProgress.ts';
import { tileBuilderConfig } from './valhallaConfig.ts';
import { RoadsError, type ValhallaPackage } from './valhallaPackage.ts';

const DISK_ALMOST_FULL_BYTES = 16 * 1024 * 1024;

interface BuildOptions {
  onProgress(progress: ImportProgress): void;
  signal?: AbortSignal | undefined;
}

/** Runs Valhalla's tile builder over an extract. Rejects with a RoadsError that explains the failure. */
export async function buildTiles(
  { tileBuilder }: Pick<ValhallaPackage, 'tileBuilder'>,
  pbf: string,
  tiles: string,
  { onProgress, signal }: BuildOptions,
): Promise<void> {
  const builder = spawn(tileBuilder, ['--inline-config', JSON.stringify(tileBuilderConfig(tiles)), pbf], {
    env: {},
    // It writes a list of duplicate ways into its working directory.
    cwd: tiles,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // The end of this process ends the builder too; only after a kill -9 it runs on, without effect.
  const kill = () => builder.kill('SIGKILL');
  process.once('exit', kill);
  signal?.addEventListener('abort', kill);
  if (signal?.aborted) kill();

  let hasRoads = true;
  createInterface(builder.stdout).on('line', (line) => {
    if (/Finished with 0 routable ways/.test(line)) hasRoads = false;
    const progress = progressIn(line);
    if (progress) onProgress(progress);
  });
  let complaint = '';
  builder.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-2000);
  });

  try {
    const end = await new Promise<string>((resolve, reject) => {
      builder.once('error', (error) =>
        reject(new RoadsError(`The tile builder cannot run: ${error.message}.`)),
      );
      builder.once('close', (code, killedBy) => resolve(killedBy ?? String(code)));
    });
    if (signal?.aborted) throw stopped();
    // It crashes on a map without roads instead of reporting it.
    if (!hasRoads) throw new RoadsError(`There are no roads in ${pbf}.`);
    if (end === '0') return;
    if (await isDiskFull(tiles)) throw new RoadsError('The disk is full; the roads in use are unchanged.');
    throw new RoadsError(`The tile builder failed (${end}): ${complaint.trim() || 'it did not say why'}.`);
  } finally {
    process.removeListener('exit', kill);
    signal?.removeEventListener('abort', kill);
  }
}

export const stopped = (): RoadsError =>
  new RoadsError('The import was stopped; the roads in use are unchanged.');

/** On a full disk the builder ends with a bus error and no message. */
async function isDiskFull(folder: string): Promise<boolean> {
  return (await freeBytes(folder)) < DISK_ALMOST_FULL_BYTES;
}

export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
