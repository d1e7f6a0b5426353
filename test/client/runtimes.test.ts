import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, test } from 'node:test';
import { build } from 'esbuild';
import { clientCheckInput } from '../support/clientCheckInput.ts';
import { reportUnchecked } from '../support/findProgram.ts';
import { startMalote } from '../support/malote.ts';
import { findRuntime } from '../support/runtimes.ts';
import { waitUntil } from '../support/waitUntil.ts';

const malote = await startMalote();
const folder = mkdtempSync(join(tmpdir(), 'malote-runtimes-'));
after(() => rmSync(folder, { recursive: true }));
const input = await clientCheckInput(malote);
const CHECKS = 8;

/** One file with the client in it, which imports nothing. */
async function bundled(name: string, source: string): Promise<string> {
  const outfile = join(folder, name);
  await build({
    stdin: { contents: source, resolveDir: join(import.meta.dirname, '../support') },
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    outfile,
    logLevel: 'silent',
  });
  return outfile;
}
const program = await bundled(
  'program.mjs',
  `import { checkClient } from './clientChecks.ts';
console.log(JSON.stringify(await checkClient(JSON.parse(process.argv[2]))));`,
);

/** The service answers in this process, so a program is not waited for synchronously. */
function run(command: string, args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(command, args, {
    cwd: folder,
    // Less than the time limit of an attempt: a program ends when it has its answers.
    timeout: 20_000,
    env: { PATH: process.env.PATH, HOME: folder, DENO_DIR: folder, DENO_NO_UPDATE_CHECK: '1' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

async function assertChecked(command: string, args: readonly string[]): Promise<void> {
  const { code, output } = await run(command, [...args, program, JSON.stringify(input)]);
  assert.equal(code, 0, output);
  assert.equal(JSON.parse(output).length, CHECKS, output);
}

/** An older Node of this machine, beside the pinned one. */
function olderNode(): string | undefined {
  for (const place of new Set((process.env.PATH ?? '').split(delimiter))) {
    const { stdout } = spawnSync(join(place, 'node'), ['--version'], { encoding: 'utf8' });
    const major = Number(/^v(\d+)/.exec(stdout ?? '')?.[1]);
    if (major >= 20 && major < Number(process.versions.node.split('.')[0])) return join(place, 'node');
  }
  reportUnchecked('older Node', 'the client in Node 20');
  return undefined;
}

test('the client works in the pinned Node', () => assertChecked(process.execPath, []));

test('the client works in Node 20', async () => {
  const node = olderNode();
  if (node) await assertChecked(node, []);
});

test('the client works in Deno, with the network as its only permission', async () => {
  const deno = findRuntime('deno');
  if (deno) await assertChecked(deno, ['run', '--no-remote', '--no-npm', '--allow-net=127.0.0.1']);
});

test('the client works in Bun', async () => {
  const bun = findRuntime('bun');
  if (bun) await assertChecked(bun, ['run']);
});

test('the client works in a worker of Cloudflare', async (t) => {
  const workerd = findRuntime('workerd');
  if (!workerd) return;
  await bundled(
    'worker.mjs',
    `import { checkClient } from './clientChecks.ts';
export default {
  async fetch(request) {
    try {
      return Response.json(await checkClient(await request.json()));
    } catch (error) {
      return new Response(String(error?.stack ?? error), { status: 500 });
    }
  },
};`,
  );
  const port = await freePort();
  writeFileSync(
    join(folder, 'worker.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    (name = "network", network = (allow = ["public", "private", "local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const main :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.mjs")],
  compatibilityDate = "2026-01-01",
  globalOutbound = "network",
);
`,
  );
  const child = spawn(workerd, ['serve', join(folder, 'worker.capnp')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill());
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const address = `http://127.0.0.1:${port}/`;
  await waitUntil('the worker listens', async () => {
    assert.equal(child.exitCode, null, output);
    return fetch(address, { method: 'HEAD' }).then(
      () => true,
      () => false,
    );
  });
  const answer = await fetch(address, { method: 'POST', body: JSON.stringify(input) });
  const text = await answer.text();
  assert.equal(answer.status, 200, text + output);
  assert.equal(JSON.parse(text).length, CHECKS, text);
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
