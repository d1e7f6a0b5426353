import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sqlFaults } from '../scripts/sql/compare.ts';
import type { Description } from '../scripts/sql/describe.ts';
import { readStatements } from '../scripts/sql/statements.ts';

const folder = mkdtempSync(join(tmpdir(), 'malote-sql-'));
after(() => rmSync(folder, { recursive: true }));
writeFileSync(
  join(folder, 'tsconfig.json'),
  JSON.stringify({ compilerOptions: { strict: true, target: 'esnext', types: [] }, include: ['*.ts'] }),
);

copyFileSync(join(import.meta.dirname, '../server/src/platform/postgres/sql.ts'), join(folder, 'sql.ts'));

const DECLARED = `
import { changes, names, raw, type Sql, sql, values } from './sql.ts';
interface Tx {
  <Row extends object>(strings: TemplateStringsArray, ...values: unknown[]): Promise<Row[]>;
  query<Row extends object>(text: string, values: unknown[]): Promise<Row[]>;
  isDistributed: boolean;
}
declare const tx: Tx;
`;

/** The statements in a source. Placeholders are quoted, because a real one would look like a mistake here. */
const read = (source: string) => {
  writeFileSync(join(folder, 'someStore.ts'), DECLARED + source.replaceAll('%{', '$' + '{'));
  return readStatements(folder, '.', () => false);
};
const textsOf = (source: string): string[] =>
  read(source).map((each) => ('text' in each ? each.text : `unread: ${each.unread}`));

const SOURCES: Record<string, { source: string; texts: string[] }> = {
  'values of a tagged template': {
    source: 'export const f = (id: number) => tx`select %{id}, %{1}`;',
    texts: ['select $1, $2'],
  },
  'a constant and a function': {
    source: `const A = 'a'; const of = (name: string) => \`%{name}.%{A}\`;
      export const f = () => tx.query(\`select %{of('x')}\`, []);`,
    texts: ['select x.a'],
  },
  'each key of a table of constants': {
    source: `const TABLES = { one: { table: 't1' }, two: { table: 't2' } };
      export function f(noun: 'one' | 'two') { const { table } = TABLES[noun]; return tx.query(\`from %{table}\`, []); }`,
    texts: ['from t1', 'from t2'],
  },
  'both sides of a condition': {
    source: `export async function f(x: boolean) { const parts = ['a']; if (x) parts.push('b');
      await tx.query(\`select %{parts.join()}\`, []); }`,
    texts: ['select a', 'select a,b'],
  },
  'numbers of parameters that are counted': {
    source: `export function f(a: number) { const values: unknown[] = []; const p = (v: unknown) => \`$%{values.push(v)}\`;
      return tx.query(\`select %{p(1)}, %{p(a)}\`, values); }`,
    texts: ['select $1, $2'],
  },
  'the texts of each caller': {
    source: `function f(column: string) { return tx.query(\`select %{column}\`, []); }
      export const a = () => f('a'); export const b = () => f('b');`,
    texts: ['select a', 'select b'],
  },
  'pieces with values': {
    source: `const own = (id: number) => sql\`central_id = %{1} and id = %{id}\`;
      const order = sql\`order by id\`;
      export const f = (id: number) => tx\`select %{'a'} from stops where %{own(id)} %{order}\`;`,
    texts: ['select $1 from stops where central_id = $2 and id = $3 order by id'],
  },
  'the pieces of each caller': {
    source: `function f(column: Sql | number) { return tx\`select %{column}\`; }
      export const a = () => f(sql\`a\`); export const b = () => f(raw('b'));`,
    texts: ['select a', 'select b'],
  },
  'a piece for each side of a condition': {
    source: `export const f = (x: boolean) => tx\`select %{x ? sql\`a\` : sql\`coalesce(%{1}, b)\`}\`;`,
    texts: ['select a', 'select coalesce($1, b)'],
  },
  'the columns of a row': {
    source: `export function f(id: number, x: string) { const row = { id, x, at: sql\`now()\` };
      return tx\`insert into t (%{names(row)}) values (%{values(row)}) on conflict do update set %{changes({ x })}\`; }`,
    texts: ['insert into t (id, x, at) values ($1, $2, now()) on conflict do update set x = $3'],
  },
  'an early return': {
    source: `const name = (x: string) => { if (x === 'a') return 'b'; return 'c'; };
      export async function f(x: boolean) { if (x) return; await tx.query(\`select %{name('a')}\`, []); }`,
    texts: ['select b'],
  },
};
for (const [what, { source, texts }] of Object.entries(SOURCES))
  test(`a statement is read with ${what}`, () => assert.deepEqual(textsOf(source).sort(), texts));

test('a text that only the running program knows is reported', async () => {
  const statements = read('export const f = (text: string) => tx.query(text, []);');
  const faults = await sqlFaults(
    statements,
    () => Promise.reject(new Error('not asked')),
    () => false,
  );
  assert.deepEqual(faults, ['someStore.ts:9 cannot be read: not known: text']);
});

const DESCRIBED: Description = {
  columns: [
    { name: 'id', type: 'int8', mayBeNull: false },
    { name: 'note', type: 'text', mayBeNull: true },
  ],
  parameters: ['int8', '_text'],
};
const ROWS: Record<string, { row: string; values: string; fault: string | undefined }> = {
  'what PostgreSQL says': { row: 'id: number; note: string | null', values: '1, ["a"]', fault: undefined },
  'another type': {
    row: 'id: string; note: string | null',
    values: '1, []',
    fault: 'id is int8 (number), declared string',
  },
  'no null': {
    row: 'id: number; note: string',
    values: '1, []',
    fault: 'note may be null and is not declared so',
  },
  'a column too few': { row: 'id: number', values: '1, []', fault: 'note is selected and not declared' },
  'a column too many': {
    row: 'id: number; note: string | null; x: number',
    values: '1, []',
    fault: 'x is declared and not selected',
  },
  'a parameter of another type': {
    row: 'id: number; note: string | null',
    values: 'true, []',
    fault: '$1 is int8 (number or string), given boolean',
  },
  'a value too many': {
    row: 'id: number; note: string | null',
    values: '1, [], 2',
    fault: '3 values for 2 parameters',
  },
};
for (const [what, { row, values, fault }] of Object.entries(ROWS))
  test(`a row type with ${what} ${fault ? 'is reported' : 'is right'}`, async () => {
    const statements = read(`export const f = () => tx.query<{ ${row} }>('select', [${values}]);`);
    const faults = await sqlFaults(
      statements,
      () => Promise.resolve(DESCRIBED),
      () => false,
    );
    assert.deepEqual(faults, fault ? [`someStore.ts:9 ${fault}`] : []);
  });

test('a statement that PostgreSQL refuses is reported', async () => {
  const statements = read('export const f = () => tx`selec`;');
  const faults = await sqlFaults(
    statements,
    () => Promise.reject(new Error('syntax error')),
    () => false,
  );
  assert.deepEqual(faults, ['someStore.ts:9 syntax error: selec']);
});
