import Type, { type Static, type TSchema } from 'typebox';
import { nullable } from './values.ts';
import type { ObjectOf } from './view.ts';

/**
 * A value of an answer that PostgreSQL writes itself: its schema, an example, and the SQL that gives it. As in view.ts, an
 * object is a table of such values.
 */
export interface SqlView<Schema extends TSchema> {
  schema: Schema;
  /** Undefined: the example of the object does not have it. */
  example: Static<Schema> | undefined;
  /** Null: the statement adds it to the object where there is a value. */
  sql: string | null;
}

/** A kind of single value: its schema, and how it is written from an expression. */
export const sqlKind = <Schema extends TSchema>(
  schema: Schema,
  write: (expression: string) => string = (expression) => expression,
) =>
  Object.assign(
    (expression: string, example: Static<Schema>) => ({ schema, example, sql: write(expression) }),
    {
      orNull: (expression: string, example: Static<Schema> | null) => ({
        schema: nullable(schema),
        example,
        sql: write(expression),
      }),
    },
  );

export const sqlText = sqlKind(Type.String());
/** The id of a record: text, as everywhere in answers. */
export const sqlId = sqlKind(Type.String(), (id) => `${id}::text`);
export const sqlFlag = sqlKind(Type.Boolean());
export const sqlPosition = sqlKind(Type.Integer({ minimum: 0 }));

export const sqlCents = (cents: string): string => `trim(to_char(${cents} / 100.0, 'FM999999999990.00'))`;

/** A plain decimal with a point, also for degrees near 0, which PostgreSQL would write as 1e-05. */
export const sqlDegrees = sqlKind(
  Type.String({ pattern: '^-?\\d+\\.\\d+$', description: 'decimal' }),
  (column) =>
    `case when ${column} = trunc(${column}) then trunc(${column})::integer || '.0'
     when abs(${column}) < 0.001 then trim_scale(${column}::numeric)::text else ${column}::text end`,
);

/** One of a list of codes (codes.ts), in which several words may share a code. */
export const sqlCode = <const Code extends string>(codes: Readonly<Record<string, Code>>) => {
  const cases = Object.entries<Code>(codes).map(([word, code]) => `when '${word}' then '${code}'`);
  return sqlKind(
    Type.Enum([...new Set(Object.values<Code>(codes))]),
    (column) => `case ${column} ${cases.join(' ')} end`,
  );
};

/** An object, from its fields in the order of the answer. `columns` is the select list of a row with the same fields. */
export function sqlObject<Fields extends Record<string, SqlView<TSchema>>>(fields: Fields) {
  const entries = Object.entries(fields);
  const written = entries.filter(([, { sql }]) => sql !== null);
  return {
    schema: Type.Object(
      Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
    ) as unknown as ObjectOf<Fields>,
    example: Object.fromEntries(
      entries.flatMap(([name, { example }]) => (example === undefined ? [] : [[name, example]])),
    ) as Static<ObjectOf<Fields>>,
    sql: `json_build_object(${written.map(([name, { sql }]) => `'${name}', ${sql}`).join(', ')})`,
    columns: written.map(([name, { sql }]) => `${sql} as ${name}`).join(', '),
  };
}

/** A list of objects, from an aggregate of their JSON. */
export const sqlList = <Schema extends TSchema>(
  part: { schema: Schema; example: Static<Schema> },
  sql: string,
) => ({ schema: Type.Array(part.schema), example: [part.example], sql });
