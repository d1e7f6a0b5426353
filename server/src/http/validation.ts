import { Ajv } from 'ajv';
import type { TSchema } from 'typebox';
import { formats } from './formats.ts';
import { type Problem, toProblems } from './invalidInput.ts';

const options = { formats, strict: false, validateFormats: true } as const;
const strict = new Ajv({ ...options });
// Every complaint at once, for bodies small enough that a hostile one cannot make a mountain of them.
const thorough = new Ajv({ ...options, allErrors: true });
const coercing = new Ajv({ ...options, allErrors: true, coerceTypes: true });
const THOROUGH_BYTES_MAX = 64 * 1024;

/** Checks a parsed body; nothing is coerced: a string decimal is not a number. */
export function bodyValidator(schema: TSchema): (body: unknown, bytes: number) => Problem[] {
  const quick = strict.compile(schema);
  const full = thorough.compile(schema);
  return (body, bytes) => {
    if (quick(body)) return [];
    if (bytes > THOROUGH_BYTES_MAX) return toProblems(quick.errors ?? []);
    full(body);
    return toProblems(full.errors ?? []);
  };
}

/** Checks a query string, turning texts into numbers and booleans where the schema has them (in place). */
export function queryValidator(schema: TSchema): (query: unknown) => Problem[] {
  const validate = coercing.compile(schema);
  return (query) => (validate(query) ? [] : toProblems(validate.errors ?? []));
}
