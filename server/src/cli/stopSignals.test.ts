import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const MODULE = JSON.stringify(pathToFileURL(join(import.meta.dirname, 'stopSignals.ts')).href);

/** Runs a separate process with stop signals, because a process ends only once. */
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

/** A short limit for the test that reaches it; the other processes end long before. */
const LIMIT_SECONDS = 5;

/** A pause with an unreferenced timer, like those of repeated work during a stop. */
const PAUSE = `await sleep(50, undefined, { ref: false }); console.log('ended in order'); process.exit(0);`;

test('a process that was asked to stop lives until it has stopped in order, whatever it waits for', () => {
  assert.deepEqual(
    runStopping(
      `const serving = setInterval(() => process.kill(process.pid, 'SIGTERM'), 10);
       await signals.asked; clearInterval(serving); ${PAUSE}`,
    ),
    { status: 0, stdout: 'ended in order\n', stderr: '' },
  );
});

test('a process that lost a vital part lives until it has stopped in order', () => {
  assert.deepEqual(
    runStopping(
      `signals.fail(new Error('lost')); await signals.asked.catch((e) => console.log(e.message)); ${PAUSE}`,
    ),
    { status: 0, stdout: 'lost\nended in order\n', stderr: '' },
  );
});

test('a process that exceeds the time limit is ended, and says so', () => {
  assert.deepEqual(
    runStopping(
      `const serving = setInterval(() => process.kill(process.pid, 'SIGTERM'), 10);
       await signals.asked; clearInterval(serving); await new Promise(() => {});`,
    ),
    { status: 1, stdout: '', stderr: 'malote: ending at once (it took too long)\n' },
  );
});
