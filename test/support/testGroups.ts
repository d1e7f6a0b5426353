import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Tests that call the service in their own process, or no service at all. */
const SHARED = /^(server\/src|test\/(browser|contract|dispatcher|driver|edges|lifecycle|operations|pages))\//;

/** Except those that start or kill processes, or listen to what the whole process does. */
const ALONE = [
  'server/src/postgres/embedded.test.ts',
  'server/src/routing/valhallaEngine.test.ts',
  'test/browser/driverProcess.test.ts',
  'test/edges/warnings.test.ts',
];

/** Loading the service costs a process two seconds. Smaller groups would pay it more often, larger ones end late. */
const GROUP_SIZE = 12;
/** A page takes as long as many requests. */
const BROWSER_GROUP_SIZE = 4;

export function isBrowserTest(file: string): boolean {
  return file.startsWith('test/browser/');
}

/** Whether a test file may run in one process with others. */
function mayShare(file: string): boolean {
  return SHARED.test(file) && !ALONE.includes(file);
}

/**
 * What `node --test` is given for these files: those that run alone, and for the others one file for each group,
 * written into the folder, which runs its files one after the other (runFiles.ts).
 */
export function writeGroups(files: readonly string[], folder: string): string[] {
  const shared = files.filter(mayShare);
  const groups = [
    ...makeGroups(shared.filter(isBrowserTest), BROWSER_GROUP_SIZE),
    ...makeGroups(
      shared.filter((file) => !isBrowserTest(file)),
      GROUP_SIZE,
    ),
  ];
  return [
    ...groups.map((group, index) => writeGroup(group, join(folder, `group${index + 1}.test.mjs`))),
    ...files.filter((file) => !mayShare(file)),
  ];
}

/** Dealt out like cards: neighbours are often alike, and a group of slow files would end last. */
function makeGroups(files: readonly string[], size: number): string[][] {
  const count = Math.ceil(files.length / size);
  return Array.from({ length: count }, (_, group) => files.filter((_, index) => index % count === group));
}

function writeGroup(files: readonly string[], path: string): string {
  if (files.length === 1) return files[0]!;
  const runner = pathToFileURL(join(import.meta.dirname, 'runFiles.ts')).href;
  writeFileSync(
    path,
    `import { runFiles } from ${JSON.stringify(runner)};\nawait runFiles(${JSON.stringify(files)});\n`,
  );
  return path;
}
