import { type SqlStatement, sqlStatements } from '../server/src/platform/postgres/sqlStatements.ts';

/*
 * Which statements must not run beside the old version of the service, and what to write instead; docs/migrations.md
 * explains each. A statement that has to break a rule says so in a comment directly before it:
 *
 *   -- exempt drop-or-rename: no version since 0.9 reads it
 */

export interface MigrationFile {
  name: string;
  sql: string;
}

/** The last migration of the first release. No version ran before it, so the rules do not apply to the baseline. */
export const BASELINE_LAST = '0017_simulation.sql';

const REASON_LENGTH_MIN = 15;

interface Place {
  statement: string;
  /** Created by the same file, so no other session uses them yet. */
  newTables: ReadonlySet<string>;
  /** All statements that run before this one, from all files. */
  before: readonly string[];
  /** The statements before this one in the same file. */
  beforeInFile: readonly string[];
  inTransaction: boolean;
}

interface Rule {
  why: string;
  isBrokenBy(place: Place): boolean;
}

const TABLE = '(?:only )?(?:if exists )?"?([a-z_][a-z0-9_]*)"?';
const tableOf = (statement: string): string | undefined =>
  new RegExp(`^alter table ${TABLE}`).exec(statement)?.[1] ??
  /^create (?:unique )?index (?:.*? )?on (?:only )?"?([a-z_][a-z0-9_]*)"?/.exec(statement)?.[1];

const isAlterOfOld = ({ statement, newTables }: Place): boolean =>
  statement.startsWith('alter table') && !newTables.has(tableOf(statement) ?? '');

const NOT_IN_TRIGGERS = /\b(pg_notify|notify|nextval|setval|next_id)\b/;

/** Evaluated once for the whole table, so PostgreSQL does not rewrite it. */
const STABLE_CALLS = ['now', 'jsonb_build_object', 'jsonb_build_array'];

export const MIGRATION_RULES = {
  'drop-or-rename': {
    why: 'the old version still uses it: stop using it in one release, drop it in a later one',
    isBrokenBy: (place) =>
      /^drop (table|view|materialized view|type|domain|sequence|schema|function|procedure)\b/.test(
        place.statement,
      ) ||
      (isAlterOfOld(place) &&
        /\bdrop (column )?(?!constraint|default|not null|expression|identity)/.test(place.statement)) ||
      (isAlterOfOld(place) && /\brename\b/.test(place.statement)) ||
      /^alter (view|type|domain|sequence|function|index|schema)\b.*\brename\b/.test(place.statement),
  },
  'set-not-null': {
    why: 'it reads the whole table under a lock: add a check (… is not null) not valid, validate it in a later file, then set not null',
    isBrokenBy(place) {
      const column = /\balter (?:column )?"?([a-z_][a-z0-9_]*)"? set not null/.exec(place.statement)?.[1];
      return isAlterOfOld(place) && column !== undefined && !isKnownNotNull(place, column);
    },
  },
  'type-change': {
    why: 'it rewrites the table under a lock, and the old version expects the old type: add a column, copy in steps',
    isBrokenBy: (place) =>
      isAlterOfOld(place) && /\balter (column )?"?\w+"? (set data )?type\b/.test(place.statement),
  },
  'index-not-concurrent': {
    why: 'writers wait until it is done: use create index concurrently in a file of its own, without a transaction',
    isBrokenBy: ({ statement, newTables }) =>
      (/^create (unique )?index (?!concurrently)/.test(statement) &&
        !newTables.has(tableOf(statement) ?? '')) ||
      /^(drop index|reindex \w+) (?!concurrently)/.test(statement),
  },
  'scanning-constraint': {
    why: 'it reads the whole table under a lock: add it not valid, and validate it in a later file',
    isBrokenBy: (place) =>
      isAlterOfOld(place) &&
      /\badd (constraint \S+ )?(check|foreign key)\b|\badd column\b.*\breferences\b/.test(place.statement) &&
      !/\bnot valid\b/.test(place.statement),
  },
  'validated-at-once': {
    why: 'the lock of "add constraint" is held until the commit: validate it in a later file',
    isBrokenBy(place) {
      const name = /\bvalidate constraint (\S+)/.exec(place.statement)?.[1];
      return (
        name !== undefined &&
        place.inTransaction &&
        place.beforeInFile.some((earlier) => earlier.includes(`add constraint ${name} `))
      );
    },
  },
  'unique-without-index': {
    why: 'it builds an index under a lock: create a unique index concurrently, then add the constraint using index',
    isBrokenBy: (place) =>
      isAlterOfOld(place) &&
      /\badd (constraint \S+ )?(unique|primary key|exclude)\b/.test(place.statement) &&
      !/\busing index\b/.test(place.statement),
  },
  'required-column': {
    why: 'the old version inserts rows without it: give it a default, or let it be null until no old version runs',
    isBrokenBy: (place) =>
      isAlterOfOld(place) &&
      /\badd (column )?(?!constraint|check|foreign|unique|primary|exclude).*\bnot null\b/.test(
        place.statement,
      ) &&
      !/\bdefault\b/.test(place.statement),
  },
  'volatile-default': {
    why: 'it is computed for every row while the table is locked: add the column, set the default, copy in steps',
    isBrokenBy(place) {
      if (!isAlterOfOld(place) || !/\badd (column )?/.test(place.statement)) return false;
      if (/\b(big|small)?serial\b|\bgenerated (always|by default) as\b/.test(place.statement)) return true;
      const value = /\bdefault (.*)$/.exec(place.statement)?.[1] ?? '';
      return [...value.matchAll(/([a-z_][a-z0-9_]*)\s*\(/g)].some(
        ([, call]) => !STABLE_CALLS.includes(call!) && call !== 'check',
      );
    },
  },
  'several-subcommands': {
    why: 'distributed databases (Citus) refuse it: one subcommand for each alter table',
    isBrokenBy: ({ statement }) => statement.startsWith('alter table') && hasTopLevelComma(statement),
  },
  'function-after-change': {
    why: 'distributed databases (Citus) refuse it in one transaction: create functions before tables and indexes change',
    isBrokenBy: ({ statement, beforeInFile, inTransaction }) =>
      inTransaction &&
      /^create (or replace )?function\b/.test(statement) &&
      beforeInFile.some((earlier) => /^alter (table|index)\b/.test(earlier)),
  },
  'rewrites-table': {
    why: 'it rewrites or locks the whole table while the service runs',
    isBrokenBy: (place) =>
      /^(cluster|vacuum full|truncate|lock)\b/.test(place.statement) ||
      (isAlterOfOld(place) && /\bset (logged|unlogged|tablespace|access method)\b/.test(place.statement)),
  },
  'one-step-backfill': {
    why: 'it holds the locks of all its rows until the commit: change rows in steps, in a file without a transaction',
    isBrokenBy: ({ statement, newTables, inTransaction }) => {
      const changes = /(?:^|^with .*?\()(?:update|delete from) (?:only )?"?([a-z_][a-z0-9_]*)"?/.exec(
        statement,
      );
      return inTransaction && changes !== null && !newTables.has(changes[1]!);
    },
  },
  'trigger-notifies': {
    why: 'a notification or a sequence in a trigger does not work on a distributed database: raise a notice, take ids first',
    isBrokenBy: ({ statement }) =>
      /^create (or replace )?function\b/.test(statement) &&
      /\breturns trigger\b/.test(statement) &&
      NOT_IN_TRIGGERS.test(statement),
  },
} as const satisfies Record<string, Rule>;

export type MigrationRule = keyof typeof MIGRATION_RULES;

const RULES = Object.entries(MIGRATION_RULES) as [MigrationRule, Rule][];

/** The faults of the files after the baseline, one line each. */
export function migrationFaults(files: readonly MigrationFile[]): string[] {
  const faults: string[] = [];
  const before: string[] = [];
  for (const { name, sql } of files) {
    const statements = sqlStatements(sql).map((statement) => ({
      ...statement,
      plain: plain(statement.text),
    }));
    const beforeInFile: string[] = [];
    const newTables = new Set<string>();
    for (const statement of statements) {
      const created = /^create (?:unlogged )?table (?:if not exists )?"?([a-z_][a-z0-9_]*)"?/.exec(
        statement.plain,
      )?.[1];
      if (created) newTables.add(created);
      const place: Place = {
        statement: statement.plain,
        newTables,
        before,
        beforeInFile,
        inTransaction: !/^-- no transaction\b/.test(sql),
      };
      if (name > BASELINE_LAST)
        faults.push(...faultsOf(place, statement).map((fault) => `${name}:${statement.line}: ${fault}`));
      before.push(statement.plain);
      beforeInFile.push(statement.plain);
    }
  }
  return faults;
}

function faultsOf(place: Place, { comments }: SqlStatement): string[] {
  const exempt = new Map(
    comments.flatMap((comment) => {
      const [, rule, reason] = /^exempt ([\w-]+): *(.*)$/.exec(comment) ?? [];
      return rule === undefined ? [] : [[rule, reason!] as const];
    }),
  );
  const broken = RULES.filter(([, rule]) => rule.isBrokenBy(place)).map(([name]) => name);
  return [
    ...broken.filter((rule) => !exempt.has(rule)).map((rule) => `${rule}: ${MIGRATION_RULES[rule].why}`),
    ...[...exempt].flatMap(([rule, reason]) => {
      if (!broken.includes(rule as MigrationRule)) return [`it needs no exemption from ${rule}`];
      return reason.length < REASON_LENGTH_MIN ? [`the exemption from ${rule} gives no reason`] : [];
    }),
  ];
}

/** Lower case with single spaces. The text of literals is dropped, except where it may be the body of a function. */
function plain(text: string): string {
  const isFunction = /^\s*create\s+(or\s+replace\s+)?function\b/i.test(text);
  const code = isFunction ? text : text.replace(/'(?:[^']|'')*'/g, "''");
  return code
    .replace(/\s+/g, ' ')
    .replace(/\bpublic\./gi, '')
    .toLowerCase()
    .trim();
}

function hasTopLevelComma(statement: string): boolean {
  let depth = 0;
  for (const character of statement) {
    if (character === '(' || character === '[') depth += 1;
    if (character === ')' || character === ']') depth -= 1;
    if (character === ',' && depth === 0) return true;
  }
  return false;
}

/** Whether an earlier file has validated a check that the column is not null. */
function isKnownNotNull({ statement, before }: Place, column: string): boolean {
  const table = tableOf(statement);
  const check = new RegExp(
    `^alter table ${table} add constraint (\\S+) check \\(\\(*"?${column}"? is not null\\)+ not valid`,
  );
  const names = before.flatMap((earlier) => check.exec(earlier)?.[1] ?? []);
  return names.some((name) => before.includes(`alter table ${table} validate constraint ${name}`));
}
