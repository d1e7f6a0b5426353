import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { dataFolder, postmasterOf, START_MS } from '../support/maloteProcess.ts';
import { waitUntil } from '../support/waitUntil.ts';

const root = join(import.meta.dirname, '../..');

/** In a group of its own, so that the test can end all of it whatever happens. */
function run(command: string, args: string[], env: Record<string, string>): ChildProcess {
  const clean = Object.entries(process.env).filter(
    ([name]) => !/^(MALOTE_|NODE_|npm_|DATABASE_URL$)/i.test(name),
  );
  const child = spawn(command, args, {
    cwd: root,
    env: { ...Object.fromEntries(clean), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  after(() => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // All of it has ended.
    }
  });
  return child;
}

const ways: [command: string, ...args: string[]][] = [
  ['npm', 'start'],
  ['npm', 'run', 'malote', '--', 'serve'],
  ['npx', 'malote', 'serve'],
];

for (const [command, ...args] of ways)
  test(`SIGTERM to "${[command, ...args].join(' ')}" ends the service and its database`, async () => {
    const folder = await dataFolder();
    const child = run(command, args, { MALOTE_DATA: folder, MALOTE_DEMO: 'empty', PORT: '0' });
    let printed = '';
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    await waitUntil('the service listens', () => printed.includes('/docs'), START_MS);
    child.kill('SIGTERM');
    await once(child, 'close');
    await waitUntil('PostgreSQL has ended', () => postmasterOf(folder) === undefined);
    assert.match(printed, /"msg":"stopping"/);
  });
