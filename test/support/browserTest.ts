import { type TestContext, test } from 'node:test';
import { findChromium } from './findChromium.ts';

/**
 * A test that needs a browser. This is the only place where a test may be skipped, and only on a machine that has
 * no browser at all: it is then reported as skipped together with what to install. The house rules hold it so.
 */
export function browserTest(name: string, run: (t: TestContext) => Promise<void>): void {
  void test(name, { skip: isBrowserMissing && 'no browser here: install the package chromium' }, run);
}

export const isBrowserMissing = findChromium() === undefined;
