import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { chromium } from 'playwright-core';
import { ARGS, findChromium, type Machine, unpacked } from './findChromium.ts';

const machine = (platform: string, arch: string, programs: string[], environment = {}): Machine => ({
  platform,
  arch,
  environment: { PATH: '/usr/games:/usr/bin', ...environment },
  runs: (program) => programs.includes(program),
});

const found: [string, Machine, ReturnType<typeof findChromium>][] = [
  [
    'the program that is named, before all others',
    machine('linux', 'x64', ['/opt/mine', '/usr/bin/chromium'], { MALOTE_CHROMIUM: '/opt/mine' }),
    { from: 'machine', program: '/opt/mine' },
  ],
  ['npm’s on Linux for x64', machine('linux', 'x64', ['/usr/bin/chromium']), { from: 'npm' }],
  [
    'an installed one on Linux for arm64',
    machine('linux', 'arm64', ['/usr/bin/chromium', '/usr/games/google-chrome']),
    { from: 'machine', program: '/usr/games/google-chrome' },
  ],
  [
    'one that is not on the PATH',
    machine('linux', 'arm64', ['/opt/microsoft/msedge/msedge']),
    { from: 'machine', program: '/opt/microsoft/msedge/msedge' },
  ],
  [
    'an application of macOS',
    machine('darwin', 'arm64', ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome']),
    { from: 'machine', program: '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome' },
  ],
  ['none where there is none', machine('linux', 'arm64', []), undefined],
];

for (const [what, on, expected] of found)
  test(`a browser for the tests: ${what}`, () => assert.deepEqual(findChromium(on), expected));

test('a browser that is named but does not start is a mistake, not a reason to skip tests', () => {
  const on = machine('linux', 'arm64', ['/usr/bin/chromium'], { MALOTE_CHROMIUM: '/nowhere' });
  assert.throws(() => findChromium(on), /MALOTE_CHROMIUM is "\/nowhere"/);
});

test('the browser for the tests disables all that Playwright disables', async () => {
  const disabledBy = (line: string) => /--disable-features=(\S+)/.exec(line)?.[1]?.split(',') ?? [];
  // A program that ends at once: the error quotes the command line.
  const failed = await chromium.launch({ executablePath: process.execPath }).catch((error: Error) => error);
  assert.ok(failed instanceof Error);
  const byPlaywright = disabledBy(failed.message);
  assert.ok(byPlaywright.includes('PaintHolding'), failed.message);
  const ours = new Set(disabledBy(ARGS.join(' ')));
  assert.deepEqual(
    byPlaywright.filter((feature) => !ours.has(feature)),
    [],
  );
});

test('the first browser that is unpacked is kept by those who unpack it at the same time', async (t) => {
  const parent = mkdtempSync(join(tmpdir(), 'malote-unpacked-'));
  t.after(() => rmSync(parent, { recursive: true }));
  let inUse = '';
  const folders = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const folder = await unpacked('fonts', parent);
      if (inUse === '') {
        inUse = join(folder, 'in use');
        writeFileSync(inUse, '');
      }
      return folder;
    }),
  );
  assert.equal(new Set(folders).size, 1);
  assert.ok(existsSync(inUse));
  assert.equal((await readdir(parent)).length, 1);
});

test('a browser that lost files is unpacked again', async (t) => {
  const parent = mkdtempSync(join(tmpdir(), 'malote-unpacked-'));
  t.after(() => rmSync(parent, { recursive: true }));
  const folder = await unpacked('fonts', parent);
  rmSync(join(folder, 'ready'));
  rmSync(join(folder, 'fonts.conf'));
  assert.equal(await unpacked('fonts', parent), folder);
  assert.ok(existsSync(join(folder, 'fonts.conf')));
  assert.equal((await readdir(parent)).length, 1);
});
