import { type TestContext, test } from 'node:test';
import { findChromium } from './findChromium.ts';

/**
 * A test that needs a browser. This is the only place where a test may be skipped, and only on a machine that has
 * no browser at all: it is then reported as skipped together with what to install. The house rules hold it so.
 */
export function browserTest(name: string, run: (t: TestContext) => Promise<void>): void {
  const options = {
    skip: isBrowserMissing && 'no browser here: install the package chromium',
    timeout: TIMEOUT_MS,
  };
  void test(name, options, run);
}

/** What is asked of a page may wait for ever: a run that stands still names the test. The slowest takes a minute. */
const TIMEOUT_MS = 600_000;

export const isBrowserMissing = findChromium() === undefined;
