import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const MODULE = JSON.stringify(pathToFileURL(join(import.meta.dirname, 'stopSignals.ts')).href);

/** Runs a process of its own that hears stop signals, since a process ends only once. */
function runStopping(source: string): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { setTimeout as sleep } from 'node:timers/promises';
       import { hearStopSignals } from ${MODULE};
       const signals = hearStopSignals(${LIMIT_SECONDS});
       ${source}`,
    ],
    { encoding: 'utf8' },
  );
  return { status, stdout, stderr };
}

/** A short one, for the test that reaches it; the others end long before. */
const LIMIT_SECONDS = 5;

/** What work that is repeated waits for when its process is asked to end. */
const PAUSE = `await sleep(50, undefined, { ref: false }); console.log('ended in order'); process.exit(0);`;

test('a process that was asked to end lives until it has ended in order, whatever it waits for', () => {
  assert.deepEqual(
    runStopping(
      `const serving = setInterval(() => process.kill(process.pid, 'SIGTERM'), 10);
       await signals.asked; clearInterval(serving); ${PAUSE}`,
    ),
    { status: 0, stdout: 'ended in order\n', stderr: '' },
  );
});

test('so does one that lost a vital part', () => {
  assert.deepEqual(
    runStopping(
      `signals.fail(new Error('lost')); await signals.asked.catch((e) => console.log(e.message)); ${PAUSE}`,
    ),
    { status: 0, stdout: 'lost\nended in order\n', stderr: '' },
  );
});

test('one that does not come to its end is ended, and says so', () => {
  assert.deepEqual(
    runStopping(
      `const serving = setInterval(() => process.kill(process.pid, 'SIGTERM'), 10);
       await signals.asked; clearInterval(serving); await new Promise(() => {});`,
    ),
    { status: 1, stdout: '', stderr: 'malote: ending at once (it took too long)\n' },
  );
});
