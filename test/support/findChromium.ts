import { spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A browser for the tests of pages: the one that npm brings, or a program that the machine has. */
export type FoundChromium = { from: 'npm' } | { from: 'machine'; program: string };

/** What the machine is like, as far as it decides which browser is used. */
export interface Machine {
  platform: string;
  arch: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** Whether the program is there and starts. */
  runs(program: string): boolean;
}

const PROGRAMS = [
  'chromium',
  'chromium-browser',
  'chromium-headless-shell',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
];

/** Places that are often not on the PATH. */
const USUAL_PLACES: Readonly<Record<string, readonly string[]>> = {
  linux: [
    ...['/usr/bin', '/usr/local/bin', '/snap/bin'].flatMap((folder) =>
      PROGRAMS.map((program) => join(folder, program)),
    ),
    '/usr/lib/chromium/chromium',
    '/opt/google/chrome/chrome',
    '/opt/microsoft/msedge/msedge',
  ],
  darwin: [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
    '/opt/homebrew/bin/chromium',
  ],
};

/** Said once by `npm test`, after all others. */
export const CHROMIUM_MISSING =
  'there is no Chromium on this machine; install the package "chromium" (Debian, Ubuntu: apt-get install chromium; ' +
  'Fedora: dnf install chromium; macOS: brew install chromium), or name a program in MALOTE_CHROMIUM';

/**
 * The program that MALOTE_CHROMIUM names, else the one from npm (which exists for Linux on x64 only), else one that
 * is installed. A program that is named but does not start is a mistake and not a reason to look further.
 */
export function findChromium(machine: Machine = thisMachine): FoundChromium | undefined {
  const { platform, arch, environment, runs } = machine;
  const named = environment.MALOTE_CHROMIUM?.trim();
  if (named) {
    if (!runs(named)) throw new Error(`MALOTE_CHROMIUM is "${named}", which does not start as a browser`);
    return { from: 'machine', program: named };
  }
  if (platform === 'linux' && arch === 'x64') return { from: 'npm' };
  const folders = (environment.PATH ?? '').split(delimiter).filter(Boolean);
  const onPath = folders.flatMap((folder) => PROGRAMS.map((program) => join(folder, program)));
  const candidates = new Set([...onPath, ...(USUAL_PLACES[platform] ?? [])]);
  const program = [...candidates].find(runs);
  return program === undefined ? undefined : { from: 'machine', program };
}

const thisMachine: Machine = {
  platform: process.platform,
  arch: process.arch,
  environment: process.env,
  runs(program) {
    try {
      accessSync(program, constants.X_OK);
      if (!statSync(program).isFile()) return false;
    } catch {
      return false;
    }
    // Ubuntu has a "chromium-browser" that only says how to install the real one.
    const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8', timeout: 30_000 });
    return status === 0 && /Chrom|Edge/.test(stdout);
  },
};

// For .ci/run: says which browser is used, or ends with 1.
if (import.meta.main) {
  const found = findChromium();
  if (found) console.log(found.from === 'npm' ? 'Chromium from npm' : found.program);
  else process.exitCode = 1;
}
