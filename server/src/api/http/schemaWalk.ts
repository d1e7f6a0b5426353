import type { TSchema } from 'typebox';
import { oncePer } from '../../platform/kernel/once.ts';
import { PROBLEMS_MAX } from './invalidInput.ts';

/** The parts of JSON Schema that bodies and queries use. */
export interface Schema {
  type?: string;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: unknown;
  items?: Schema;
  anyOf?: readonly Schema[];
  /** Converts a valid text to another type. Being a function, it is not part of the printed schema. */
  read?: (text: string) => unknown;
}

type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
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

/** Reads the texts whose schema says how. */
export const withTextsRead = (schema: TSchema, value: unknown): unknown => textReader(schema)(value);

const textReader = oncePer((schema: TSchema) =>
  isReadIn(schema as Schema)
    ? (value: unknown) => readTexts(schema as Schema, value)
    : (value: unknown) => value,
);

const isReadIn = ({ read, properties = {}, items, anyOf = [] }: Schema): boolean =>
  read !== undefined || [...Object.values(properties), ...(items ? [items] : []), ...anyOf].some(isReadIn);

function readTexts(schema: Schema, value: unknown): unknown {
  if (typeof value === 'string') {
    const { read, pattern } = alternative(schema, 'string') ?? {};
    return read && pattern && new RegExp(pattern).test(value) ? read(value) : value;
  }
  if (Array.isArray(value)) {
    const { items } = alternative(schema, 'array') ?? {};
    return items ? value.map((item) => readTexts(items, item)) : value;
  }
  const { properties } = (isFields(value) && alternative(schema, 'object')) || {};
  if (!properties) return value;
  return Object.fromEntries(
    Object.entries(value as Fields).map(([name, field]) => [
      name,
      Object.hasOwn(properties, name) ? readTexts(properties[name]!, field) : field,
    ]),
  );
}

/**
 * The part of a value that is needed to detect its problems, which is the value itself where it keeps the limits of
 * the schema. Strings, lists and unknown fields beyond the limits are cut just above them. A hostile value therefore
 * costs no more to check than the largest valid value.
 */
export function clipped(schema: TSchema, value: unknown): unknown {
  return clip(schema as Schema, value);
}

function clip(schema: Schema, value: unknown): unknown {
  if (typeof value === 'string') return clipText(alternative(schema, 'string'), value);
  if (Array.isArray(value)) return clipList(alternative(schema, 'array'), value);
  return isFields(value) ? clipFields(alternative(schema, 'object'), value) : value;
}

function clipText(schema: Schema | undefined, text: string): string {
  // Lengths count characters, each of which takes up to two code units.
  const unitsMax = 2 * (schema?.maxLength ?? Infinity) + 2;
  return text.length > unitsMax ? text.slice(0, unitsMax) : text;
}

function clipList(schema: Schema | undefined, list: readonly unknown[]): readonly unknown[] {
  const { items, maxItems = Infinity } = schema ?? {};
  const kept = list.length > maxItems ? list.slice(0, maxItems + 1) : list;
  if (!items) return kept;
  let copy: unknown[] | undefined;
  for (const [index, item] of kept.entries()) {
    const part = clip(items, item);
    if (part === item) continue;
    copy ??= [...kept];
    copy[index] = part;
  }
  return copy ?? kept;
}

function clipFields(schema: Schema | undefined, fields: Fields): Fields {
  const { properties = {}, additionalProperties } = schema ?? {};
  const kept = additionalProperties === false ? withFewUnknown(properties, fields) : fields;
  let copy: Record<string, unknown> | undefined;
  for (const name in properties) {
    if (!Object.hasOwn(kept, name)) continue;
    const part = clip(properties[name]!, kept[name]);
    if (part === kept[name]) continue;
    copy ??= { ...kept };
    copy[name] = part;
  }
  return copy ?? kept;
}

/** No more unknown fields than problems are reported. */
function withFewUnknown(properties: Fields, fields: Fields): Fields {
  const unknown = Object.keys(fields).filter((name) => !Object.hasOwn(properties, name));
  if (unknown.length <= PROBLEMS_MAX) return fields;
  const dropped = new Set(unknown.slice(PROBLEMS_MAX));
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !dropped.has(name)));
}
