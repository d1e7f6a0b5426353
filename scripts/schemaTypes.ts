/** As much of JSON Schema as our own documents use. */
export interface Schema {
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
}

/** Types that have a name of their own, by their schema as text. */
type NamedTypes = ReadonlyMap<string, string>;

/** A schema as a TypeScript type. Throws on what it does not know, so that nothing becomes `unknown` unnoticed. */
export function typeOf(schema: Schema, named: NamedTypes = new Map()): string {
  const name = named.get(JSON.stringify(schema));
  if (name) return name;
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (schema.anyOf) return [...new Set(schema.anyOf.map((one) => typeOf(one, named)))].join(' | ');
  if (Array.isArray(schema.type))
    return schema.type.map((type) => typeOf({ ...schema, type }, named)).join(' | ');
  if (schema.type === 'object') return objectType(schema, named);
  if (schema.type === 'array') return `Array<${typeOf(schema.items ?? {}, named)}>`;
  const plain = schema.type && plainTypes[schema.type];
  if (!plain) throw new Error(`no type for ${JSON.stringify(schema)}`);
  return plain;
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
    // Whoever has `undefined` for an optional field may pass it on: JSON leaves it out.
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
