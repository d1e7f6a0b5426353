import assert from 'node:assert/strict';
import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const root = join(import.meta.dirname, '../../..');
const bin = join(root, 'node_modules/.bin');
const scratch = mkdtempSync(join(tmpdir(), 'malote-client-'));
after(() => rmSync(scratch, { recursive: true }));

const run = (command: string, args: string[], options: SpawnSyncOptions) => {
  const { status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    ...options,
    env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
  });
  assert.equal(status, 0, `${command} ${args.join(' ')}\n${stdout}${stderr}`);
  return String(stdout);
};

// Packed from a copy, so that nothing is written into the checkout, and unpacked as npm does, so that no network is
// needed.
const source = join(scratch, 'source');
cpSync(join(root, 'client'), join(source, 'client'), {
  recursive: true,
  filter: (path) => !/client\/(dist|node_modules)/.test(path),
});
cpSync(join(root, 'tsconfig.json'), join(source, 'tsconfig.json'));
// The credentials in a clone's address must not get into the package.
run('git', ['init', '--quiet'], { cwd: source });
run('git', ['remote', 'add', 'origin', 'https://someone:secret@git.example/shop/malote.git'], {
  cwd: source,
});
const sourceManifest = readFileSync(join(source, 'client/package.json'), 'utf8');
run('npm', ['pack', '--silent', '--pack-destination', scratch], { cwd: join(source, 'client') });
const [tarball] = readdirSync(scratch).filter((name) => name.endsWith('.tgz'));
const project = join(scratch, 'project');
mkdirSync(project);
writeFileSync(join(project, 'package.json'), '{ "name": "shop", "private": true, "type": "module" }');
run('npm', ['install', '--silent', '--offline', '--no-audit', '--no-fund', join(scratch, tarball!)], {
  cwd: project,
});
const installed = join(project, 'node_modules/malote-client');

test('the package holds its modules with their types, its licence and its manual, and nothing else', () => {
  const { files } = JSON.parse(readFileSync(join(root, 'client/package.json'), 'utf8'));
  assert.deepEqual(files, ['dist']);
  assert.deepEqual(readdirSync(installed).sort(), ['LICENSE', 'README.md', 'dist', 'package.json']);
  assert.equal(readFileSync(join(installed, 'LICENSE'), 'utf8'), readFileSync(join(root, 'LICENSE'), 'utf8'));
  const kinds = new Set(readdirSync(join(installed, 'dist')).map((name) => name.replace(/^\w+/, '')));
  assert.deepEqual([...kinds].sort(), ['.d.ts', '.js']);
});

test('the package can be published, and needs no other', () => {
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  assert.equal(manifest.private, undefined);
  assert.equal(manifest.dependencies, undefined);
  assert.equal(manifest.license, 'Apache-2.0');
});

test('the package names the repository that it was cloned from, and the checkout stays as it was', () => {
  const { repository } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  assert.deepEqual(repository, {
    type: 'git',
    url: 'git+https://git.example/shop/malote.git',
    directory: 'client',
  });
  assert.equal(readFileSync(join(source, 'client/package.json'), 'utf8'), sourceManifest);
});

test('modules and types import what is in the package', () => {
  const imports = readdirSync(join(installed, 'dist')).flatMap((name) => [
    ...readFileSync(join(installed, 'dist', name), 'utf8').matchAll(/from '([^']+)'/g),
  ]);
  assert.ok(imports.length > 0);
  for (const [, imported] of imports) assert.match(imported!, /^\.\/\w+\.js$/);
});

const program = `
import { ConflictError, Malote, verifyWebhook, type MaloteOptions } from 'malote-client';

const options: MaloteOptions = { url: 'http://localhost:1', apiKey: 'key', user: 'user', password: 'secret' };
const malote = new Malote(options);
export const open = async (): Promise<string> => {
  const { id_mch } = await malote.criarEntrega({
    forma_pagamento: 'D',
    partida: { endereco: 'Rua A, 1', bairro: 'Centro', lat: '-30.03', lng: '-51.23' },
    paradas: [{ endereco_parada: 'Rua B, 2', bairro_parada: 'Azenha', lat_parada: '-30.05', lng_parada: '-51.21' }],
  });
  return id_mch;
};
// @ts-expect-error: the types reject what is not a delivery, which shows that they are loaded.
export const wrong = () => malote.criarEntrega({ forma_pagamento: 7 });
console.log(typeof open, typeof verifyWebhook, ConflictError.name);
`;
writeFileSync(join(project, 'shop.ts'), program);

const compilers = [
  { tsc: 'typescript-5/bin/tsc', module: 'node16', moduleResolution: 'node16' },
  { tsc: 'typescript-5/bin/tsc', module: 'esnext', moduleResolution: 'bundler' },
  { tsc: 'typescript-5/bin/tsc', module: 'esnext', moduleResolution: 'node' },
  { tsc: 'typescript/bin/tsc', module: 'nodenext', moduleResolution: 'nodenext' },
  { tsc: 'typescript/bin/tsc', module: 'esnext', moduleResolution: 'bundler' },
];

for (const { tsc, module, moduleResolution } of compilers)
  test(`a program is checked by ${tsc.split('/')[0]} with the module resolution ${moduleResolution}, and runs`, () => {
    const out = `out-${tsc.split('/')[0]}-${moduleResolution}`;
    const options = ['--strict', '--target', 'es2022', '--lib', 'es2022,dom', '--outDir', out];
    run(
      process.execPath,
      [
        join(root, 'node_modules', tsc),
        ...options,
        ...['--module', module, '--moduleResolution', moduleResolution, 'shop.ts'],
      ],
      { cwd: project },
    );
    assert.equal(
      run(process.execPath, [join(out, 'shop.js')], { cwd: project }),
      'function function ConflictError\n',
    );
  });

test('beside the older compiler, `tsc` is still the one that this repository is written for', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.equal(run('tsc', ['--version'], { cwd: root }), `Version ${devDependencies.typescript}\n`);
});
