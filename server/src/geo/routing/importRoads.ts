import { spawn } from 'node:child_process';
import { mkdir, open, readdir, rm, statfs } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { type Clock, systemClock } from '../../platform/kernel/clock.ts';
import { haversineMetres, type Position } from '../../platform/kernel/position.ts';
import { type ExtractSurvey, surveyExtract } from './extract.ts';
import { importingOf, newVersion, type Roads, switchRoads, touchRegularly } from './roadFolder.ts';
import { drawStreets } from './streets/drawStreets.ts';
import { valhallaRouter } from './valhalla.ts';
import { missingLibrary, RoadsError, tileBuilderConfig } from './valhallaConfig.ts';
import { startValhallaEngine } from './valhallaEngine.ts';
import {
  findValhallaPackage,
  installValhallaPackage,
  requireValhallaPackage,
  VALHALLA,
  type ValhallaPackage,
} from './valhallaPackage.ts';

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
  engine?: ValhallaPackage;
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
  engine,
}: ImportOptions): Promise<Roads> {
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
    const found = engine ?? (await readyEngine(resolve(folder), building, { onProgress, signal }));
    await assertRoom(building, survey.bytes * DISK_PER_EXTRACT_BYTE);
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

interface BuildOptions {
  onProgress(progress: ImportProgress): void;
  signal: AbortSignal | undefined;
}

/** Installs the engine before the first import on this platform. */
async function readyEngine(
  roads: string,
  building: string,
  { onProgress, signal }: BuildOptions,
): Promise<ValhallaPackage> {
  if (!findValhallaPackage(roads)) {
    const stage = `installing the engine of real roads (${megabytes(VALHALLA.bytes)} MB, once)`;
    const onPercent = (percent: number) => onProgress({ stage, percent });
    onPercent(0);
    await assertRoom(building, VALHALLA.bytes);
    await installValhallaPackage({ roads, draft: join(building, 'engine'), onPercent, signal }).catch(
      (error: unknown) => {
        throw signal?.aborted ? stopped() : error;
      },
    );
  }
  return requireValhallaPackage(roads);
}

async function assertRoom(folder: string, needed: number): Promise<void> {
  const free = await freeBytes(folder);
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

/** How far an import is, in words and in hundredths. */
export interface ImportProgress {
  stage: string;
  percent: number;
}

/** The builder reports only the beginning of a stage, so the shares of stages are those measured for a city. */
const STAGES: [said: RegExp, progress: ImportProgress][] = [
  [/Parsing ways/, { stage: 'reading roads', percent: 5 }],
  [/Parsing relations/, { stage: 'reading turn restrictions', percent: 35 }],
  [/Parsing nodes/, { stage: 'reading places', percent: 40 }],
  [/Creating graph edges/, { stage: 'joining roads', percent: 46 }],
  [/Building \d+ tiles/, { stage: 'building tiles', percent: 50 }],
  [/Enhancing local graph/, { stage: 'refining tiles', percent: 60 }],
  [/HierarchyBuilder$/, { stage: 'sorting roads by rank', percent: 75 }],
  [/Creating shortcuts/, { stage: 'adding shortcuts', percent: 80 }],
  [/Adding complex turn restrictions/, { stage: 'adding turn restrictions', percent: 90 }],
  [/Validating, finishing/, { stage: 'finishing tiles', percent: 93 }],
];

/** The progress that a line of the tile builder's log reports, if any. */
export const progressIn = (line: string): ImportProgress | undefined =>
  STAGES.find(([said]) => said.test(line))?.[1];

const BAR_WIDTH = 30;

export interface ProgressDisplay {
  show(progress: ImportProgress): void;
  /** Ends the line of the progress, so that further output begins on a new line. */
  end(): void;
}

/** A bar on a terminal, one line for each stage elsewhere. */
export function displayProgress(stream: { isTTY?: boolean; write(text: string): unknown }): ProgressDisplay {
  let lastStage: string | undefined;
  return {
    show({ stage, percent }) {
      const share = `${String(percent).padStart(3)} % ${stage}`;
      if (stream.isTTY) {
        const filled = Math.round((percent / 100) * BAR_WIDTH);
        stream.write(`\r\x1b[2K${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${share}`);
      } else if (stage !== lastStage) stream.write(`${share}\n`);
      lastStage = stage;
    },
    end() {
      if (stream.isTTY && lastStage !== undefined) stream.write('\n');
    },
  };
}

const DISK_ALMOST_FULL_BYTES = 16 * 1024 * 1024;

/** Runs Valhalla's tile builder over an extract. Rejects with a RoadsError that explains the failure. */
async function buildTiles(
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
    throw new RoadsError(
      missingLibrary(complaint) ??
        `The tile builder failed (${end}): ${complaint.trim() || 'without a message'}.`,
    );
  } finally {
    process.removeListener('exit', kill);
    signal?.removeEventListener('abort', kill);
  }
}

const stopped = (): RoadsError => new RoadsError('The import was stopped; the roads in use are unchanged.');

/** On a full disk the builder ends with a bus error and no message. */
async function isDiskFull(folder: string): Promise<boolean> {
  return (await freeBytes(folder)) < DISK_ALMOST_FULL_BYTES;
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
