import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { type BuildResult, build } from 'esbuild';
import { type KeptFile, keptContent, typeOf } from './keptFile.ts';

export interface Bundle {
  /** By name: `app.js`, `app.css`, and the chunks that the script imports later. */
  files: ReadonlyMap<string, KeptFile>;
  /** The chunks that `app.js` imports at its start; pages load them together with it. */
  needed: readonly string[];
  /** The chunks that `app.js` imports later. */
  later: readonly string[];
  /** Changes with the contents, so that browsers may cache the files forever. */
  version: string;
}

/**
 * `whole`: a classic script. Browsers cache its compiled code when a service worker stores it, unlike that of modules.
 * `split`: a module, with a chunk for each later import.
 */
type Shape = 'whole' | 'split';

/**
 * Bundles a web app into a few files in memory, in a fraction of a second, at the first call of the returned function.
 * There is no build step, no committed build, and no outdated build beside new code.
 */
export function bundled(entry: URL, shape: Shape): () => Promise<Bundle> {
  let bundling: Promise<Bundle> | undefined;
  return () => {
    bundling ??= bundle(entry, shape).catch((error) => {
      bundling = undefined;
      throw error;
    });
    return bundling;
  };
}

async function bundle(entry: URL, shape: Shape): Promise<Bundle> {
  // The style is a single file, because chunks do not load styles.
  const whole = outputs(entry, 'whole');
  const [scripts, styles] = await Promise.all([shape === 'whole' ? whole : outputs(entry, shape), whole]);
  const named = [
    ...scripts.outputFiles.filter(({ path }) => path.endsWith('.js')),
    ...styles.outputFiles.filter(({ path }) => path.endsWith('.css')),
  ].map(({ path, contents }) => [nameOf(path), Buffer.from(contents)] as const);
  return {
    files: new Map(
      named.map(([name, content]) => [name, keptContent(typeOf(name), async () => content)] as const),
    ),
    needed: [...neededBy(scripts, 'bundle/app.js')].slice(1).map(nameOf),
    later: scripts.metafile.outputs['bundle/app.js']!.imports.filter(
      ({ kind, external }) => kind === 'dynamic-import' && !external,
    ).map(({ path }) => nameOf(path)),
    version: versionOf(...named.map(([, content]) => content)),
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
export function versionOf(...contents: readonly Buffer[]): string {
  const digest = createHash('sha256');
  for (const content of contents) digest.update(content);
  return digest.digest('hex').slice(0, 12);
}

/** Bundles one script. `constants` replace identifiers in the sources by values known only now. */
export async function bundledScript(
  entry: URL,
  constants: Readonly<Record<string, unknown>>,
): Promise<Buffer> {
  const { outputFiles } = await outputs(entry, 'whole', constants);
  return Buffer.from(outputFiles[0]!.contents);
}

type Built = Pick<BuildResult<{ write: false; metafile: true }>, 'metafile'>;

function outputs(
  entry: URL,
  shape: Shape,
  constants: Readonly<Record<string, unknown>> = {},
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
