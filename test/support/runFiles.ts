import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, describe } from 'node:test';
import { pathToFileURL } from 'node:url';

/**
 * Keeps the process alive. Node ends a process that has nothing to wait for, such as one whose test waits for an
 * unref'd timer.
 */
const AWAKE_MS = 600_000;

const root = join(import.meta.dirname, '..', '..');

/**
 * Runs test files one after the other in this process, which loads the service only once for all of them. Other
 * processes may run the same list: each takes the next file that has no note in the folder `begun`. A file is a suite
 * with its path as name. Its hooks belong to that suite, so its server and its database are gone before the next file
 * is loaded.
 */
export async function runFiles(files: readonly string[], begun: string): Promise<void> {
  let running: string | undefined;
  closing = [];
  process.on('exit', () => {
    if (running === undefined) return;
    const left = files.filter((_, index) => !existsSync(noteOf(begun, index)));
    console.error(`the process ended within ${running}; not begun by then: ${left.join(', ')}`);
    process.exitCode = 1;
  });
  for (const [index, file] of files.entries()) {
    if (!isFirst(noteOf(begun, index))) continue;
    running = file;
    const { promise: hasEnded, resolve: end } = Promise.withResolvers<void>();
    const awake = setTimeout(() => undefined, AWAKE_MS);
    const before = replaceable();
    void describe(file, async () => {
      try {
        await import(pathToFileURL(resolve(root, file)).href);
      } finally {
        // Registered last, so it runs after all other hooks of the file.
        after(() => {
          setImmediate(end);
          assert.deepEqual(replaceable(), before, 'the file leaves a replaced global to the next file');
        });
      }
    });
    await hasEnded;
    clearTimeout(awake);
    running = undefined;
  }
  for (const close of closing) await close();
}

/** Globals that tests replace. A file that does not restore them would affect the next file of this process. */
const replaceable = () =>
  ['fetch', 'document', 'location', 'Date', 'Temporal', 'setTimeout'].map((name) =>
    Object.getOwnPropertyDescriptor(globalThis, name),
  );

const noteOf = (begun: string, index: number): string => join(begun, String(index));

/** Whether this process is the first to create the note. */
function isFirst(note: string): boolean {
  try {
    writeFileSync(note, '', { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

let closing: (() => Promise<void>)[] | undefined;

/** Registers a function that closes a shared resource after the last test file of this process. */
export function afterAllFiles(close: () => Promise<void>): void {
  if (closing) closing.push(close);
  else after(close);
}
