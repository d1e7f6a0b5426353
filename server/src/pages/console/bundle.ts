import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ENTRY = fileURLToPath(new URL('../../../../console/src/main.tsx', import.meta.url));

export interface Bundle {
  script: Buffer;
  style: Buffer;
  /** Changes with the contents, so that browsers may cache the file forever. */
  version: string;
}

/**
 * The console as two files, bundled in memory from its sources in a fraction of a second. There is no build step,
 * no committed build, and no old build beside new code.
 */
export async function bundleConsole(): Promise<Bundle> {
  const { outputFiles } = await build({
    entryPoints: [ENTRY],
    bundle: true,
    write: false,
    outdir: 'console',
    format: 'esm',
    jsx: 'automatic',
    minify: true,
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"' },
    // The map library is served from our own files too, and loaded only when a map is shown.
    external: ['/mapa/*'],
    logLevel: 'silent',
  });
  const file = (ending: string) =>
    Buffer.from(outputFiles.find(({ path }) => path.endsWith(ending))?.contents ?? '');
  const script = file('.js');
  const style = file('.css');
  const version = createHash('sha256').update(script).update(style).digest('hex').slice(0, 12);
  return { script, style, version };
}
