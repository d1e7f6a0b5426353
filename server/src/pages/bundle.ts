import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { isBuilt, programFile } from '../platform/kernel/programFiles.ts';
import { Refusal } from '../platform/kernel/refusal.ts';
import type { BundledSources, BundleIndex, WebAppName } from './bundleSources.ts';
import { type KeptFile, keptContent, keptFile, typeOf } from './keptFile.ts';

export interface Bundle extends BundleIndex {
  /** By name. */
  files: ReadonlyMap<string, KeptFile>;
}

/** What `npm run build` writes beside the files of a bundle. */
export interface BuiltIndex extends BundleIndex {
  files: readonly string[];
}
export const BUILT_INDEX = 'bundle.json';

/** The files of a web app: built ones, or in a checkout its sources, bundled in memory at the first call. */
export function openBundle(name: WebAppName): () => Promise<Bundle> {
  let opening: Promise<Bundle> | undefined;
  return () => {
    opening ??= (isBuilt ? readBuilt(name) : bundleInMemory(name)).catch((error) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
}

async function readBuilt(name: WebAppName): Promise<Bundle> {
  const folder = programFile(`web/${name}/`);
  const { files, ...index }: BuiltIndex = JSON.parse(await readFile(new URL(BUILT_INDEX, folder), 'utf8'));
  return { ...index, files: new Map(files.map((file) => [file, keptFile(new URL(file, folder))])) };
}

async function bundleInMemory(name: WebAppName): Promise<Bundle> {
  // Loaded only here: nothing is bundled where the program is built, and the bundler is not installed.
  const { bundleApp } = await import('./bundleSources.ts');
  const { contents, ...index }: BundledSources = await bundleApp(name);
  return {
    ...index,
    files: new Map(
      [...contents].map(([file, content]) => [file, keptContent(typeOf(file), async () => content)]),
    ),
  };
}

/** Serves the files of a bundle below a path, under the bundle's version. */
export function installFiles(app: FastifyInstance, path: string, bundle: () => Promise<Bundle>): void {
  app.get<{ Params: { version: string; name: string } }>(`${path}/:version/:name`, async (request, reply) => {
    const { version, files } = await bundle();
    const file = files.get(request.params.name);
    // Browsers cache the answer for this version for ever, so the content of another version must not be sent.
    if (!file || request.params.version !== version) throw new Refusal('route-not-found');
    return file.send(request, reply, true);
  });
}
