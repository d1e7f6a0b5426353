import { relative } from 'node:path';
import { sqlTextsOf } from './sqlText.ts';

export interface SqlException {
  file: string;
  /** How the statement begins, and the reason for the exception. */
  begins: string;
  why: string;
}

export interface SqlFile {
  file: string;
  room: string;
}

interface Statement extends SqlFile {
  line: number;
  text: string;
}

/** The tables that belong to a central, by their definition in schema.sql. */
export const tablesOfCentrals = (schema: string): string[] =>
  [...schema.matchAll(/create table (\w+) \(([\s\S]*?)\n\);/g)]
    .filter(([, , columns]) => /^\s*central_id /m.test(columns!))
    .map(([, name]) => name!);

const statementsOf = (server: string, files: readonly SqlFile[]): Statement[] =>
  files.flatMap(({ file, room }) =>
    sqlTextsOf(file).map((sql) => ({ ...sql, room, file: relative(server, file) })),
  );

// A name chosen at run time counts as a table: ${table}, ${TABLES[noun].table}.
const CHOSEN = String.raw`\$\{(?:[^}]*\.)?table\}`;
const PARAMETER = String.raw`(?:\$\d+|\$\{[^}]*\})`;
const CONDITION = new RegExp(String.raw`\bcentral_id = ${PARAMETER}(?!\.)`, 'g');
const TIE = /\bcentral_id = (?:\w+|\$\{\w+\})\.central_id|\busing \([^)]*central_id/;

/** Names of common table expressions, which may equal names of tables. */
const expressionsOf = (text: string): string[] =>
  [...text.matchAll(/\b(\w+) (?:\([\w, ]+\) )?as (?:materialized )?\(/g)].map(([, name]) => name!);

/** A reference to a table, except as the target of an insert. */
function referencesIn(text: string, tables: readonly string[]): number {
  const expressions = expressionsOf(text);
  const names = [...tables.filter((name) => !expressions.includes(name)), CHOSEN].join('|');
  return [...text.matchAll(new RegExp(`\\b(?:from|join|update|using) (?:only )?(?:${names})(?!\\w)`, 'g'))]
    .length;
}

/**
 * Finds statements that do not name their central as a parameter for each table that they read or change. A distributed
 * database sends each of them to every machine, or refuses it.
 */
export function centralFaults(
  server: string,
  files: readonly SqlFile[],
  tables: readonly string[],
  exceptions: readonly SqlException[],
): string[] {
  const used = new Set<SqlException>();
  const faults = statementsOf(server, files)
    .filter(({ text }) => {
      const conditions = text.match(CONDITION)?.length ?? 0;
      return TIE.test(text) || referencesIn(text, tables) > conditions;
    })
    .filter(({ file, text }) => {
      const exception = exceptions.find(
        (each) => each.file === file && text.trimStart().startsWith(each.begins),
      );
      if (exception) used.add(exception);
      return !exception;
    })
    .map(({ file, line, text }) => `${file}:${line} ${text.trim().slice(0, 80)}`);
  const unused = exceptions.filter((exception) => !used.has(exception));
  return [...faults, ...unused.map(({ file, begins }) => `${file}: no exception is needed for "${begins}"`)];
}

/** The text between `values (` and its closing bracket, for each insert of a single row. */
function valuesIn(text: string): string[] {
  return [...text.matchAll(/\binsert into [^;]*?\bvalues\s*\(/g)].map(({ 0: head, index }) => {
    const start = index + head.length;
    let depth = 1;
    let end = start;
    for (; end < text.length && depth > 0; end += 1) {
      if (text[end] === '(') depth += 1;
      if (text[end] === ')') depth -= 1;
    }
    return text.slice(start, end);
  });
}

/** Inserts with a subquery among their values, which Citus refuses. An insert … select is equivalent. */
const insertFaults = (root: string, files: readonly SqlFile[]): string[] =>
  statementsOf(root, files)
    .filter(({ text }) => valuesIn(text).some((values) => /\(\s*select\b/.test(values)))
    .map(({ file, line, text }) => `${file}:${line} ${text.trim().slice(0, 80)}`);

/** Expressions that depend on the session: adding an interval to a moment depends on its time zone. */
const STABLE = /\bnow\(\)|[+-] (?:interval\b|make_interval\()/;
const MOVED_COLUMN = /(?<![\w.$}])[a-z_][\w.]* [+-] (?:interval\b|make_interval\()/;
const UNNAMED_INSERT =
  /\binsert into \w+ \((?:[^()]|\([^()]*\))*\)\s*select\b(?:(?!\binsert into\b).)*?\breturning\b/g;

/** The text without casts and without bracketed parts. */
function withoutBrackets(text: string): string {
  const inner = /(?<!\bmake_interval)\([^()]*\)/;
  let rest = text.replace(/::\w+/g, '');
  while (inner.test(rest)) rest = rest.replace(inner, ' ');
  return rest;
}

/**
 * Updates that add an interval to a column, which Citus refuses. Also inserts of a selection with such an expression
 * that return a column without an alias of their table: Citus forwards them with a name that does not exist.
 */
const intervalFaults = (root: string, files: readonly SqlFile[]): string[] =>
  statementsOf(root, files)
    .filter(({ text }) => {
      const settings = text.matchAll(/\bupdate \w+(?: (?:as )?\w+)? set (.*)/g);
      const moves = [...settings].some(([, set]) =>
        MOVED_COLUMN.test(withoutBrackets(set!).split(/\b(?:where|from)\b/)[0]!),
      );
      return moves || [...text.matchAll(UNNAMED_INSERT)].some(([insert]) => STABLE.test(insert));
    })
    .map(({ file, line, text }) => `${file}:${line} ${text.trim().slice(0, 80)}`);

/** Statements of a form that Citus refuses even if they name their central. */
export const citusFaults = (root: string, files: readonly SqlFile[]): string[] => [
  ...insertFaults(root, files),
  ...intervalFaults(root, files),
];

/** Tables that several rooms write, or that no room writes. */
export function ownerFaults(
  server: string,
  files: readonly SqlFile[],
  tables: readonly string[],
  chosenAtRunTime: Readonly<Record<string, readonly string[]>>,
): string[] {
  const rooms = new Map(tables.map((table) => [table, new Set<string>()]));
  const unknown: string[] = [];
  const written = new RegExp(
    `\\b(?:insert into|delete from|(?<!for |do |no key )update) (${tables.join('|')}|${CHOSEN})(?!\\w)`,
    'g',
  );
  for (const { file, line, room, text } of statementsOf(server, files)) {
    const expressions = expressionsOf(text);
    for (const [, name] of text.matchAll(written)) {
      if (expressions.includes(name!)) continue;
      const chosen = name!.startsWith('$') ? chosenAtRunTime[file] : [name!];
      if (!chosen) unknown.push(`${file}:${line} writes a table that it chooses at run time`);
      for (const table of chosen ?? []) rooms.get(table)!.add(room);
    }
  }
  const shared = [...rooms]
    .filter(([, writers]) => writers.size !== 1)
    .map(([table, writers]) => `${table}: ${[...writers].join(', ') || 'nobody'}`);
  return [...unknown, ...shared];
}
