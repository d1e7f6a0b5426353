import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Tests that call the service within their process, or no service at all. */
const SHARED =
  /^(server\/src|test\/((long\/)?(browser|lifecycle)|contract|dispatcher|driver|edges|operations|pages))\//;

/** Files that share processes, unlike most of their folders. */
const ALSO_SHARED = [
  'test/client/answers.test.ts',
  'test/client/bulk.test.ts',
  'test/client/events.test.ts',
  'test/client/lists.test.ts',
  'test/client/malote.test.ts',
  'test/client/tokens.test.ts',
  'test/client/webhooks.test.ts',
  'test/docs/contract.test.ts',
  'test/docs/documents.test.ts',
  'test/docs/postman.test.ts',
  'test/faults/cancelMeanwhile.test.ts',
  'test/faults/clock.test.ts',
  'test/faults/databaseOutage.test.ts',
  'test/faults/distribution.test.ts',
  'test/faults/merge.test.ts',
];

/** Files that do not share: they start or kill processes, or observe the whole process. */
const NOT_SHARED = [
  'server/src/platform/postgres/embedded.test.ts',
  'server/src/geo/routing/valhallaEngine.test.ts',
  'test/long/browser/driverProcess.test.ts',
  'test/edges/warnings.test.ts',
];

/** Files that run other files, each as a suite at the top, which is impossible within another suite. */
const RUN_OTHERS = ['test/long/faults/lockOrder.test.ts'];

/** Files of a minute or more. They begin first, so that none is still running when all others have ended. */
const LONG = [
  'test/long/process/demoOrders.test.ts',
  'test/long/faults/lostConnections.test.ts',
  'test/long/faults/embeddedPostgres.test.ts',
  'test/long/faults/webhooks.test.ts',
  'test/long/process/ending.test.ts',
  'test/long/browser/driverProcess.test.ts',
  'test/long/process/backup.test.ts',
  'test/long/process/package.test.ts',
];

/**
 * A process waits for its database or its browser a third of the time. Each process loads the service, so there are
 * few.
 */
const PROCESSES = Math.min(availableParallelism() + 1, 6);
/** Files that run alone wait two thirds of the time, for processes that they start and for time limits. */
const ALONE_AT_ONCE = 2;
/** The number of processes that run at a time. */
export const PROCESSES_MAX = PROCESSES + ALONE_AT_ONCE;
/** Below this number of files per process, another process does not pay. */
const FILES_MIN = 4;

const ALL = ['server/**/*.test.ts', 'test/**/*.test.ts'];
/** `npm run check` runs these. */
export const HOUSE_RULES = ['test/houseRules.test.ts', 'test/pageRules.test.ts'];
const ON_CITUS = [
  ...['contract', 'operations', 'lifecycle', 'long/lifecycle', 'dispatcher'].map(
    (folder) => `test/${folder}/**/*.test.ts`,
  ),
  'test/citus/*.ts',
];

/**
 * The test files of a run without a choice of files, as sorted paths from the root. The daily run excludes the long
 * ones, and only `npm run check` runs the house rules.
 */
export function testFiles(mode: 'daily' | 'all' | 'citus'): string[] {
  const exclude = mode === 'daily' ? [...HOUSE_RULES, 'test/long/**'] : HOUSE_RULES;
  return globSync(mode === 'citus' ? ON_CITUS : ALL, { cwd: root, exclude }).sort();
}

export function isBrowserTest(file: string): boolean {
  return /^test\/(long\/)?browser\//.test(file);
}

/** Whether a test file may run in one process with others. */
function mayShare(file: string): boolean {
  return (SHARED.test(file) && !NOT_SHARED.includes(file)) || ALSO_SHARED.includes(file);
}

/**
 * Writes the files that `node --test` runs into the folder: a few that each run the next test file that no other
 * process has begun (runFiles.ts), and one for each test file that runs alone. `node --test` begins files in the order
 * of their paths, so those in the folder are numbered.
 */
export function writeGroups(files: readonly string[], folder: string): string[] {
  const shared = files.filter(mayShare);
  const alone = files.filter((file) => !mayShare(file)).sort((a, b) => rankOf(a) - rankOf(b));
  // The longest first, so that all processes end at about the same time.
  const queue = [...shared.filter(isBrowserTest), ...shared.filter((file) => !isBrowserTest(file))];
  const count = Math.min(PROCESSES, Math.ceil(shared.length / FILES_MIN));
  const groups = Array.from({ length: count }, (_, index) => `group${index + 1}.test.mjs`);
  const others = alone.map((file, index) => {
    const number = String(index + 1).padStart(3, '0');
    const name = `other${number}.${file.replaceAll('/', '.')}`.replace(/ts$/, 'mjs');
    const source = RUN_OTHERS.includes(file) ? importOf(file) : sourceOf([file], begunIn(folder, number));
    return { name, source };
  });
  const source = sourceOf(queue, begunIn(folder, 'shared'));
  return [...groups.map((name) => ({ name, source })), ...others].map((each) => {
    const path = join(folder, each.name);
    writeFileSync(path, each.source);
    return path;
  });
}

function begunIn(folder: string, name: string): string {
  const begun = join(folder, `begun-${name}`);
  mkdirSync(begun);
  return begun;
}

const root = join(import.meta.dirname, '..', '..');

/** Long files first, the others in their given order. */
const rankOf = (file: string): number => (LONG.includes(file) ? LONG.indexOf(file) : LONG.length);

const RUNNER = pathToFileURL(join(import.meta.dirname, 'runFiles.ts')).href;

const importOf = (file: string): string =>
  `import ${JSON.stringify(pathToFileURL(join(root, file)).href)};\n`;

/** The source of a process: it runs the files that other processes have not begun. */
export const sourceOf = (files: readonly string[], begun: string): string =>
  `import { runFiles } from ${JSON.stringify(RUNNER)};\nawait runFiles(${JSON.stringify(files)}, ${JSON.stringify(begun)});\n`;
