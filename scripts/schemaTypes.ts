/** The part of JSON Schema that our documents use. */
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

/** Names of types, by their schema as text. */
type NamedTypes = ReadonlyMap<string, string>;

/** A schema as a TypeScript type. Throws on what it does not know, so that nothing becomes `unknown` unnoticed. */
export function typeOf(schema: Schema, named: NamedTypes = new Map()): string {
  const name = named.get(JSON.stringify(schema));
  if (name) return name;
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (schema.anyOf) return [...new Set(schema.anyOf.map((each) => typeOf(each, named)))].join(' | ');
  if (Array.isArray(schema.type))
    return schema.type.map((type) => typeOf({ ...schema, type }, named)).join(' | ');
  if (schema.type === 'object') return objectType(schema, named);
  if (schema.type === 'array') return arrayType(schema, named);
  const plain = schema.type && plainTypes[schema.type];
  if (!plain) throw new Error(`no type for ${JSON.stringify(schema)}`);
  return plain;
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

const comment = ({ description }: Schema): string =>
  description ? `/** ${description.replaceAll('*/', '* /')} */\n` : '';

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replace(/['\\]/g, '\\$&')}'` : String(value);
