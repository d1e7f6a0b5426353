import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { haversineMetres, type Position } from '../kernel/position.ts';
import { buildTiles, freeBytes, stopped } from './buildTiles.ts';
import { type ExtractSurvey, surveyExtract } from './extract.ts';
import type { ImportProgress } from './importProgress.ts';
import { importingOf, newVersion, type Roads, switchRoads, touchRegularly } from './roads.ts';
import { drawStreets } from './streets/drawStreets.ts';
import { valhallaRouter } from './valhalla.ts';
import { startValhallaEngine } from './valhallaEngine.ts';
import { findValhallaPackage, RoadsError, type ValhallaPackage } from './valhallaPackage.ts';

/** Measured: a city's tiles and the builder's scratch files take 20 times its extract; larger ones take less. */
const DISK_PER_EXTRACT_BYTE = 10;
const TRIALS_MAX = 40;
const TRIAL_METRES = { min: 30, max: 5000 };

export interface ImportOptions {
  /** An OpenStreetMap extract, .osm.pbf. */
  pbf: string;
  folder: string;
  onProgress?: (progress: ImportProgress) => void;
  signal?: AbortSignal;
  clock?: Clock;
}

/**
 * Builds roads from an extract, tests them and makes them current; running services load them by themselves. Until
 * that moment nothing in use is changed, so an import may fail or be stopped at any time. Rejects with a
 * RoadsError that explains the failure to a user.
 */
export async function importRoads({
  pbf,
  folder,
  onProgress = () => {},
  signal,
  clock = systemClock,
}: ImportOptions): Promise<Roads> {
  const found = findValhallaPackage();
  onProgress({ stage: 'looking through the extract', percent: 0 });
  const survey = await surveyExtract(pbf);

  const version = newVersion(clock.now());
  const building = importingOf(resolve(folder), version);
  const tiles = join(building, 'tiles');
  await mkdir(tiles, { recursive: true }).catch((error: Error) => {
    throw new RoadsError(`The roads folder ${folder} cannot be written: ${error.message}.`);
  });
  const stopTouching = touchRegularly(building);
  try {
    await assertRoom(building, survey.bytes);
    await buildTiles(found, resolve(pbf), tiles, { onProgress, signal });
    onProgress({ stage: 'drawing streets', percent: 94 });
    await drawStreets(resolve(pbf), building, signal);
    onProgress({ stage: 'trying the new roads', percent: 96 });
    const built = await flushedTiles(tiles);
    await assertRoutes(found, tiles, survey);
    const roads: Roads = {
      version,
      source: {
        name: basename(pbf),
        bytes: survey.bytes,
        modifiedAt: survey.modifiedAt.toString({ smallestUnit: 'second' }),
      },
      bounds: survey.bounds,
      tiles: built,
      builtAt: clock.now().toString({ smallestUnit: 'second' }),
      engine: `valhalla ${found.version}`,
    };
    if (signal?.aborted) throw stopped();
    await switchRoads(folder, roads);
    onProgress({ stage: 'in use', percent: 100 });
    return roads;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
      throw new RoadsError('The disk is full; the roads in use are unchanged.');
    throw error;
  } finally {
    stopTouching();
    await rm(building, { recursive: true, force: true });
  }
}

async function assertRoom(folder: string, extractBytes: number): Promise<void> {
  const free = await freeBytes(folder);
  const needed = extractBytes * DISK_PER_EXTRACT_BYTE;
  if (free < needed)
    throw new RoadsError(
      `The disk has too little room: about ${megabytes(needed)} MB are needed, ${megabytes(free)} MB are free.`,
    );
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 1_000_000);

/** Counts the tiles and syncs each to disk: after a power failure the pointer must not refer to missing tiles. */
async function flushedTiles(folder: string): Promise<Roads['tiles']> {
  const total = { count: 0, bytes: 0 };
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.gph')) continue;
    const file = await open(join(entry.parentPath, entry.name));
    try {
      await file.sync();
      total.count++;
      total.bytes += (await file.stat()).size;
    } finally {
      await file.close();
    }
  }
  if (total.count === 0) throw new RoadsError('The tile builder made no tiles.');
  return total;
}

/** One route between two nearby places of the extract proves that the tiles can be read. */
async function assertRoutes(
  found: ValhallaPackage,
  tiles: string,
  { samples }: ExtractSurvey,
): Promise<void> {
  const engine = startValhallaEngine(found, tiles, { threads: 1, timeoutMs: 20_000 });
  const router = valhallaRouter('trial', engine.ask, { snapMetres: 500 });
  let reason = 'no two places in it are near each other';
  try {
    for (const pair of nearPairs(samples)) {
      const tried = await router.route(pair, 'car').catch((error: Error) => error);
      if (!(tried instanceof Error)) return;
      reason = tried.message;
    }
  } finally {
    await engine.close();
  }
  throw new RoadsError(`The new roads lead nowhere (${reason}); the roads in use are unchanged.`);
}

function nearPairs(samples: Position[]): [Position, Position][] {
  const pairs = samples.flatMap((from, index) =>
    samples.slice(index + 1).flatMap((to): [Position, Position][] => {
      const metres = haversineMetres(from, to);
      return metres >= TRIAL_METRES.min && metres <= TRIAL_METRES.max ? [[from, to]] : [];
    }),
  );
  // Spread over all pairs: the first places of an extract may all lie on one unconnected path.
  const step = Math.max(1, Math.floor(pairs.length / TRIALS_MAX));
  return pairs.filter((_, index) => index % step === 0).slice(0, TRIALS_MAX);
}
