import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { startRounds } from '../../platform/kernel/rounds.ts';
import { RoadsError } from './valhallaConfig.ts';

/**
 * The engine of real roads is an npm package of 280 MB, with binaries for three platforms. The first import of roads
 * installs it beside the roads; until then a service does not need it. In a development checkout npm has installed it.
 */
export const VALHALLA = {
  name: '@valhallajs/valhallajs',
  version: '3.6.1',
  integrity:
    'sha512-od2CkY58XW2Frf2/6KTaqgd567XwGKkwFu4ga4YjYOAdu0u3aJIODEr6zlY6sSKW3qGylW1wwg3joZHidIbaiw==',
  bytes: 280_000_000,
};
const PLATFORMS = ['linux/x64', 'linux/arm64', 'darwin/arm64'];

export interface ValhallaPackage {
  /** Loaded only in a separate process: see valhallaEngine.ts. */
  module: string;
  tileBuilder: string;
  version: string;
}

const here = `${process.platform}/${process.arch}`;

/** Several machines may share the folder of the roads, and each keeps the binaries of its own platform. */
const engineFolder = (roads: string): string =>
  join(roads, 'engine', `${VALHALLA.version}-${here.replace('/', '-')}`);

function developmentModule(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(VALHALLA.name);
  } catch {
    return undefined;
  }
}

/** The engine of a development checkout, or the one that is installed beside the roads, if any. */
export function findValhallaPackage(
  roads?: string,
  findDevelopment = developmentModule,
): ValhallaPackage | undefined {
  if (!PLATFORMS.includes(here))
    throw new RoadsError(
      `There is no engine of real roads for ${here}, only for ${PLATFORMS.join(', ')}: use a Valhalla or OSRM server over HTTP instead.`,
    );
  const installed = roads && join(engineFolder(roads), 'node_modules', VALHALLA.name, 'index.js');
  const module = [findDevelopment(), installed].find((path) => path && existsSync(path));
  if (!module) return undefined;
  return {
    module,
    tileBuilder: join(dirname(module), here, 'valhalla_build_tiles'),
    version: VALHALLA.version,
  };
}

export function requireValhallaPackage(...args: Parameters<typeof findValhallaPackage>): ValhallaPackage {
  const found = findValhallaPackage(...args);
  if (found) return found;
  throw new RoadsError(
    'The engine of real roads is not installed: "malote roads import city.osm.pbf" installs it.',
  );
}

export interface InstallOptions {
  /** The folder of the roads. */
  roads: string;
  /** A new folder on the same disk. It is moved to its place when it is complete. */
  draft: string;
  onPercent(percent: number): void;
  signal?: AbortSignal | undefined;
  source?: typeof VALHALLA;
  environment?: NodeJS.ProcessEnv;
}

/**
 * npm downloads the package, so that its registry, proxy and certificates are those that this machine has configured,
 * and checks its digest against the lock file. Rejects with a RoadsError that explains the failure to a user.
 */
export async function installValhallaPackage({
  roads,
  draft,
  onPercent,
  signal,
  source = VALHALLA,
  environment = process.env,
}: InstallOptions): Promise<void> {
  const { name, version, integrity } = source;
  const place = `node_modules/${name}`;
  const dependencies = { [name]: version };
  await mkdir(draft);
  await writeFile(join(draft, 'package.json'), JSON.stringify({ private: true, dependencies }));
  await writeFile(
    join(draft, 'package-lock.json'),
    JSON.stringify({
      lockfileVersion: 3,
      packages: { '': { dependencies }, [place]: { version, integrity } },
    }),
  );
  const progress = startRounds({
    everyMs: 500,
    round: async () => onPercent(Math.min(99, Math.floor(((await bytesIn(draft)) / source.bytes) * 100))),
    // npm moves and removes files while they are counted.
    onError: () => {},
  });
  try {
    await runNpm(draft, environment, signal);
  } finally {
    await progress.stop();
  }
  const others = PLATFORMS.filter((platform) => platform !== here);
  for (const platform of others) await rm(join(draft, place, platform), { recursive: true, force: true });
  await flush(draft);
  await mkdir(join(roads, 'engine'), { recursive: true });
  await rename(draft, engineFolder(roads)).catch((error: NodeJS.ErrnoException) => {
    // Another import has installed it meanwhile.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function bytesIn(folder: string): Promise<number> {
  const found = await Promise.all((await filesIn(folder)).map((file) => stat(file)));
  return found.reduce((sum, { size }) => sum + size, 0);
}

/** After a power failure, a complete folder must not hold incomplete files. */
async function flush(folder: string): Promise<void> {
  for (const path of await filesIn(folder)) {
    await using file = await open(path);
    await file.sync();
  }
}

/** npm runs no code of the package, and gets no passwords of the service. */
async function runNpm(
  folder: string,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal | undefined,
): Promise<void> {
  const kept = Object.entries(environment).filter(([name]) => !/^(MALOTE_|DATABASE_URL$|PG)/.test(name));
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=1', '--loglevel=error'];
  const npm = spawn('npm', ['ci', '--prefix', folder, ...options], {
    cwd: folder,
    env: Object.fromEntries(kept),
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  });
  let complaint = '';
  npm.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(0, 2000);
  });
  const end = await new Promise<number | string | null>((resolve) => {
    npm.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    npm.once('close', resolve);
  });
  if (end !== 0) throw new RoadsError(end === 'ENOENT' ? NO_NPM : explainNpm(complaint, String(end)));
}

const NO_NPM = 'npm installs the engine of real roads, and it was not found: install npm, then try again.';
const NO_CONNECTION =
  /^(E(CONN|NOTFOUND|AI_AGAIN|TIMEDOUT|NETUNREACH|HOSTUNREACH|NOTCACHED)|ERR_SOCKET_TIMEOUT)/;

function explainNpm(complaint: string, end: string): string {
  const [, code = end] = /^npm \S+ code (\S+)/m.exec(complaint) ?? [];
  if (NO_CONNECTION.test(code))
    return `The engine of real roads could not be downloaded, because npm reaches no registry (${code}). Connect this machine, or tell npm a registry or proxy that it reaches, then try again. A Valhalla or OSRM server over HTTP needs no download.`;
  if (code === 'EINTEGRITY')
    return 'The downloaded engine of real roads has another digest than expected, so it was not installed.';
  const reason = complaint.split('\n').find((line) => line && !/ code \S+$/.test(line)) ?? code;
  return `npm could not install the engine of real roads: ${reason.replace(/^npm \S+ /, '')}`;
}
