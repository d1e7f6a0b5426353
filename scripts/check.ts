import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { HOUSE_RULES } from '../test/support/testGroups.ts';

/** `npm run check`: all static checks. All failures are shown. */
const checks: [name: string, command: string, args: string[]][] = [
  ['format and lint', 'biome', ['check', '--error-on-warnings', '.']],
  ['promises and types', 'oxlint', ['--type-aware', '--deny-warnings']],
  ['compiler', 'tsc', ['-p', '.', '--noEmit']],
  ['compiler, tracking page', 'tsc', ['-p', 'server/src/pages/tracking', '--noEmit']],
  ['compiler, console', 'tsc', ['-p', 'web/console', '--noEmit']],
  ['compiler, driver', 'tsc', ['-p', 'web/driver', '--noEmit']],
  ['compiler, driver’s service worker', 'tsc', ['-p', 'web/driver/worker', '--noEmit']],
  ['compiler, client', 'tsc', ['-p', 'client', '--noEmit']],
  ['dead code', 'knip', ['--no-progress', '--treat-config-hints-as-errors']],
  ['schema.sql', 'node', ['scripts/dumpSchema.ts', '--check']],
  ['SQL', 'node', ['scripts/checkSql.ts']],
  ['client', 'node', ['scripts/generateClient.ts', '--check']],
  ['documents', 'node', ['scripts/writeDocuments.ts', '--check']],
  ['house rules', 'node', ['--test', ...HOUSE_RULES]],
];

const root = join(import.meta.dirname, '..');
const binaries = join(root, 'node_modules', '.bin');

for (const [name, command, args] of checks) {
  const started = Date.now();
  const { code, output } = await run(command, args);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'}  ${name} (${command}, ${seconds} s)`);
  if (code !== 0) {
    console.log(output.trimEnd().replace(/^/gm, '        '));
    process.exitCode = 1;
  }
}

function run(command: string, args: string[]): Promise<{ code: number; output: string }> {
  const child = spawn(join(binaries, command), args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    // The tools are scripts that find Node by the PATH.
    env: { ...process.env, PATH: `${binaries}:${process.env.PATH}` },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: 1, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
