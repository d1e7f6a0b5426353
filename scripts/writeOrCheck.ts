import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/**
 * Writes the files that a script generates. With `--check` it reports the files that differ from what it would write.
 */
export async function writeOrCheck(script: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, source] of Object.entries(files)) {
    const path = join(root, name);
    const content = formatted(name, source);
    if (!process.argv.includes('--check')) await writeFile(path, content);
    else if ((await readFile(path, 'utf8').catch(() => '')) !== content) {
      console.error(`${name} is out of date: run "npx node ${script}"`);
      process.exitCode = 1;
    }
  }
}

/** Formatted as `npm run check` requires. Documents are not formatted. */
function formatted(name: string, source: string): string {
  if (name.endsWith('.md')) return source;
  const { status, stdout, stderr } = spawnSync(
    join(root, 'node_modules/.bin/biome'),
    ['format', `--stdin-file-path=${name}`],
    { input: source, encoding: 'utf8', cwd: root, maxBuffer: 64 * 1024 * 1024 },
  );
  if (status !== 0) throw new Error(stderr);
  return stdout;
}
