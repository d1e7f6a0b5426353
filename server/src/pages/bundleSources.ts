import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { type BuildResult, build } from 'esbuild';
import { programFile } from '../platform/kernel/programFiles.ts';
import { isSourceMap } from './keptFile.ts';

/**
 * `whole`: a classic script. Browsers cache its compiled code when a service worker stores it, unlike that of modules.
 * `split`: a module, with a chunk for each later import.
 */
const SHAPES = { console: 'split', driver: 'whole' } as const;
type Shape = 'split' | 'whole';

export type WebAppName = keyof typeof SHAPES;

export interface BundleOptions {
  sourceMaps?: boolean;
}

export interface BundleIndex {
  /** The chunks that `app.js` imports at its start; pages load them together with it. */
  needed: readonly string[];
  /** The chunks that `app.js` imports later. */
  later: readonly string[];
  /** Changes with the contents, so that browsers may cache the files forever. */
  version: string;
}

export interface BundledSources extends BundleIndex {
  /** By name: `app.js`, `app.css`, and the chunks that the script imports later. */
  contents: ReadonlyMap<string, Buffer>;
}

/** Bundles a web app into a few files in memory, in a fraction of a second. */
export async function bundleApp(
  name: WebAppName,
  { sourceMaps = false }: BundleOptions = {},
): Promise<BundledSources> {
  const entry = programFile(`web/${name}/src/main.tsx`);
  const shape = SHAPES[name];
  const options = { sourceMaps };
  // The style is a single file, because chunks do not load styles.
  const whole = outputs(entry, 'whole', options);
  const [scripts, styles] = await Promise.all([
    shape === 'whole' ? whole : outputs(entry, shape, options),
    whole,
  ]);
  const contents = new Map(
    [
      ...scripts.outputFiles.filter(({ path }) => /\.js(\.map)?$/.test(path)),
      ...styles.outputFiles.filter(({ path }) => /\.css(\.map)?$/.test(path)),
    ].map(({ path, contents }) => [nameOf(path), Buffer.from(contents)] as const),
  );
  return {
    contents,
    needed: [...neededBy(scripts, 'bundle/app.js')].slice(1).map(nameOf),
    later: scripts.metafile.outputs['bundle/app.js']!.imports.filter(
      ({ kind, external }) => kind === 'dynamic-import' && !external,
    ).map(({ path }) => nameOf(path)),
    version: versionOf(...[...contents].filter(([name]) => !isSourceMap(name)).map(([, content]) => content)),
  };
}

const nameOf = (path: string): string => path.split(/[\\/]/).at(-1)!;

/** A script, and all of its static imports. */
function neededBy({ metafile }: Built, script: string, found = new Set<string>()): Set<string> {
  found.add(script);
  for (const { path, kind, external } of metafile.outputs[script]!.imports)
    if (kind === 'import-statement' && !external && !found.has(path)) neededBy({ metafile }, path, found);
  return found;
}

/** A version derived from the contents. */
function versionOf(...contents: readonly Buffer[]): string {
  const digest = createHash('sha256');
  for (const content of contents) digest.update(content);
  return digest.digest('hex').slice(0, 12);
}

export interface KeptOnPhones {
  /** The version of the bundle. */
  version: string;
  page: string;
  paths: readonly string[];
}

/** The worker contains the names of the files, so it changes with each of them, and phones update. */
export async function bundleDriverWorker({ version, page, paths }: KeptOnPhones): Promise<Buffer> {
  const constants = { VERSION: `${version}-${versionOf(Buffer.from(page))}`, FILES: paths };
  const { outputFiles } = await outputs(programFile('web/driver/worker/sw.ts'), 'whole', { constants });
  return Buffer.from(outputFiles[0]!.contents);
}

type Built = Pick<BuildResult<{ write: false; metafile: true }>, 'metafile'>;

interface OutputOptions extends BundleOptions {
  constants?: Readonly<Record<string, unknown>>;
}

function outputs(
  entry: URL,
  shape: Shape,
  { constants = {}, sourceMaps = false }: OutputOptions = {},
): Promise<BuildResult<{ write: false; metafile: true }>> {
  return build({
    entryPoints: { app: fileURLToPath(entry) },
    bundle: true,
    write: false,
    outdir: 'bundle',
    format: shape === 'split' ? 'esm' : 'iife',
    splitting: shape === 'split',
    chunkNames: '[name]-[hash]',
    jsx: 'automatic',
    minify: true,
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    sourcemap: sourceMaps && 'linked',
    define: {
      'process.env.NODE_ENV': '"production"',
      ...Object.fromEntries(Object.entries(constants).map(([name, value]) => [name, JSON.stringify(value)])),
    },
    // The map library is also served by this service, and loaded only when a map is shown.
    external: ['/mapa/*'],
    metafile: true,
    logLevel: 'silent',
  });
}
