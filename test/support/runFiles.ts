import { join, resolve } from 'node:path';
import { after, describe } from 'node:test';
import { pathToFileURL } from 'node:url';

/** Node ends a process in which nothing is under way, such as one whose test waits for a timer that does not count. */
const AWAKE_MS = 600_000;

const root = join(import.meta.dirname, '..', '..');

/**
 * Runs test files one after the other in this process, which loads the service only once for all of them. Each file
 * is a suite with its path as name. Its hooks belong to that suite, so its server and its database are gone before
 * the next file is loaded.
 */
export async function runFiles(files: readonly string[]): Promise<void> {
  const left = [...files];
  closing = [];
  process.on('exit', () => {
    if (left.length === 0) return;
    console.error(`the process ended within ${left[0]}; not run: ${left.slice(1).join(', ')}`);
    process.exitCode = 1;
  });
  for (const file of files) {
    const { promise: hasEnded, resolve: end } = Promise.withResolvers<void>();
    const awake = setTimeout(() => undefined, AWAKE_MS);
    void describe(file, async () => {
      try {
        await import(pathToFileURL(resolve(root, file)).href);
      } finally {
        // The last hook of the file, and therefore run after all others.
        after(() => setImmediate(end));
      }
    });
    await hasEnded;
    clearTimeout(awake);
    left.shift();
  }
  for (const close of closing) await close();
}

let closing: (() => Promise<void>)[] | undefined;

/** Closes what all test files of this process share, after the last of them. */
export function afterAllFiles(close: () => Promise<void>): void {
  if (closing) closing.push(close);
  else after(close);
}
