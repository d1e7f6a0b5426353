import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { type BuildResult, build } from 'esbuild';
import { type KeptFile, keptContent, typeOf } from './keptFile.ts';

export interface Bundle {
  /** By name: `app.js`, `app.css`, and the chunks that the script imports later. */
  files: ReadonlyMap<string, KeptFile>;
  /** The chunks without which `app.js` does not run: asked for together with it. */
  needed: readonly string[];
  /** What `app.js` imports when it has begun to run. */
  later: readonly string[];
  /** Changes with the contents, so that browsers may cache the files forever. */
  version: string;
}

/**
 * `whole`: a classic script. Browsers compile one for good when a service worker keeps it, and no module.
 * `split`: a module, with a chunk for everything that it imports later.
 */
type Shape = 'whole' | 'split';

/**
 * A web app of ours as a few files, bundled in memory from its sources in a fraction of a second, at the first call
 * of the function that this returns. There is no build step, no committed build, and no old build beside new code.
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
  // The style is one file whatever is loaded when: a chunk would not bring its own.
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

/** A script, and all that it imports before it runs. */
function neededBy({ metafile }: Built, script: string, found = new Set<string>()): Set<string> {
  found.add(script);
  for (const { path, kind, external } of metafile.outputs[script]!.imports)
    if (kind === 'import-statement' && !external && !found.has(path)) neededBy({ metafile }, path, found);
  return found;
}

/** A name for these contents. */
export function versionOf(...contents: readonly Buffer[]): string {
  const digest = createHash('sha256');
  for (const content of contents) digest.update(content);
  return digest.digest('hex').slice(0, 12);
}

/** One script. `constants`: what stands in the sources for values known only now. */
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
    // The map library is served from our own files too, and loaded only when a map is shown.
    external: ['/mapa/*'],
    metafile: true,
    logLevel: 'silent',
  });
}
