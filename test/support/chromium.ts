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

const packageFolder = dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')));
const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
  version: string;
};

/**
 * A real Chromium that came with npm, with the libraries and fonts it needs, so that a machine without any of
 * them shows pages as every other does. Elsewhere than on Linux for x64 the machine's own Chrome.
 */
export async function launchChromium(): Promise<Browser> {
  const options = {
    args: [
      // Maps want WebGL, and a machine for tests has no graphics card.
      '--use-gl=angle',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--font-render-hinting=none',
      // Whatever a page tries, it reaches nobody but this machine.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
    ],
  };
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return chromium.launch({ ...options, channel: 'chrome' });
  const folder = await unpacked();
  return chromium.launch({
    ...options,
    executablePath: join(folder, 'chromium'),
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    },
  });
}

/** Takes eight seconds, so it is done once for each user of a machine, and not by two test files at a time. */
async function unpacked(): Promise<string> {
  const owner = process.getuid?.() ?? 0;
  const folder = join(tmpdir(), `malote-chromium-${version}-${owner}`);
  const isReady = () => existsSync(join(folder, 'ready')) && statSync(folder).uid === owner;
  if (isReady()) return folder;
  const scratch = `${folder}.${randomUUID()}`;
  mkdirSync(scratch, { mode: 0o755 });
  try {
    await unpackInto(scratch, folder);
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
async function unpackInto(folder: string, home: string): Promise<void> {
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  // Both look where to unpack to before they wait for anything.
  const unpacking = [sparticuz.executablePath(), inflate(join(packageFolder, 'bin', 'al2023.tar.br'))];
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  await Promise.all(unpacking);
  chmodSync(join(folder, 'chromium'), 0o755);
  writeFileSync(
    join(folder, 'fonts.conf'),
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${home}/fonts</dir><cachedir>${home}/fonts-cache</cachedir></fontconfig>
`,
  );
}
