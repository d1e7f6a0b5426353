import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';

const OPEN_LOG = join(import.meta.dirname, 'openLog.ts');

/** A process that runs the script with a log. It is killed if it does not end. */
function logging(script: string, stdout: 'pipe' | number) {
  const source = `
    import { setTimeout as sleep } from 'node:timers/promises';
    import { openLog } from ${JSON.stringify(OPEN_LOG)};
    const log = openLog({ logLevel: 'info' });
    ${script}`;
  return spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['pipe', stdout, 'pipe'],
    timeout: 30_000,
    killSignal: 'SIGKILL',
  });
}

const ended = (child: ReturnType<typeof logging>) =>
  new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal)));

const numberIn = (line: string): number => JSON.parse(line).n;

test('waiting lines are written when the process ends', async () => {
  const child = logging('for (let n = 0; n < 20; n += 1) log.info({ n }); process.exit(7);', 'pipe');
  const [lines, end] = await Promise.all([text(child.stdout!), ended(child)]);
  assert.equal(end, 7);
  assert.deepEqual(lines.trimEnd().split('\n').map(numberIn), [...Array(20).keys()]);
});

test('a reader that is slow for a while gets all lines in their order', async () => {
  // Using process.stdout makes the pipe non-blocking, so a full pipe refuses writes.
  const child = logging(
    `process.stdout.write('');
     for (let n = 0; n < 20_000; n += 1) {
       log.info({ n });
       if (n % 500 === 0) await sleep(1);
     }
     console.error('all logged');
     process.stdin.resume();`,
    'pipe',
  );
  await once(child.stderr!, 'data');
  const numbers: number[] = [];
  for await (const line of createInterface(child.stdout!))
    if (numbers.push(numberIn(line)) === 20_000) child.stdin!.end();
  assert.deepEqual(numbers, [...Array(20_000).keys()]);
});

// A file that is open for reading only fails as a full disk does, on every system.
for (const [name, stdout] of [
  ['cannot be written', openSync(import.meta.filename, 'r')],
  ['has no reader any more', 'pipe'],
] as const)
  for (const [moment, pause] of [
    ['at once', 0],
    ['later', 500],
  ] as const)
    test(`a log that ${name} neither stops the service nor prevents its end ${moment}`, async () => {
      const child = logging(
        `process.stdin.once('data', async () => {
           log.info('first');
           await sleep(${pause});
           log.info('second');
           console.error('still here');
           process.exit(7);
         });`,
        stdout,
      );
      child.stdout?.destroy();
      child.stdin!.write('now');
      const [said, end] = await Promise.all([text(child.stderr!), ended(child)]);
      assert.deepEqual([said, end], ['still here\n', 7]);
    });
