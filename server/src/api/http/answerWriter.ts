import fastJsonStringify, { type Schema } from 'fast-json-stringify';
import type { TSchema } from 'typebox';
import { oncePer } from '../../platform/kernel/once.ts';

/** A schema is compiled at its first use, like the schemas of bodies. */
const compiled = oncePer((schema: TSchema) => fastJsonStringify(withNullable(schema as Union) as Schema));

/** Writes an answer as JSON. */
export const answerWriter = (schema: TSchema): { compile(): void; write(answer: unknown): string } => ({
  compile: () => void compiled(schema),
  write: (answer) => compiled(schema)(answer),
});

interface Union {
  type?: string;
  anyOf?: readonly Union[];
}

/**
 * Schemas express "or null" as a union. For a union the writer validates every value, with a schema that it compiles
 * for the first value. For `nullable` it needs no validation.
 */
export function withNullable(schema: Union): object {
  const others = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  const isNullable = schema.anyOf?.length === 2 && others.length === 1;
  const meant = isNullable ? { ...others[0], nullable: true } : schema;
  return Object.fromEntries(Object.entries(meant).map(([key, part]) => [key, inParts(part)]));
}

function inParts(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(inParts);
  return typeof part === 'object' && part !== null ? withNullable(part as Union) : part;
}
