import { Ajv, type FuncKeywordDefinition } from 'ajv';
import type { DataValidateFunction } from 'ajv/dist/types/index.js';
import type { TSchema } from 'typebox';
import { formats } from './formats.ts';
import { type Problem, toProblems } from './invalidInput.ts';

/**
 * What only a whole object can tell: `Type.Object({…}, { check })`. The rule meets whatever was sent, so it
 * must not trust its fields. Being a function, it stays out of the schema's printed form.
 */
export type Check = (value: Readonly<Record<string, unknown>>) => Problem[];

const checkKeyword: FuncKeywordDefinition = {
  keyword: 'check',
  type: 'object',
  errors: 'full',
  compile(check: Check) {
    const validate: DataValidateFunction = (value, context) => {
      const problems = check(value);
      validate.errors = problems.map(({ field, pt, en }) => ({
        keyword: 'check',
        instancePath: `${context?.instancePath ?? ''}/${field}`,
        params: { pt, en },
      }));
      return problems.length === 0;
    };
    return validate;
  },
};

const options = { formats, strict: false, validateFormats: true, keywords: [checkKeyword] };
const strict = new Ajv({ ...options });
// Every complaint at once, for bodies with so few values that a hostile one cannot make a mountain of them.
const thorough = new Ajv({ ...options, allErrors: true });
const THOROUGH_VALUES_MAX = 20_000;

/** Checks a parsed body; nothing is coerced: a string decimal is not a number. */
export function bodyValidator(schema: TSchema): (body: unknown) => Problem[] {
  const bounded = withSafeIntegers(schema);
  const quick = strict.compile(bounded);
  const full = thorough.compile(bounded);
  return (body) => {
    if (quick(body)) return [];
    if (hasMoreValues(body, THOROUGH_VALUES_MAX)) return toProblems(quick.errors ?? []);
    full(body);
    return toProblems(full.errors ?? []);
  };
}

function hasMoreValues(body: unknown, limit: number): boolean {
  const found = [body];
  for (let next = 0; next < found.length && found.length <= limit; next += 1) {
    const value = found[next];
    if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) found.push(one);
  }
  return found.length > limit;
}

/**
 * Checks a query string, reading its integers in place. As in a path, only digits make one: JavaScript would
 * also take 0x10, 1e1 and blanks for numbers.
 */
export function queryValidator(schema: TSchema): (query: Record<string, unknown>) => Problem[] {
  const validate = thorough.compile(withSafeIntegers(schema));
  const { properties = {} } = schema as { properties?: Record<string, { type?: unknown }> };
  const integers = Object.keys(properties).filter((name) => properties[name]?.type === 'integer');
  return (query) => {
    for (const name of integers) {
      const text = query[name];
      if (typeof text === 'string' && /^-?\d+$/.test(text)) query[name] = Number(text);
    }
    return validate(query) ? [] : toProblems(validate.errors ?? []);
  };
}

/** JSON knows no largest integer, but we do: beyond it numbers lose digits, and PostgreSQL refuses them. */
function withSafeIntegers<Schema>(schema: Schema): Schema {
  if (Array.isArray(schema)) return schema.map(withSafeIntegers) as Schema;
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, withSafeIntegers(value)]),
  );
  const bounds = copy.type === 'integer' && {
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
  };
  return { ...bounds, ...copy } as Schema;
}
