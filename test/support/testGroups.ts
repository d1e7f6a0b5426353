import { mkdirSync, writeFileSync } from 'node:fs';
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

/** Loading the service costs a process two seconds, a browser two more, so there are few. */
const PROCESSES = 3;
/** For fewer files than this another process does not pay. */
const FILES_MIN = 4;

export function isBrowserTest(file: string): boolean {
  return file.startsWith('test/browser/');
}

/** Whether a test file may run in one process with others. */
function mayShare(file: string): boolean {
  return SHARED.test(file) && !ALONE.includes(file);
}

/**
 * What `node --test` is given for these files: those that run alone, and for the others a few files, written into the
 * folder, each of which is a process that runs the next file that nobody has begun, until all are run (runFiles.ts).
 */
export function writeGroups(files: readonly string[], folder: string): string[] {
  const shared = files.filter(mayShare);
  const alone = files.filter((file) => !mayShare(file));
  if (shared.length < 2) return [...shared, ...alone];
  // The longest first, so that all processes end at about the same time.
  const queue = [...shared.filter(isBrowserTest), ...shared.filter((file) => !isBrowserTest(file))];
  const begun = join(folder, 'begun');
  mkdirSync(begun);
  const count = Math.min(PROCESSES, Math.ceil(shared.length / FILES_MIN));
  const groups = Array.from({ length: count }, (_, index) => {
    const path = join(folder, `group${index + 1}.test.mjs`);
    writeFileSync(path, sourceOf(queue, begun));
    return path;
  });
  return [...groups, ...alone];
}

const RUNNER = pathToFileURL(join(import.meta.dirname, 'runFiles.ts')).href;

/** The test file of a group: runs what others have not begun. */
export const sourceOf = (files: readonly string[], begun: string): string =>
  `import { runFiles } from ${JSON.stringify(RUNNER)};\nawait runFiles(${JSON.stringify(files)}, ${JSON.stringify(begun)});\n`;
