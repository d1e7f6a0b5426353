import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes the files that a script makes; with `--check` it says which of them are not what it would make now. */
export async function writeOrCheck(script: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(import.meta.dirname, '..', name);
    if (!process.argv.includes('--check')) await writeFile(path, content);
    else if ((await readFile(path, 'utf8').catch(() => '')) !== content) {
      console.error(`${name} is out of date: run "npx node ${script}"`);
      process.exitCode = 1;
    }
  }
}
