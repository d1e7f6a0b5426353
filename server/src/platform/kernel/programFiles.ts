import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';

/** A checkout runs its sources. The package and the image run what `npm run build` made of them in `dist/`. */
export const isBuilt = import.meta.url.endsWith('.js');

const manifest = findPackageJSON(import.meta.url)!;
const home = new URL(isBuilt ? 'dist/' : '.', pathToFileURL(manifest));

export const programVersion: string = JSON.parse(readFileSync(manifest, 'utf8')).version;

/** A file that the program reads, by its path in the checkout. The build copies it to the same path in `dist/`. */
export const programFile = (path: string): URL => new URL(path, home);

/** A module that another thread or process runs, by its path in the checkout without an ending. */
export const programModule = (path: string): URL => programFile(`${path}${isBuilt ? '.js' : '.ts'}`);
