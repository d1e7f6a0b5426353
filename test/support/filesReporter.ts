import type { TestEvent } from 'node:test/reporters';

/** What the test runner reported about one test file. */
export interface FileResult {
  /** Its path from the root. */
  file: string;
  /** The tests that ran. */
  tests: number;
  skipped: number;
  /** Whether a test or a hook of the file failed. */
  failed: boolean;
  /** From the loading of the file to the end of its last hook. */
  seconds: number;
}

/**
 * A reporter of node --test beside the one that people read: the results by file, as JSON. A file is a suite at the top
 * with its path as name (runFiles.ts). Tests are reported in the order of processes; beginnings and ends of suites as
 * they happen.
 */
export default async function* filesReporter(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const results = new Map<string, FileResult>();
  const begun = new Map<string, number>();
  const resultOf = (file: string): FileResult => {
    const result = results.get(file) ?? { file, tests: 0, skipped: 0, failed: false, seconds: 0 };
    results.set(file, result);
    return result;
  };
  let current = '';
  for await (const { type, data } of source) {
    if (!data) continue;
    if (type === 'test:enqueue' && data.nesting === 0) begun.set(data.name, performance.now());
    if (type === 'test:start' && data.nesting === 0) current = data.name;
    const isSuite = 'details' in data && data.details?.type === 'suite';
    if (type === 'test:complete' && data.nesting === 0 && isSuite)
      resultOf(data.name).seconds = (performance.now() - (begun.get(data.name) ?? 0)) / 1000;
    if (type === 'test:fail' && data.nesting === 0) resultOf(data.name).failed = true;
    if ((type !== 'test:pass' && type !== 'test:fail') || data.nesting === 0 || isSuite) continue;
    if (data.skip === undefined) resultOf(current).tests += 1;
    else resultOf(current).skipped += 1;
  }
  yield JSON.stringify([...results.values()]);
}

/**
 * What is wrong with a run whose tests have all passed: a file of which no test ran, because its process ended before
 * or because it has none, and tests that were skipped although there is a browser.
 */
export function faultsOf(
  files: readonly string[],
  results: readonly FileResult[],
  hasBrowser: boolean,
): string[] {
  const byFile = new Map(results.map((result) => [result.file, result]));
  const missing = files.filter((file) => {
    const { tests, skipped } = byFile.get(file) ?? { tests: 0, skipped: 0 };
    return tests === 0 && (hasBrowser || skipped === 0);
  });
  const skipping = hasBrowser ? results.filter(({ skipped }) => skipped > 0).map(({ file }) => file) : [];
  return [
    ...(missing.length > 0 ? [`No test of these files ran: ${missing.join(', ')}.`] : []),
    ...(skipping.length > 0 ? [`Tests of these files were skipped: ${skipping.join(', ')}.`] : []),
  ];
}

/**
 * The files to run again, alone, after a run of all tests that failed: some tests compete for two cores with killed
 * processes and browsers. None where more files failed, or where a failure belongs to no file: then something is broken.
 */
export function repeatable(files: readonly string[], results: readonly FileResult[]): string[] {
  const failed = results.filter((result) => result.failed).map(({ file }) => file);
  return failed.length <= REPEATED_MAX && failed.every((file) => files.includes(file)) ? failed : [];
}

const REPEATED_MAX = 2;

/** The files that took longest, one to a line. Files run beside each other, so the times do not add up. */
export const slowest = (results: readonly FileResult[], count: number): string =>
  results
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, count)
    .map(({ file, tests, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file} (${tests} tests)`)
    .join('\n');
