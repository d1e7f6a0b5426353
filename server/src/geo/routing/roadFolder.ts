import { randomUUID } from 'node:crypto';
import {
  access,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { startRounds } from '../../platform/kernel/rounds.ts';
import type { Bounds } from './extract.ts';
import { RoadsError } from './valhallaConfig.ts';

/**
 * The folder that holds a city's roads, and how one set of them follows another without a restart:
 *
 *     current                  the name of the version in use, replaced by a rename: old or new, never half
 *     <version>/tiles/         what the engine reads
 *     <version>/streets.*      what pages draw; see streets/streetsFiles.ts
 *     <version>/roads.json     where it came from
 *     <version>.importing/     a version being built; becomes the above when it has been checked
 *     in-use/<version>.<id>    a running service reads this version; touched while it does
 *
 * Several services and imports may share the folder, also from different machines or containers, so nothing here
 * trusts a process id. Any process removes a version that it finds neither current nor in use.
 */
export interface Roads {
  version: string;
  source: { name: string; bytes: number; modifiedAt: string };
  bounds: Bounds;
  tiles: { count: number; bytes: number };
  builtAt: string;
  engine: string;
}

const TOUCH_MS = 20_000;
/** A service or an import that has not touched its file for this long is dead. */
const DEAD_AFTER_MS = 6 * TOUCH_MS;
const VERSION_PATTERN = /^\d{8}T\d{6}-[0-9a-f]{8}$/;

export const tilesOf = (folder: string, version: string): string => join(folder, version, 'tiles');
export const importingOf = (folder: string, version: string): string => join(folder, `${version}.importing`);

/** Sorts by time; two imports within a second still differ. */
export function newVersion(now: Temporal.Instant): string {
  const time = now.toString({ smallestUnit: 'second' }).replace(/[-:Z]/g, '');
  return `${time}-${randomUUID().slice(0, 8)}`;
}

export async function currentVersion(folder: string): Promise<string | null> {
  const version = await readFile(join(folder, 'current'), 'utf8').catch(nullWhenMissing);
  return version !== null && VERSION_PATTERN.test(version.trim()) ? version.trim() : null;
}

/** The loaded roads, or null before the first import. Rejects with a RoadsError when the folder cannot be read. */
export async function roadsStatus(folder: string): Promise<Roads | null> {
  const version = await currentVersion(folder).catch((error: Error) => {
    throw new RoadsError(`The roads folder ${folder} cannot be read: ${error.message}.`);
  });
  if (version === null) return null;
  try {
    await access(tilesOf(folder, version));
    return JSON.parse(await readFile(join(folder, version, 'roads.json'), 'utf8')) as Roads;
  } catch (error) {
    throw new RoadsError(
      `The roads in use, ${version}, are damaged: import them again (${(error as Error).message}).`,
    );
  }
}

/** Makes a complete version current, atomically and durably, also in a power failure. */
export async function switchRoads(folder: string, roads: Roads): Promise<void> {
  const building = importingOf(folder, roads.version);
  await writeFile(join(building, 'roads.json'), `${JSON.stringify(roads, null, 2)}\n`, { flush: true });
  await writeFile(join(building, 'pointer'), `${roads.version}\n`, { flush: true });
  // Between the two renames, a sweep of another process would find an unused version.
  const mark = await markInUse(folder, roads.version);
  try {
    await rename(building, join(folder, roads.version));
    await rename(join(folder, roads.version, 'pointer'), join(folder, 'current'));
    await flushFolder(folder);
  } finally {
    await mark.remove();
  }
  await sweepRoads(folder);
}

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export interface HeldRoads {
  version: string;
  tiles: string;
  release(): Promise<void>;
}

/** The current version, kept from removal until it is released. Null before the first import. */
export async function holdRoads(folder: string): Promise<HeldRoads | null> {
  for (;;) {
    const version = await currentVersion(folder);
    if (version === null) return null;
    const mark = await markInUse(folder, version);
    const tiles = tilesOf(folder, version);
    // Without its tiles an engine would find no road anywhere and report the points as wrong.
    const missing = await access(tiles).catch((error: Error) => error);
    // The version was switched between the read and the mark: the marked one may already be removed.
    const isCurrent = (await currentVersion(folder)) === version;
    if (isCurrent && !missing)
      return {
        version,
        tiles,
        async release() {
          await mark.remove();
          await sweepRoads(folder);
        },
      };
    await mark.remove();
    if (isCurrent && missing) throw missing;
  }
}

async function markInUse(folder: string, version: string): Promise<{ remove(): Promise<void> }> {
  const file = join(folder, 'in-use', `${version}.${randomUUID()}`);
  try {
    await mkdir(join(folder, 'in-use'), { recursive: true });
    await writeFile(file, '');
  } catch (error) {
    // Roads that were imported elsewhere and mounted read-only cannot be marked, and are not ours to remove.
    if (['EROFS', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return { async remove() {} };
    throw error;
  }
  const stop = touchRegularly(file);
  return {
    async remove() {
      stop();
      await rm(file, { force: true });
    },
  };
}

/** Touches the file until stopped. */
export function touchRegularly(path: string): () => void {
  const timer = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => {});
  }, TOUCH_MS).unref();
  return () => clearInterval(timer);
}

/** Removes versions that are neither current nor in use, and the remains of dead imports and services. */
async function sweepRoads(folder: string): Promise<void> {
  const current = await currentVersion(folder);
  const inUse = new Set<string>();
  for (const mark of await namesIn(join(folder, 'in-use'))) {
    const [version = ''] = mark.split('.');
    if (await isAlive(join(folder, 'in-use', mark))) inUse.add(version);
    else await rm(join(folder, 'in-use', mark), { force: true });
  }
  for (const name of await namesIn(folder)) {
    const [version = '', suffix] = name.split('.');
    if (!VERSION_PATTERN.test(version)) continue;
    const path = join(folder, name);
    const isNeeded = suffix === undefined ? version === current || inUse.has(version) : await isAlive(path);
    if (!isNeeded) await removeIfAllowed(path);
  }
}

async function isAlive(path: string): Promise<boolean> {
  const found = await stat(path).catch(nullWhenMissing);
  return found !== null && Date.now() - found.mtimeMs < DEAD_AFTER_MS;
}

const namesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(nullWhenMissing)) ?? [];

/** Left for the next process with the right: a service need not be allowed to remove what an import wrote. */
async function removeIfAllowed(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(() => {});
}

function nullWhenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/** For a user at a terminal. */
export function describeRoads(roads: Roads | null): string {
  if (roads === null) return 'No roads are loaded. Load some with: malote roads import city.osm.pbf';
  const { source, bounds, tiles } = roads;
  return [
    `source   ${source.name}, ${megabytes(source.bytes)} MB, of ${source.modifiedAt}`,
    `bounds   ${bounds.south}, ${bounds.west} to ${bounds.north}, ${bounds.east} (latitude, longitude)`,
    `tiles    ${tiles.count}, ${megabytes(tiles.bytes)} MB`,
    `built    ${roads.builtAt} by ${roads.engine}`,
    `version  ${roads.version}`,
  ].join('\n');
}

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);

const CHECK_EVERY_MS = 2000;

/**
 * Calls `onSwitch` after each import, by this process or any other, and again while it rejects. It reads the
 * pointer every two seconds, because file system notifications do not cross network and container mounts.
 */
export function watchRoads(
  folder: string,
  onSwitch: (version: string) => unknown,
  { everyMs = CHECK_EVERY_MS }: { everyMs?: number } = {},
): { close(): void } {
  let known: string | null | undefined;
  const check = async () => {
    const version = await currentVersion(folder);
    const isNew = known !== undefined && version !== null && version !== known;
    if (isNew) await onSwitch(version);
    known = version;
  };
  const rounds = startRounds({
    everyMs,
    round: check,
    beginsAtOnce: true,
    // A folder that cannot be read for a moment means no change; the next successful read counts.
    onError: () => {
      known ??= null;
    },
  });
  return { close: () => void rounds.stop() };
}
