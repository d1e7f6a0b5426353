import Type, { type Static, type TObject, type TSchema } from 'typebox';
import { centsToDecimal } from '../../platform/kernel/money.ts';
import { formatKm, formatLocal, formatUtc, nullable } from './values.ts';

/**
 * How a value is shown in answers. An object is a table of views: each field says its name on the wire, its kind, where
 * its value comes from, an example and, if needed, a description. Where a table does not fit, the three parts are
 * written by hand.
 */
export interface View<Row, Context, Schema extends TSchema> {
  schema: Schema;
  example: Static<Schema>;
  show(row: Row, context: Context): Static<Schema>;
}

type SchemasOf<Fields> = { [Name in keyof Fields]: Fields[Name] extends { schema: infer S } ? S : never };
/** The schema of an object of views. */
export type ObjectOf<Fields> =
  SchemasOf<Fields> extends infer P extends Record<string, TSchema> ? TObject<P> : never;

/**
 * An object, from its fields in the order of the answer. `view<Row>()(fields)`, because TypeScript infers all type
 * parameters of a call or none.
 */
export const view =
  <Row, Context = unknown>() =>
  <Fields extends Record<string, View<Row, Context, TSchema>>>(
    fields: Fields,
  ): View<Row, Context, ObjectOf<Fields>> => {
    const entries = Object.entries(fields);
    const each = (partOf: (field: View<Row, Context, TSchema>) => unknown) =>
      Object.fromEntries(entries.map(([name, field]) => [name, partOf(field)]));
    return {
      schema: Type.Object(each(({ schema }) => schema) as Record<string, TSchema>),
      example: each(({ example }) => example),
      show(row: Row, context: Context) {
        const shown: Record<string, unknown> = {};
        for (const [name, field] of entries) {
          const value = field.show(row, context);
          if (value !== undefined) shown[name] = value;
        }
        return shown;
      },
    } as unknown as View<Row, Context, ObjectOf<Fields>>;
  };

type Read<Row, Context, Value> = (row: Row, context: Context) => Value;

/** A kind of single value: its schema, and how it is written. */
export function kind<Value, Schema extends TSchema, Needed = unknown>(
  schemaOf: (options: { description?: string }) => Schema,
  write: (value: Value, context: Needed) => Static<Schema>,
  usual?: string,
) {
  const described = (description = usual) => schemaOf(description === undefined ? {} : { description });
  const shown = <Row, Context extends Needed>(
    read: Read<Row, Context, Value>,
    example: Static<Schema>,
    description?: string,
  ): View<Row, Context, Schema> => ({
    schema: described(description),
    example,
    show: (row, context) => write(read(row, context), context),
  });
  const orNull = <Row, Context extends Needed>(
    read: Read<Row, Context, Value | null | undefined>,
    example: Static<Schema> | null,
    description?: string,
  ) => ({
    schema: nullable(described(description)),
    example,
    show(row: Row, context: Context) {
      const value = read(row, context);
      return value === null || value === undefined ? null : write(value, context);
    },
  });
  return Object.assign(shown, { orNull, schema: described() });
}

export const text = kind(Type.String, (value: string) => value);
/** A text that is left out where there is none. */
export const textIfAny = <Row>(
  read: (row: Row) => string | null | undefined,
  example: string,
  description: string,
) => ({
  schema: Type.Optional(Type.String({ description })),
  example,
  show: (row: Row) => (read(row) ?? undefined) as string,
});
/** The id of a record: text, as in the contract. */
export const id = kind(Type.String, (value: number) => String(value));
/** An amount of money as a decimal. */
export const cents = kind(Type.String, centsToDecimal);
/** Whole metres as kilometres with two decimals. */
export const km = kind(Type.Number, (metres: number) => Math.round(metres / 10) / 100);
export const kmText = kind(Type.String, formatKm);
/** Started minutes count as whole ones. */
export const minutes = kind(Type.Integer, (seconds: number) => Math.ceil(seconds / 60));
/** Instants within JSON of the database are texts, in any zone. */
export const instant = kind(
  Type.String,
  (at: Temporal.Instant | string) => formatUtc(typeof at === 'string' ? Temporal.Instant.from(at) : at),
  'ISO 8601 em UTC',
);
/** An instant as local time in the central's time zone. */
export const localTime = kind(Type.String, (at: Temporal.Instant, { timeZone }: { timeZone: string }) =>
  formatLocal(at, timeZone),
);
export const integer = kind(Type.Integer, (value: number) => value);
export const number = kind(Type.Number, (value: number) => value);
export const flag = kind(Type.Boolean, (value: boolean) => value);
/** A code from a list of codes (codes.ts), in which several words may share a code. */
export const code = <Word extends string, Code extends string>(
  codes: Readonly<Record<Word, Code>>,
  usual?: string,
) =>
  kind(
    (options) => Type.Enum([...new Set(Object.values<Code>(codes))], options),
    (word: Word) => codes[word],
    usual,
  );

interface Options<Example> {
  description?: string;
  /** Absent: the view's own. */
  example?: Example;
}

function oneOf<Row, Context extends Needed, Part, Needed, Schema extends TObject>(
  part: View<Part, Needed, Schema>,
  read: Read<Row, Context, Part>,
  { description, example = part.example }: Options<Static<Schema>> = {},
): View<Row, Context, Schema> {
  const { properties } = part.schema;
  const schema =
    description === undefined ? part.schema : (Type.Object(properties, { description }) as Schema);
  return { schema, example, show: (row, context) => part.show(read(row, context), context) };
}

/** An object within a row, in a view of its own. */
export const one = Object.assign(oneOf, {
  orNull<Row, Context extends Needed, Part, Needed, Schema extends TObject>(
    part: View<Part, Needed, Schema>,
    read: Read<Row, Context, Part | null>,
    { example, ...options }: Options<Static<Schema> | null> = {},
  ) {
    return {
      schema: nullable(oneOf(part, (value: Part) => value, options).schema),
      example: example === undefined ? part.example : example,
      show(row: Row, context: Context) {
        const value = read(row, context);
        return value === null ? null : part.show(value, context);
      },
    };
  },
});

export const list = <Row, Context extends Needed, Part, Needed, Schema extends TSchema>(
  part: View<Part, Needed, Schema>,
  read: Read<Row, Context, readonly Part[]>,
  { description, example = [part.example] }: Options<Static<Schema>[]> = {},
) => ({
  schema: Type.Array(part.schema, description === undefined ? {} : { description }),
  example,
  show: (row: Row, context: Context) => read(row, context).map((value) => part.show(value, context)),
});

/** A published example: these fields come last in it. */
export function lastInExample<Part extends { example: object }>(
  part: Part,
  ...names: (keyof Part['example'])[]
): Part {
  const entries = Object.entries(part.example);
  const example = [
    ...entries.filter(([name]) => !names.includes(name as never)),
    ...names.map((name) => [name, part.example[name as never]]),
  ];
  return { ...part, example: Object.fromEntries(example) };
}
