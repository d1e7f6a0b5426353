/*
 * Rules for the schema that a distributed database requires or that keep it self-explanatory. They are read from
 * schema.sql, which the check compares with the result of the migrations.
 */

interface Table {
  name: string;
  hasComment: boolean;
  columns: readonly string[];
  /** Primary keys, unique constraints and unique indexes, by name. */
  uniques: ReadonlyMap<string, string>;
  constraints: readonly string[];
}

export interface SchemaExceptions {
  /** Tables of the whole installation, with the reason. */
  withoutCentral: Readonly<Record<string, string>>;
  /** Unique keys without central_id, with the reason. */
  uniqueWithoutCentral: Readonly<Record<string, string>>;
  /** Trigger functions that take ids from sequences or notify, with the reason. */
  triggers: Readonly<Record<string, string>>;
  /** Trigger functions that read the database's clock, with the reason. */
  clocks: Readonly<Record<string, string>>;
}

/** PostgreSQL allows 63 bytes, and a shard appends its number. */
const NAME_LENGTH_MAX = 50;
const UNNAMED = /_(check|key)\d*$|_central_id_\w*_fkey$|_excl\d*$/;
const NOT_IN_TRIGGERS = /\b(pg_notify|notify|nextval|setval|next_id|create sequence)\b/i;
/** Time comes from the service's clock. The database's clock may differ, and in tests it does. */
const DATABASE_CLOCK = /\b(now|clock_timestamp|statement_timestamp)\(\)|\bcurrent_(date|timestamp|time)\b/i;

export function schemaFaults(schema: string, exceptions: SchemaExceptions): string[] {
  const tables = tablesOf(schema);
  const triggers = triggerFunctionsOf(schema);
  const { withoutCentral, uniqueWithoutCentral } = exceptions;
  const used = new Set<string>();
  const isExcepted = (list: Readonly<Record<string, string>>, name: string): boolean => {
    if (name in list) used.add(name);
    return name in list;
  };
  const faults = [
    ...tables.flatMap(({ name, columns, uniques, hasComment, constraints }) => [
      ...(hasComment ? [] : [`table ${name} has no comment`]),
      ...(columns.includes('central_id')
        ? [...uniques]
            .filter(([key, over]) => !/\bcentral_id\b/.test(over) && !isExcepted(uniqueWithoutCentral, key))
            .map(([key]) => `${key} is unique without central_id`)
        : isExcepted(withoutCentral, name)
          ? []
          : [`table ${name} has no central_id`]),
      ...constraints
        .filter((constraint) => UNNAMED.test(constraint))
        .map((constraint) => `constraint ${constraint} of ${name} has no name that says its rule`),
      ...[...constraints, ...uniques.keys()]
        .filter((each) => each.length > NAME_LENGTH_MAX)
        .map((each) => `${each} is longer than ${NAME_LENGTH_MAX} characters`),
    ]),
    ...triggers
      .filter(({ name, body }) => NOT_IN_TRIGGERS.test(body) && !isExcepted(exceptions.triggers, name))
      .map(({ name }) => `trigger function ${name} notifies or uses a sequence`),
    ...triggers
      .filter(({ name, body }) => DATABASE_CLOCK.test(body) && !isExcepted(exceptions.clocks, name))
      .map(({ name }) => `trigger function ${name} reads the database's clock`),
  ];
  const idle = Object.values(exceptions)
    .flatMap((list) => Object.keys(list))
    .filter((name) => !used.has(name));
  return [...faults, ...idle.map((name) => `${name} needs no exception`)];
}

function tablesOf(schema: string): Table[] {
  const found = schema.matchAll(/^((?:-- .*\n)*)create (?:unlogged )?table (\w+) \(\n([\s\S]*?)\n\)/gm);
  return [...found].map(([, comment, name, body]) => {
    const lines = body!.split('\n').map((line) => line.trim());
    const constraints = lines.flatMap((line) => {
      const [, constraint, rule] = /^constraint (\w+) (.*?),?$/.exec(line) ?? [];
      return constraint === undefined ? [] : [{ constraint, rule: rule! }];
    });
    const indexes = schema.matchAll(
      new RegExp(
        `^CREATE UNIQUE INDEX (\\w+) ON ${name} USING \\w+ (\\(.*?\\))(?: NULLS| WHERE| INCLUDE|;)`,
        'gm',
      ),
    );
    return {
      name: name!,
      hasComment: comment !== '',
      columns: lines
        .flatMap((line) => /^"?(\w+)"? /.exec(line)?.[1] ?? [])
        .filter((each) => each !== 'constraint'),
      uniques: new Map([
        ...constraints
          .filter(({ rule }) => /^(PRIMARY KEY|UNIQUE)/.test(rule))
          .map(({ constraint, rule }) => [constraint, rule] as const),
        ...[...indexes].map(([, index, over]) => [index!, over!] as const),
      ]),
      constraints: constraints.map(({ constraint }) => constraint),
    };
  });
}

function triggerFunctionsOf(schema: string): { name: string; body: string }[] {
  const found = schema.matchAll(
    /^CREATE OR REPLACE FUNCTION (\w+)\([^)]*\)\n RETURNS trigger\n([\s\S]*?)\$function\$;/gm,
  );
  return [...found].map(([, name, body]) => ({ name: name!, body: body! }));
}
