import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import sparticuz, { inflate } from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

/** A browser for the tests of pages: the one from npm, or a program of the machine. */
export type FoundChromium = { from: 'npm' } | { from: 'machine'; program: string };

/** The facts about the machine that decide which browser is used. */
export interface Machine {
  platform: string;
  arch: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** Whether the program exists and starts. */
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

/** Common install locations that are often not on the PATH. */
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

/** Printed once by `npm test`, at its end. */
export const CHROMIUM_MISSING =
  'there is no Chromium on this machine; install the package "chromium" (Debian, Ubuntu: apt-get install chromium; ' +
  'Fedora: dnf install chromium; macOS: brew install chromium), or name a program in MALOTE_CHROMIUM';

/**
 * The program that MALOTE_CHROMIUM names, else the one from npm (which exists for Linux on x64 only), else an installed
 * one. A named program that does not start is an error, and no other is tried.
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
    // Ubuntu's "chromium-browser" may be a stub that only explains how to install the real one.
    const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8', timeout: 30_000 });
    return status === 0 && /Chrom|Edge/.test(stdout);
  },
};

// For .ci/run: prints which browser is used, or ends with 1.
if (import.meta.main) {
  const found = findChromium();
  if (found) console.log(found.from === 'npm' ? 'Chromium from npm' : found.program);
  else process.exitCode = 1;
}

const packageFolder = dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')));
const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
  version: string;
};

const isRoot = process.getuid?.() === 0;

/** Playwright's own list, which a second --disable-features replaces. A test compares it with Playwright's. */
const DISABLED_BY_PLAYWRIGHT = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
  'msEdgeUpdateLaunchServicesPreferredVersion',
  'msForceBrowserSignIn',
];

/** An installed Chromium also loads invisible pages for every window: its address bar's and an empty one. */
const DISABLED_FEATURES = [
  ...DISABLED_BY_PLAYWRIGHT,
  'SpareRendererForSitePerProcess',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxPopup',
];

export const ARGS = [
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
  // Maps need WebGL, and test machines have no graphics card.
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  // Only maps use the software WebGL: drawing whole pages with it takes a third of a file's processor time.
  '--disable-gpu-compositing',
  '--font-render-hinting=none',
  // Neither a page nor the browser itself can reach another machine.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
  '--no-pings',
];

/**
 * A real Chromium with an empty profile. On Linux every browser uses the fonts from npm, so that pages have the same
 * widths everywhere.
 */
export async function launchChromium(): Promise<Browser> {
  const found = findChromium();
  if (!found) throw new Error(CHROMIUM_MISSING);
  if (found.from === 'npm') {
    const folder = await unpacked('browser');
    return chromium.launch({
      args: ARGS,
      executablePath: join(folder, 'chromium'),
      env: {
        ...process.env,
        LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
        FONTCONFIG_FILE: join(folder, 'fonts.conf'),
      },
    });
  }
  const env =
    process.platform === 'linux'
      ? { ...process.env, FONTCONFIG_FILE: join(await unpacked('fonts'), 'fonts.conf') }
      : process.env;
  const options = { args: ARGS, executablePath: found.program, env };
  // Chromium has no sandbox for root, nor in containers that forbid the system calls that it needs.
  if (!isRoot) {
    const confined = await chromium.launch({ ...options, chromiumSandbox: true }).catch(() => undefined);
    if (confined) return confined;
  }
  return chromium.launch({ ...options, chromiumSandbox: false });
}

/**
 * Takes eight seconds, so it is done once per user of a machine. A rename creates the complete folder at once. A ready
 * folder is never replaced, because another process may run the browser in it.
 */
export async function unpacked(what: 'browser' | 'fonts', parent = keptFolder()): Promise<string> {
  const owner = process.getuid?.() ?? 0;
  const folder = join(parent, `malote-chromium-${what}-${version}-${owner}`);
  const isReady = () => existsSync(join(folder, 'ready')) && statSync(folder).uid === owner;
  if (isReady()) return folder;
  const scratch = `${folder}.${randomUUID()}`;
  const damaged = `${scratch}.damaged`;
  mkdirSync(scratch, { mode: 0o755 });
  try {
    await unpackInto(scratch, folder, what);
    writeFileSync(join(scratch, 'ready'), '');
    // A folder that is not ready has lost files to a clean-up of temporary files.
    if (!isReady() && existsSync(folder)) renameSync(folder, damaged);
    renameSync(scratch, folder);
  } catch (error) {
    // Another process was faster, and a rename does not replace a folder that has files.
    if (!isReady()) throw error;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
    rmSync(damaged, { recursive: true, force: true });
  }
  return folder;
}

/** Outside the run's folder for temporary files, which is removed at its end. */
const keptFolder = (): string => process.env.MALOTE_TEST_KEPT ?? tmpdir();

/** Unpacks into `folder`, which is later renamed to `home`. Fontconfig's file names the final paths. */
async function unpackInto(folder: string, home: string, what: 'browser' | 'fonts'): Promise<void> {
  const { TMPDIR } = process.env;
  const archive = (name: string) => inflate(join(packageFolder, 'bin', name));
  process.env.TMPDIR = folder;
  // Each call reads TMPDIR synchronously, before its first wait.
  const unpacking =
    what === 'browser' ? [sparticuz.executablePath(), archive('al2023.tar.br')] : [archive('fonts.tar.br')];
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  await Promise.all(unpacking);
  if (what === 'browser') chmodSync(join(folder, 'chromium'), 0o755);
  writeFileSync(
    join(folder, 'fonts.conf'),
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${home}/fonts</dir><cachedir>${home}/fonts-cache</cachedir></fontconfig>
`,
  );
}
