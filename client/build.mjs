// Compiles src/ to dist/: modules and their types, for `npm pack`.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2] ?? join(import.meta.dirname, 'dist');
rmSync(folder, { recursive: true, force: true });
const { status } = spawnSync('tsc', ['-p', import.meta.dirname, '--outDir', folder], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
// The compiler rewrites import extensions in .js files only. From the .ts extensions in .d.ts files, older compilers
// would look for sources that are not in the package.
for (const name of readdirSync(folder).filter((each) => each.endsWith('.d.ts'))) {
  const file = join(folder, name);
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.\/\w+)\.ts'/g, "$1.js'"));
}
