/** The part of JSON Schema that the documents use. */
export interface Schema {
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
}

/** Names of types, keyed by their schema as text. */
export type NamedTypes = ReadonlyMap<string, string>;

const SHARED_FIELDS_MIN = 3;

/**
 * Names for the objects that occur in several places of the schemas, so that each is declared once. A name comes from
 * the field, or from the schema's own name, where the object first occurs.
 */
export function sharedTypes(schemas: readonly { name: string; schema: Schema }[]): Map<string, Schema> {
  const seen = new Map<string, { name: string; schema: Schema; count: number }>();
  const visit = (name: string, schema: Schema): void => {
    if (Object.keys(schema.properties ?? {}).length >= SHARED_FIELDS_MIN) {
      const key = JSON.stringify(schema);
      const known = seen.get(key);
      seen.set(key, known ? { ...known, count: known.count + 1 } : { name, schema, count: 1 });
      if (known) return;
    }
    for (const [field, inner] of Object.entries(schema.properties ?? {})) visit(pascal(field), inner);
    for (const inner of [schema.items ?? [], schema.anyOf ?? []].flat()) visit(name, inner);
  };
  for (const { name, schema } of schemas) visit(name, schema);
  const shared = new Map<string, Schema>();
  for (const { name, schema, count } of seen.values()) {
    if (count === 1) continue;
    let unique = name;
    for (let number = 2; shared.has(unique); number += 1) unique = `${name}${number}`;
    shared.set(unique, schema);
  }
  return shared;
}

/** Declarations of the shared types, and their names for all references. */
export function declareShared(shared: ReadonlyMap<string, Schema>, others: NamedTypes) {
  const named = new Map([
    ...others,
    ...[...shared].map(([name, schema]) => [JSON.stringify(schema), name] as const),
  ]);
  const declarations = [...shared].map(
    ([name, schema]) => `export type ${name} = ${objectType(schema, named)};`,
  );
  return { named, declarations };
}

/** entrega.parada_concluida: EntregaParadaConcluida */
export const pascal = (name: string): string =>
  name.replace(/(?:^|[^a-zA-Z0-9]+)(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * A schema as a TypeScript type. Throws on anything that it does not know, so that nothing becomes `unknown` unnoticed.
 */
export function typeOf(schema: Schema, named: NamedTypes = new Map()): string {
  const name = named.get(JSON.stringify(schema));
  if (name) return name;
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return shorterEnum(schema.enum, named) ?? schema.enum.map(literal).join(' | ');
  if (schema.anyOf) return [...new Set(schema.anyOf.map((each) => typeOf(each, named)))].join(' | ');
  if (Array.isArray(schema.type))
    return schema.type.map((type) => typeOf({ ...schema, type }, named)).join(' | ');
  if (schema.type === 'object') return extendedType(schema, named) ?? objectType(schema, named);
  if (schema.type === 'array') return arrayType(schema, named);
  const plain = schema.type && plainTypes[schema.type];
  if (!plain) throw new Error(`no type for ${JSON.stringify(schema)}`);
  return plain;
}

const LONG_ENUM_MIN = 12;

/** Writes a long list as a named one and its additional values. */
function shorterEnum(values: readonly unknown[], named: NamedTypes): string | undefined {
  if (values.length < LONG_ENUM_MIN) return undefined;
  for (const [key, name] of named) {
    const known = (JSON.parse(key) as Schema).enum ?? [];
    if (known.length < LONG_ENUM_MIN || known.length >= values.length) continue;
    if (!known.every((value) => values.includes(value))) continue;
    return [name, ...values.filter((value) => !known.includes(value)).map(literal)].join(' | ');
  }
  return undefined;
}

/** The longest list of fixed length that becomes a tuple, such as a position of GeoJSON. */
const TUPLE_LENGTH_MAX = 4;

function arrayType({ items = {}, minItems = 0, maxItems }: Schema, named: NamedTypes): string {
  const entry = typeOf(items, named);
  return minItems > 1 && minItems === maxItems && minItems <= TUPLE_LENGTH_MAX
    ? `[${Array(minItems).fill(entry).join(', ')}]`
    : `Array<${entry}>`;
}

const plainTypes: Readonly<Record<string, string>> = {
  string: 'string',
  boolean: 'boolean',
  null: 'null',
  integer: 'number',
  number: 'number',
};

const BASE_FIELDS_MIN = 5;

/** Writes an object with all fields of a named one as that type and the additional fields. */
function extendedType(schema: Schema, named: NamedTypes): string | undefined {
  const fields = Object.entries(schema.properties ?? {});
  for (const [key, name] of named) {
    const base = JSON.parse(key) as Schema;
    const shared = Object.keys(base.properties ?? {});
    const isBase =
      shared.length >= BASE_FIELDS_MIN &&
      shared.length < fields.length &&
      shared.every((field) => fieldKey(base, field) === fieldKey(schema, field));
    if (!isBase) continue;
    const rest = Object.fromEntries(fields.filter(([field]) => !shared.includes(field)));
    return `${name} & ${objectType({ ...schema, properties: rest }, named)}`;
  }
  return undefined;
}

/** The fields that all objects have with the same schema. */
export function commonFields([first, ...others]: readonly Schema[]): Schema {
  const common = Object.entries(first!.properties ?? {}).filter(([field]) =>
    others.every((other) => fieldKey(other, field) === fieldKey(first!, field)),
  );
  return { ...first, properties: Object.fromEntries(common) };
}

const fieldKey = ({ properties = {}, required = [] }: Schema, field: string): string =>
  JSON.stringify([properties[field], required.includes(field)]);

function objectType(
  { properties = {}, required = [], additionalProperties }: Schema,
  named: NamedTypes,
): string {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?';
    // `undefined` is allowed for an optional field: JSON leaves it out.
    const type = mark ? `${typeOf(schema, named)} | undefined` : typeOf(schema, named);
    return `${comment(schema)}${/^\w+$/.test(name) ? name : JSON.stringify(name)}${mark}: ${type};`;
  });
  if (fields.length > 0) return `{\n${fields.join('\n')}\n}`;
  return typeof additionalProperties === 'object'
    ? `Record<string, ${typeOf(additionalProperties, named)}>`
    : 'Record<string, never>';
}

export const comment = ({ description }: Schema): string =>
  description ? `/** ${description.replaceAll('*/', '* /')} */\n` : '';

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replace(/['\\]/g, '\\$&')}'` : String(value);
