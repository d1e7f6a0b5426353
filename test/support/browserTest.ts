import { type TestContext, test } from 'node:test';
import { findChromium } from './findChromium.ts';

/**
 * A test that needs a browser. This is the only place where a test may be skipped, and only on a machine without any
 * browser. The skipped test reports what to install. The house rules enforce this.
 */
export function browserTest(name: string, run: (t: TestContext) => Promise<void>): void {
  const options = {
    skip: isBrowserMissing && 'no browser here: install the package chromium',
    timeout: TIMEOUT_MS,
  };
  void test(name, options, run);
}

/** A page may never answer. The limit makes a hanging run name its test. The slowest test takes a minute. */
const TIMEOUT_MS = 600_000;

export const isBrowserMissing = findChromium() === undefined;
