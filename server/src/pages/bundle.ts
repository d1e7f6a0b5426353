import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type KeptFile, keptContent, typeOf } from './keptFile.ts';

export interface Bundle {
  script: KeptFile;
  style: KeptFile;
  /** Changes with the contents, so that browsers may cache the files forever. */
  version: string;
}

/** `iife`: a classic script. Browsers compile one for good when a service worker keeps it, and no module. */
type Format = 'esm' | 'iife';

/**
 * A web app of ours as two files, bundled in memory from its sources in a fraction of a second, at the first call
 * of the function that this returns. There is no build step, no committed build, and no old build beside new code.
 */
export function bundled(entry: URL, format: Format): () => Promise<Bundle> {
  let bundling: Promise<Bundle> | undefined;
  return () => {
    bundling ??= bundle(entry, format).catch((error) => {
      bundling = undefined;
      throw error;
    });
    return bundling;
  };
}

async function bundle(entry: URL, format: Format): Promise<Bundle> {
  const files = await bundledFiles(entry, format);
  const [script, style] = [files('.js'), files('.css')];
  return {
    script: keptContent(typeOf('.js'), async () => script),
    style: keptContent(typeOf('.css'), async () => style),
    version: versionOf(script, style),
  };
}

/** A name for these contents. */
export function versionOf(...contents: readonly Buffer[]): string {
  const digest = createHash('sha256');
  for (const content of contents) digest.update(content);
  return digest.digest('hex').slice(0, 12);
}

/** `constants`: what stands in the sources for values known only now. */
export async function bundledFiles(
  entry: URL,
  format: Format,
  constants: Readonly<Record<string, unknown>> = {},
): Promise<(ending: string) => Buffer> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(entry)],
    bundle: true,
    write: false,
    outdir: 'bundle',
    format,
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
    logLevel: 'silent',
  });
  return (ending) => Buffer.from(outputFiles.find(({ path }) => path.endsWith(ending))?.contents ?? '');
}
