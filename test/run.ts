import { spawn } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { startCitusServer } from './support/citusServer.ts';
import { startTestServer } from './support/database.ts';
import { type FileResult, faultsOf, repeatable, slowest } from './support/filesReporter.ts';
import { CHROMIUM_MISSING, findChromium } from './support/findChromium.ts';
import { neverDocumented, neverProvoked } from './support/provokedRefusals.ts';
import { makeRunFolder } from './support/runFolder.ts';
import { isBrowserTest, PROCESSES_MAX, testFiles, writeGroups } from './support/testGroups.ts';

/**
 * `npm test`: all tests but those in test/long, on one PostgreSQL. `npm test -- <files or folders> [options of
 * node --test]` runs some. `npm run test:all` runs all, as CI does. `npm run test:citus` is the same on a cluster of
 * Citus, with the tests that are about more than one process.
 */
const mode = (['all', 'citus'] as const).find((each) => process.argv[2] === `--${each}`) ?? 'daily';
const isOnCitus = mode === 'citus';

const UNPROVOKED = 'No test is answered with these refusals of api/http/failures';
const UNDOCUMENTED = 'Endpoints answered with refusals that their descriptions (`refusals`) do not name';

/** The number of slow files that a run of all tests names, and any run with MALOTE_TEST_TIMES. */
const SLOWEST = 25;

const root = join(import.meta.dirname, '..');

// Registered first: a signal during the server's start must not leave it running.
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort());

process.exitCode = await run(process.argv.slice(mode === 'daily' ? 2 : 3));

async function run(args: string[]): Promise<number> {
  const unknown = args.filter(isPattern).filter((pattern) => found(pattern).length === 0);
  if (unknown.length > 0) {
    console.error(`there is no test file of that name: ${unknown.join(', ')}`);
    return 1;
  }
  const files = filesOf(args);
  const kept = tmpdir();
  const folder = await makeRunFolder();
  try {
    // From here on, the temporary folder of this process and all that it starts.
    process.env.TMPDIR = folder.path;
    return await runOnServer(args, files, kept);
  } finally {
    // A process that a test left behind may still write there. The next run removes the folder.
    await folder
      .remove()
      .catch((error: Error) => console.error(`cannot remove ${folder.path}: ${error.message}`));
  }
}

async function runOnServer(args: string[], files: string[], kept: string): Promise<number> {
  const server = await (isOnCitus ? startCitusServer() : startTestServer()).catch((error: Error) => {
    console.error(`cannot prepare the test database: ${error.message}`);
    return undefined;
  });
  if (!server) return 1;
  const isAll = isWhole(args) && !isOnCitus;
  const refusals = join(tmpdir(), 'refusals');
  await mkdir(refusals);
  const runFiles = async (chosen: readonly string[], name: string) => {
    const [shared, byFile] = [join(tmpdir(), name), join(tmpdir(), `${name}.json`)];
    await mkdir(shared);
    const code = await runTests(
      [
        '--test-reporter=./test/support/filesReporter.ts',
        `--test-reporter-destination=${byFile}`,
        ...args.filter((arg) => !isPattern(arg)),
        ...(isOnCitus ? chosen : writeGroups(chosen, shared)),
      ],
      {
        MALOTE_TEST_PG: JSON.stringify(server.connection),
        MALOTE_TEST_REFUSALS: refusals,
        MALOTE_TEST_SHARED: shared,
        MALOTE_TEST_KEPT: kept,
        MALOTE_TEST_SCREENSHOTS: process.env.MALOTE_TEST_SCREENSHOTS ?? (isWhole(args) ? 'no' : 'yes'),
      },
    );
    return { code, results: await resultsIn(byFile) };
  };
  try {
    let { code, results } = await runFiles(files, 'shared');
    if (isAll || process.env.MALOTE_TEST_TIMES) console.log(slowest(results, SLOWEST));
    const again = isAll && mode === 'all' && code !== 0 ? repeatable(files, results) : [];
    if (again.length > 0 && !interrupted.signal.aborted) {
      console.log(`\nFailed beside all other tests, run again alone: ${again.join(', ')}`);
      const repeated = await runFiles(again, 'again');
      code = repeated.code;
      results = [...results.filter(({ file }) => !again.includes(file)), ...repeated.results];
      if (code === 0)
        console.log(`\nUNSTABLE: ${again.join(', ')} passed alone. The failure above is a defect.`);
    }
    return (
      code ||
      (isOnCitus || !isChosenByFile(args)
        ? 0
        : complain(faultsOf(files, results, findChromium() !== undefined))) ||
      complainOf(UNDOCUMENTED, await neverDocumented(refusals)) ||
      (isAll ? complainOf(UNPROVOKED, neverProvoked(refusals)) : 0)
    );
  } finally {
    await server.stop();
    if (files.some(isBrowserTest) && !findChromium())
      console.log(`The tests of pages were skipped: ${CHROMIUM_MISSING}.`);
    if (isWhole(args) && mode === 'daily')
      console.log('The long tests (test/long) were not run. "npm run test:all" runs all tests, as CI does.');
  }
}

/**
 * Resolves when the tests have ended, by themselves or by our signal, so that the server is always stopped after them.
 */
function runTests(args: string[], extra: Record<string, string>): Promise<number> {
  const given = [
    `--import=${join(root, 'test', 'support', 'noteRefusals.ts')}`,
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-concurrency=${isOnCitus ? 4 : PROCESSES_MAX}`,
    ...args,
  ];
  const child = spawn(process.execPath, ['--test', ...given], {
    cwd: root,
    stdio: 'inherit',
    // Shared modules are compiled once for all processes.
    env: { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'), ...process.env, ...extra },
    signal: interrupted.signal,
  });
  return new Promise((resolveCode, reject) => {
    child.once('error', (error) => error.name === 'AbortError' || reject(error));
    child.once('exit', (code) => resolveCode(code ?? 1));
  });
}

/** Whether the run has no choice of tests: a part of the tests cannot provoke every refusal. */
function isWhole(args: string[]): boolean {
  return args.every((arg) => arg.startsWith('--test-reporter'));
}

/** Whether all tests of the files are meant to run. */
function isChosenByFile(args: string[]): boolean {
  return isWhole(args.filter((arg) => !isPattern(arg)));
}

/** What the reporter wrote; nothing where the test runner itself was ended. */
async function resultsIn(path: string): Promise<FileResult[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text === '' ? [] : (JSON.parse(text) as FileResult[]);
}

function complain(faults: readonly string[]): number {
  for (const fault of faults) console.error(fault);
  return faults.length === 0 ? 0 : 1;
}

function complainOf(what: string, refusals: readonly string[]): number {
  return complain(refusals.length === 0 ? [] : [`${what}: ${refusals.join(', ')}.`]);
}

/** The value of an option (--test-name-pattern "refuses") must not be taken for a file. */
function isPattern(arg: string): boolean {
  if (arg.startsWith('-')) return false;
  return (
    arg.includes('*') ||
    arg.endsWith('.ts') ||
    statSync(resolve(root, arg), { throwIfNoEntry: false }) !== undefined
  );
}

/** The requested files, as paths from the root. */
function filesOf(args: string[]): string[] {
  const patterns = args.filter(isPattern);
  if (patterns.length === 0) return testFiles(mode);
  return [...new Set(patterns.flatMap(found).map((path) => relative(root, resolve(root, path))))].sort();
}

function found(pattern: string): string[] {
  return globSync(inFolder(pattern), { cwd: root });
}

function inFolder(pattern: string): string {
  const isFolder = statSync(resolve(root, pattern), { throwIfNoEntry: false })?.isDirectory();
  return isFolder ? `${pattern.replace(/\/$/, '')}/**/*.test.ts` : pattern;
}
