import type { TSchema } from 'typebox';
import { PROBLEMS_MAX } from './invalidInput.ts';

/** The parts of a JSON Schema that our bodies and queries are made of. */
interface Schema {
  type?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: unknown;
  items?: Schema;
  anyOf?: readonly Schema[];
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Of a union, the alternative that a value can belong to by its type. */
const alternative = (schema: Schema, type: 'object' | 'array' | 'string'): Schema | undefined =>
  schema.anyOf ? schema.anyOf.find((each) => each.type === type) : schema.type === type ? schema : undefined;

/**
 * The same schema with what holds for every interface: integers that keep their digits, because beyond them numbers
 * lose some and PostgreSQL refuses them; and required texts that say something, because spaces alone are nothing.
 */
export function withHouseRules(schema: TSchema): TSchema {
  return strictly(schema as Schema, true) as TSchema;
}

function strictly(schema: Schema, isRequired: boolean): Schema {
  const { properties, items, anyOf, required = [] } = schema;
  return {
    ...(schema.type === 'integer' && {
      minimum: Number.MIN_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
    }),
    ...(schema.type === 'string' && !schema.format && (isRequired || schema.minLength) && { pattern: '\\S' }),
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, strictly(field, required.includes(name))]),
      ),
    }),
    ...(items && { items: strictly(items, true) }),
    ...(anyOf && { anyOf: anyOf.map((each) => strictly(each, isRequired)) }),
  };
}

/** The same value without the optional fields that are null: null in an optional field means that it was left out. */
export function withoutNulls(schema: TSchema, value: unknown): unknown {
  return dropNulls(schema as Schema, value);
}

function dropNulls(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = alternative(schema, 'array') ?? {};
    return items ? value.map((item) => dropNulls(items, item)) : value;
  }
  const fitting = isFields(value) ? alternative(schema, 'object') : undefined;
  if (!fitting) return value;
  const { properties = {}, required = [] } = fitting;
  const isOptional = (name: string) => Object.hasOwn(properties, name) && !required.includes(name);
  return Object.fromEntries(
    Object.entries(value as Fields)
      .filter(([name, field]) => field !== null || !isOptional(name))
      .map(([name, field]) => [
        name,
        Object.hasOwn(properties, name) ? dropNulls(properties[name]!, field) : field,
      ]),
  );
}

/**
 * So much of a value as tells what is wrong with it: of texts, lists and unknown fields that are more than the schema
 * allows, just enough to be too much. A hostile value costs no more to check than the largest honest one.
 */
export function clipped(schema: TSchema, value: unknown): unknown {
  return clip(schema as Schema, value);
}

function clip(schema: Schema, value: unknown): unknown {
  if (typeof value === 'string') {
    const { maxLength } = alternative(schema, 'string') ?? {};
    // Lengths are counted in characters, of which each takes up to two places.
    return maxLength === undefined ? value : value.slice(0, 2 * maxLength + 2);
  }
  if (Array.isArray(value)) {
    const { items = {}, maxItems } = alternative(schema, 'array') ?? { maxItems: 0 };
    const kept = maxItems === undefined ? value : value.slice(0, maxItems + 1);
    return kept.map((item) => clip(items, item));
  }
  if (!isFields(value)) return value;
  const { properties = {}, additionalProperties } = alternative(schema, 'object') ?? {};
  const known = Object.entries(properties)
    .filter(([name]) => Object.hasOwn(value, name))
    .map(([name, field]) => [name, clip(field, value[name])]);
  const unknown = additionalProperties === false ? unknownNames(properties, value) : [];
  return Object.fromEntries([...known, ...unknown.map((name) => [name, null])]);
}

function unknownNames(properties: Fields, value: Fields): string[] {
  const found: string[] = [];
  for (const name in value) {
    if (found.length === PROBLEMS_MAX) break;
    if (!Object.hasOwn(properties, name)) found.push(name);
  }
  return found;
}
