import { Ajv, type FuncKeywordDefinition } from 'ajv';
import type { DataValidateFunction } from 'ajv/dist/types/index.js';
import type { TSchema } from 'typebox';
import { formats } from './formats.ts';
import { type Problem, toProblems } from './invalidInput.ts';
import { clipped, withHouseRules } from './schemaWalk.ts';

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
// Stops at the first complaint, and looks at lengths before it looks inside.
const quick = new Ajv({ ...options });
const thorough = new Ajv({ ...options, allErrors: true });

/** Checks a parsed body; nothing is coerced: a string decimal is not a number. */
export function bodyValidator(schema: TSchema): (body: unknown) => Problem[] {
  const ruled = withHouseRules(schema);
  const isValid = quick.compile(ruled);
  const complain = thorough.compile(ruled);
  return (body) => {
    if (isValid(body)) return [];
    complain(clipped(ruled, body));
    return toProblems(complain.errors ?? []);
  };
}

/**
 * Checks a query string, reading its integers in place. As in a path, only digits make one: JavaScript would
 * also take 0x10, 1e1 and blanks for numbers.
 */
export function queryValidator(schema: TSchema): (query: Record<string, unknown>) => Problem[] {
  const problemsOf = bodyValidator(schema);
  const { properties = {} } = schema as { properties?: Record<string, { type?: unknown }> };
  const integers = Object.keys(properties).filter((name) => properties[name]?.type === 'integer');
  return (query) => {
    for (const name of integers) {
      const text = query[name];
      if (typeof text === 'string' && /^-?\d+$/.test(text)) query[name] = Number(text);
    }
    return problemsOf(query);
  };
}
