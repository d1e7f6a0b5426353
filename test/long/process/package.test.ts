import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { orderExample } from '../../../server/src/api/json/orderBody.ts';
import { dataFolder, START_MS } from '../../support/maloteProcess.ts';
import { waitUntil } from '../../support/waitUntil.ts';

const root = join(import.meta.dirname, '../../..');
const scratch = await mkdtemp(join(tmpdir(), 'malote-package-'));
after(() => rm(scratch, { recursive: true, force: true }));

/** As a stranger has it: the Node of the system, and no settings. */
const env = Object.fromEntries(
  Object.entries(process.env)
    .filter(([name]) => !/^(MALOTE_|DATABASE_URL$|PORT$|HOST$|NODE_|PG|npm_)/.test(name))
    .map(([name, value]) => [name, name === 'PATH' ? withoutPackages(value!) : value]),
);

function withoutPackages(path: string): string {
  return path
    .split(':')
    .filter((folder) => !folder.endsWith('node_modules/.bin'))
    .join(':');
}

const run = (command: string, args: string[], cwd: string) =>
  promisify(execFile)(command, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 });

// Built and packed from a copy, so that nothing is written into the checkout.
const source = join(scratch, 'source');
await mkdir(source);
for (const name of ['bin', 'migrations', 'scripts', 'server', 'web', 'package.json', 'LICENSE', 'README.md'])
  await cp(join(root, name), join(source, name), { recursive: true });
await symlink(join(root, 'node_modules'), join(source, 'node_modules'));
await run('npm', ['pack', '--silent', '--pack-destination', scratch], source);
const [tarball] = (await readdir(scratch)).filter((name) => name.endsWith('.tgz'));

const project = join(scratch, 'empty');
await mkdir(project);
await run(
  'npm',
  ['install', '--prefer-offline', '--no-audit', '--no-fund', join(scratch, tarball!)],
  project,
);
const installed = join(project, 'node_modules/malote');

test('the package holds what was built, and no sources', async () => {
  assert.deepEqual((await readdir(installed)).sort(), [
    'LICENSE',
    'README.md',
    'bin',
    'dist',
    'package.json',
  ]);
  const files = await readdir(join(installed, 'dist'), { recursive: true });
  assert.deepEqual(
    files.filter((name) => /\.tsx?$/.test(name)),
    [],
  );
  for (const script of files.filter((name) => /^(server|web\/(console|driver))\/[\w-]+\.js$/.test(name)))
    if (script !== 'web/driver/sw.js') assert.ok(files.includes(`${script}.map`), script);
  for (const app of ['console', 'driver'])
    for (const name of ['app.js', 'app.css'])
      for (const ending of ['', '.br', '.gz', '.map'])
        assert.ok(files.includes(`web/${app}/${name}${ending}`), `${app} ${name}${ending}`);
});

test('no bundler and no package of the pages is installed with it', async () => {
  const packages = await readdir(join(project, 'node_modules'));
  for (const name of ['esbuild', 'react', 'react-dom', 'maplibre-gl'])
    assert.ok(!packages.includes(name), name);
});

test('it starts in an empty folder with the Node of the system, shows the console and takes a delivery', async (t) => {
  const launcher = join(installed, 'bin/malote.mjs');
  const malote = spawn('node', [launcher], {
    cwd: project,
    env: { ...env, PORT: '0', MALOTE_DATA: await dataFolder() },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [malote.stdout, malote.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  const ended = once(malote, 'close');
  t.after(() => malote.kill('SIGKILL'));
  const address = () => /(http:\/\/localhost:\d+)\/console/.exec(said)?.[1];
  await waitUntil(
    'the service listens',
    () => {
      assert.equal(malote.exitCode, null, said);
      return address() !== undefined;
    },
    START_MS,
  );
  const url = address()!;
  assert.equal((await fetch(`${url}/healthz`)).status, 200);

  const page = await (await fetch(`${url}/console`)).text();
  const named = [...page.matchAll(/"(\/console\/arquivos\/[0-9a-f]{12}\/[^"]+)"/g)].map(([, path]) => path!);
  assert.ok(named.length >= 3, page);
  for (const path of [...named, '/entregador/sw.js', '/rastreio.js', '/mapa/maplibre-gl.mjs', '/docs'])
    for (const encoding of ['br', 'gzip', 'identity']) {
      const answer = await fetch(url + path, { headers: { 'accept-encoding': encoding } });
      assert.equal(answer.status, 200, `${path} ${encoding}`);
      assert.ok((await answer.arrayBuffer()).byteLength > 500, path);
    }
  const [script] = named.filter((path) => path.endsWith('/app.js'));
  const map = (await (await fetch(`${url + script!}.map`)).json()) as { sources: string[] };
  assert.ok(map.sources.some((path) => path.endsWith('web/console/src/main.tsx')));

  const headers = {
    'api-key': 'demo-chave',
    authorization: `Basic ${btoa('gerente:demo')}`,
    'content-type': 'application/json',
  };
  const ordered = await fetch(`${url}/api/v2/integracao/entregas`, {
    method: 'POST',
    headers,
    body: JSON.stringify(orderExample),
  });
  const answer = await ordered.text();
  assert.equal(ordered.status, 200, answer);
  const { data } = JSON.parse(answer) as { data: { id_mch: string } };
  const status = await fetch(`${url}/api/v2/integracao/entregas/${data.id_mch}/status`, { headers });
  assert.equal(status.status, 200);

  malote.kill('SIGTERM');
  assert.deepEqual((await ended)[0], 0, said);
});
