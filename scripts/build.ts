import { copyFile, glob, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { BUILT_INDEX, type BuiltIndex } from '../server/src/pages/bundle.ts';
import { bundleApp, bundleDriverWorker, type WebAppName } from '../server/src/pages/bundleSources.ts';
import { keptOnPhones } from '../server/src/pages/driver/installDriver.ts';
import { isSourceMap } from '../server/src/pages/keptFile.ts';
import { LIBRARY_FILES } from '../server/src/pages/map/installMap.ts';
import { compressFiles } from './build/compressFiles.ts';

/** `npm run build`: writes to `dist/` what the package and the image run. */
const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

/** Entries of the service: the process, and what it starts in threads and processes of their own. */
const ENTRIES = [
  'main',
  'api/http/referenceWorker',
  'dispatch/planning/planWorker',
  'geo/routing/valhallaEngineProcess',
];

/** Files that the service reads or sends as they are. */
const COPIED = ['migrations/*.sql', 'server/**/*.{csv,js}', 'web/driver/icons/*'];

await rm(dist, { recursive: true, force: true });
const copied = await Array.fromAsync(glob(COPIED, { cwd: root }));
await Promise.all([
  buildServer(),
  buildConsole(),
  buildDriver(),
  copyMapLibrary(),
  ...copied.map((path) => copy(join(root, path), path)),
]);
await compressFiles(dist, ['web', 'server/src/pages']);

/** Packages stay outside: npm installs them, with their licences and their binaries for each platform. */
async function buildServer(): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: ENTRIES.map((entry) => `server/src/${entry}.ts`),
    outbase: '.',
    outdir: 'dist',
    chunkNames: 'server/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node26',
    packages: 'external',
    external: ['./bundleSources.ts', '../bundleSources.ts'],
    sourcemap: 'linked',
    legalComments: 'none',
    logLevel: 'warning',
  });
}

async function buildConsole(): Promise<void> {
  await writeApp('console');
}

async function buildDriver(): Promise<void> {
  const { version, files } = await writeApp('driver');
  const kept = files.filter((name) => !isSourceMap(name));
  await write('web/driver/sw.js', await bundleDriverWorker(keptOnPhones(version, kept)));
}

async function writeApp(name: WebAppName): Promise<BuiltIndex> {
  const { contents, ...index } = await bundleApp(name, { sourceMaps: true });
  for (const [file, content] of contents) await write(`web/${name}/${file}`, content);
  const built: BuiltIndex = { ...index, files: [...contents.keys()] };
  await write(`web/${name}/${BUILT_INDEX}`, JSON.stringify(built));
  return built;
}

async function copyMapLibrary(): Promise<void> {
  const library = dirname(fileURLToPath(import.meta.resolve('maplibre-gl/package.json')));
  const files = ['package.json', 'LICENSE.txt', ...LIBRARY_FILES.map((name) => `dist/${name}`)];
  for (const file of files) await copy(join(library, file), `web/maplibre-gl/${file}`);
}

async function copy(source: string, path: string): Promise<void> {
  await mkdir(dirname(join(dist, path)), { recursive: true });
  await copyFile(source, join(dist, path));
}

async function write(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(join(dist, path)), { recursive: true });
  await writeFile(join(dist, path), content);
}
