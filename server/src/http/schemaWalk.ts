import type { TSchema } from 'typebox';
import { PROBLEMS_MAX } from './invalidInput.ts';

/** The parts of JSON Schema that bodies and queries use. */
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

/** The alternative of a union that matches the type of a value. */
const alternative = (schema: Schema, type: 'object' | 'array' | 'string'): Schema | undefined =>
  schema.anyOf ? schema.anyOf.find((each) => each.type === type) : schema.type === type ? schema : undefined;

/**
 * Adds the rules of every interface to a schema. Integers are limited to safe integers, because larger numbers
 * lose digits and PostgreSQL refuses them. Required strings must not be blank.
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

/** Removes optional fields that are null: null in an optional field means that it was left out. */
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
 * The part of a value that is needed to detect its problems. Strings, lists and unknown fields beyond the limits
 * of the schema are cut just above the limit. A hostile value therefore costs no more to check than the largest
 * valid value.
 */
export function clipped(schema: TSchema, value: unknown): unknown {
  return clip(schema as Schema, value);
}

function clip(schema: Schema, value: unknown): unknown {
  if (typeof value === 'string') {
    const { maxLength } = alternative(schema, 'string') ?? {};
    // Lengths count characters, each of which takes up to two code units.
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
