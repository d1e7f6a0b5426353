import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';

/** Shown to the person who runs Malote: the message must say what to do. */
export class RoadsError extends Error {
  override name = 'RoadsError';
}

const PACKAGE = '@valhallajs/valhallajs';
const VERSION = '3.6.1';

export interface ValhallaPackage {
  /** Loaded only in a separate process: see valhallaEngine.ts. */
  module: string;
  tileBuilder: string;
  version: string;
}

/** The engine is heavy (280 MB), so it is an optional package, with binaries for some platforms only. */
export function findValhallaPackage(
  resolve: (name: string) => string = createRequire(import.meta.url).resolve,
): ValhallaPackage {
  const here = `${platform()}/${arch()}`;
  let module: string;
  try {
    module = resolve(PACKAGE);
  } catch {
    throw new RoadsError(
      `Real roads need the optional package ${PACKAGE}, which is not installed: run "npm install --include=optional" (or "npm install ${PACKAGE}@${VERSION}").`,
    );
  }
  const tileBuilder = join(dirname(module), here, 'valhalla_build_tiles');
  if (!existsSync(tileBuilder))
    throw new RoadsError(
      `${PACKAGE} has no engine for ${here} (only linux/x64, linux/arm64 and darwin/arm64): use a Valhalla or OSRM server over HTTP instead.`,
    );
  return { module, tileBuilder, version: VERSION };
}
