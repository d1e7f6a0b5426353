import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { findProgram } from '../support/findProgram.ts';
import { startService } from '../support/maloteProcess.ts';
import { startedFolder } from '../support/startedFolder.ts';

const root = join(import.meta.dirname, '../..');
const bin = join(root, 'node_modules/.bin');
const folder = mkdtempSync(join(tmpdir(), 'malote-program-'));
after(() => rmSync(folder, { recursive: true }));

/** The programs of a page, by the name under which a reader saves them. */
function programsOf(page: string): Record<string, string> {
  const text = readFileSync(join(root, page), 'utf8');
  const blocks = [...text.matchAll(/```(?:ts|python) (program\.\w+)\n([\s\S]*?)```/g)];
  return Object.fromEntries(blocks.map(([, name, source]) => [name!, source!]));
}

const programs = programsOf('docs/program.md');

test('both languages have the same two programs', () => {
  assert.deepEqual(Object.keys(programs), ['program.ts', 'program.py']);
  assert.deepEqual(programsOf('docs/programa.pt-BR.md'), programs);
});

const environment = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
const service = await startService({ MALOTE_DATA: await startedFolder(), MALOTE_COURIERS: 'off' });

/** Saves a program with a free port for its webhooks, and runs it as the page says. */
async function output(name: string, command: string, args: readonly string[] = []): Promise<string[]> {
  writeFileSync(join(folder, name), programs[name]!.replaceAll('4000', String(await freePort())));
  const child = spawn(command, [...args, name], {
    cwd: folder,
    timeout: 120_000,
    env: { ...environment, MALOTE_URL: service.url },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  assert.equal(code, 0, printed);
  return printed.trim().split('\n');
}

/** As npm installs it. */
function installClient(): void {
  const installed = join(folder, 'node_modules/malote-client');
  mkdirSync(installed, { recursive: true });
  cpSync(join(root, 'client/package.json'), join(installed, 'package.json'));
  const built = spawnSync(process.execPath, [join(root, 'client/build.mjs'), join(installed, 'dist')], {
    encoding: 'utf8',
    env: environment,
  });
  assert.equal(built.status, 0, built.stdout);
}

test('the program in TypeScript compiles, and does with the client what it says', async () => {
  installClient();
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'program.ts'), programs['program.ts']!);
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'esnext', '--types', 'node'];
  const checked = spawnSync(
    join(bin, 'tsc'),
    [...options, '--typeRoots', join(root, 'node_modules/@types'), 'program.ts'],
    {
      cwd: folder,
      encoding: 'utf8',
      env: environment,
    },
  );
  assert.equal(checked.status, 0, checked.stdout);
  const [quoted, ...lines] = await output('program.ts', process.execPath);
  assert.match(quoted!, /^quoted: \d+\.\d+$/);
  assert.deepEqual(lines, [
    'replayed: true',
    'again: repetida',
    'by own key: true',
    'refused: 1, category-not-found',
    'statuses: 3',
    'changed: true',
    'error: WrongStateError, delivery-over',
    'fields: paradas',
    'webhook: verified',
    'live: entrega.status',
    'sandbox: dispatched',
  ]);
});

test('the program in Python does with its standard library what it says', async () => {
  const python = findProgram('python3', 'the program in Python');
  if (!python) return;
  const [quoted, ...lines] = await output('program.py', python);
  assert.match(quoted!, /^quoted: \d+\.\d+$/);
  assert.deepEqual(lines, [
    'replayed: true',
    'again: repetida',
    'by own key: True',
    "refused: ['category-not-found']",
    'statuses: 3',
    'changed: True',
    'error: 406 delivery-over',
    'webhook: verified',
    'sandbox: dispatched',
  ]);
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
