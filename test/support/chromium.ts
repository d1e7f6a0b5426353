import { randomUUID } from 'node:crypto';
import {
  chmodSync,
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
import { dirname, join } from 'node:path';
import sparticuz, { inflate } from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM_MISSING, findChromium } from './findChromium.ts';

const packageFolder = dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')));
const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
  version: string;
};

const isRoot = process.getuid?.() === 0;

const ARGS = [
  // Maps want WebGL, and a machine for tests has no graphics card.
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--font-render-hinting=none',
  // Whatever a page tries, it reaches nobody but this machine; nor does the browser by itself.
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
 * A real Chromium with an empty profile. On Linux it always shows text in the fonts that npm brings, whichever
 * browser it is, so that pages have the same widths everywhere.
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
  // Chromium has no sandbox for root, and none in containers that forbid what it is made of.
  if (!isRoot) {
    const confined = await chromium.launch({ ...options, chromiumSandbox: true }).catch(() => undefined);
    if (confined) return confined;
  }
  return chromium.launch({ ...options, chromiumSandbox: false });
}

/** Takes eight seconds, so it is done once for each user of a machine, and not by two test files at a time. */
async function unpacked(what: 'browser' | 'fonts'): Promise<string> {
  const owner = process.getuid?.() ?? 0;
  const folder = join(tmpdir(), `malote-chromium-${what}-${version}-${owner}`);
  const isReady = () => existsSync(join(folder, 'ready')) && statSync(folder).uid === owner;
  if (isReady()) return folder;
  const scratch = `${folder}.${randomUUID()}`;
  mkdirSync(scratch, { mode: 0o755 });
  try {
    await unpackInto(scratch, folder, what);
    writeFileSync(join(scratch, 'ready'), '');
    rmSync(folder, { recursive: true, force: true });
    renameSync(scratch, folder);
  } catch (error) {
    // Another file's tests were faster.
    if (!isReady()) throw error;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return folder;
}

/** Fontconfig wants to be told where things will be in the end. */
async function unpackInto(folder: string, home: string, what: 'browser' | 'fonts'): Promise<void> {
  const { TMPDIR } = process.env;
  const archive = (name: string) => inflate(join(packageFolder, 'bin', name));
  process.env.TMPDIR = folder;
  // All look where to unpack to before they wait for anything.
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
