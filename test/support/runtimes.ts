import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from './findProgram.ts';

const modules = join(import.meta.dirname, '../../node_modules');

/**
 * Where npm puts the programs, in packages of their own for each platform. The packages that name them (deno, bun,
 * workerd) would link them at installation, by a script that this repository does not allow.
 */
const packaged: Readonly<Record<string, readonly string[]>> = {
  deno: [
    '@deno/linux-x64-glibc/deno',
    '@deno/linux-arm64-glibc/deno',
    '@deno/darwin-x64/deno',
    '@deno/darwin-arm64/deno',
  ],
  bun: [
    '@oven/bun-linux-x64/bin/bun',
    '@oven/bun-linux-aarch64/bin/bun',
    '@oven/bun-darwin-x64/bin/bun',
    '@oven/bun-darwin-aarch64/bin/bun',
  ],
  workerd: [
    '@cloudflare/workerd-linux-64/bin/workerd',
    '@cloudflare/workerd-linux-arm64/bin/workerd',
    '@cloudflare/workerd-darwin-64/bin/workerd',
    '@cloudflare/workerd-darwin-arm64/bin/workerd',
  ],
};

/** The program of a runtime, from npm or from the PATH. npm installs the packages of this platform alone. */
export function findRuntime(name: string): string | undefined {
  const [own] = (packaged[name] ?? []).map((path) => join(modules, path)).filter((path) => existsSync(path));
  return own ?? findProgram(name, `the client in ${name}`);
}
