import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const documents = globSync('{*.md,docs/**/*.md}', { cwd: root });

/** Pages that exist in both languages. */
const TRANSLATED: Readonly<Record<string, string>> = {
  'README.md': 'README.pt-BR.md',
  'CONTRIBUTING.md': 'CONTRIBUTING.pt-BR.md',
  'docs/apps.md': 'docs/aplicativos.pt-BR.md',
  'docs/compatibility.md': 'docs/compatibilidade.pt-BR.md',
  'docs/contract.md': 'docs/contrato.pt-BR.md',
  'docs/events.md': 'docs/eventos.pt-BR.md',
  'docs/guide.md': 'docs/guia.pt-BR.md',
  'docs/manual.md': 'docs/manual.pt-BR.md',
  'docs/operations.md': 'docs/administracao.pt-BR.md',
  'docs/program.md': 'docs/programa.pt-BR.md',
  'docs/reports.md': 'docs/relatorios.pt-BR.md',
  'docs/settings.md': 'docs/configuracoes.pt-BR.md',
};

const pagesLinkedIn = (page: string): string[] =>
  [...read(page).matchAll(/\]\(([\w./-]+\.md)/g)].map(([, target]) => join(dirname(page), target!));

test('a page in two languages begins with a link to the other one', () => {
  const alone = Object.entries(TRANSLATED)
    .flatMap(([english, portuguese]) => [
      [english, portuguese],
      [portuguese, english],
    ])
    .filter(([page, other]) => !pagesLinkedIn(page!).includes(other!))
    .map(([page]) => page);
  assert.deepEqual(alone, []);
  const listed = Object.values(TRANSLATED);
  assert.deepEqual(documents.filter((page) => page.includes('pt-BR')).toSorted(), listed.toSorted());
});

test('README.pt-BR.md leads to the same pages as README.md', () => {
  const pagesOf = (page: string) =>
    [...new Set(pagesLinkedIn(page))].filter((target) => !target.startsWith('README')).toSorted();
  const expected = pagesOf('README.md').map((page) => TRANSLATED[page] ?? page);
  assert.deepEqual(pagesOf('README.pt-BR.md'), expected.toSorted());
});

test('every picture that a document shows exists, and has less than 200 kB', () => {
  const shown = documents.flatMap((page) =>
    [...read(page).matchAll(/(?:src|srcset)="([^":]+)"|!\[[^\]]*\]\(([^):]+)\)/g)].map(
      ([, attribute, link]) => join(root, dirname(page), (attribute ?? link)!),
    ),
  );
  assert.ok(shown.length > 5);
  assert.deepEqual(
    shown.filter((file) => !existsSync(file) || statSync(file).size >= 200_000),
    [],
  );
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
    ['docs/administracao.pt-BR.md', 'ExecStart='],
  ] as const)
    assert.deepEqual(flagsOf(lineOf(path, part)), flags, path);
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

/** The anchor that a Markdown page gives to a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

test('every link to a heading names one', () => {
  const dead = documents.flatMap((page) =>
    [...read(page).matchAll(/\]\(([\w./-]*\.md)?#([^)]+)\)/g)]
      .map(([link, target, anchor]) => ({
        link,
        file: join(dirname(page), target ?? basename(page)),
        anchor,
      }))
      .filter(({ file, anchor }) => {
        const headings = [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!));
        return !headings.includes(anchor!);
      })
      .map(({ link }) => `${page}: ${link}`),
  );
  assert.deepEqual(dead, []);
});

test('every file that a document names exists', () => {
  const missing = documents.flatMap((page) =>
    [...read(page).matchAll(/`([\w./-]+\/[\w.-]+\.(?:ts|tsx|js|mjs|sql))`/g)]
      .map(([, file]) => file!)
      .filter((file) => !['', 'server', 'server/src'].some((folder) => existsSync(join(root, folder, file))))
      .map((file) => `${page}: ${file}`),
  );
  assert.deepEqual(missing, []);
});

/** Paths of a tree. Each two more spaces before a name put it one level deeper. */
function pathsOfTree(page: string): string[] {
  const tree = read(page).match(/```\n(server\/[\s\S]*?)```/)![1]!;
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

test('the tree in ARCHITECTURE.md lists every floor of the server', () => {
  const listed = pathsOfTree('ARCHITECTURE.md').map((path) => path.replace(/\/$/, ''));
  const floors = globSync('server/{src,simulation}/*', { cwd: root });
  assert.deepEqual(
    floors.filter((floor) => !listed.includes(floor)),
    [],
  );
});
