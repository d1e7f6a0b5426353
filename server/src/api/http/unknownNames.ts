import type { FastifyReply } from 'fastify';
import type { TSchema } from 'typebox';
import { editDistance } from '../../platform/kernel/editDistance.ts';
import { isStorable } from './body.ts';
import { cutName, PROBLEMS_MAX, type Problem } from './invalidInput.ts';
import { isFields, type Schema } from './schemaWalk.ts';

/** The names that a schema knows, at every level. Without `fields`, an object may have any name. */
interface Known {
  fields?: ReadonlyMap<string, Known | undefined>;
  items?: Known | undefined;
}

/** A name in a request that its endpoint does not know. */
interface UnknownName {
  /** Where it stands, such as `paradas[0].`. */
  place: string;
  name: string;
  /** The names that are known there. */
  known: readonly string[];
  isParameter: boolean;
}

export interface UnknownNames {
  /** As many as problems are reported. */
  first: readonly UnknownName[];
  count: number;
}

export const NONE_UNKNOWN: UnknownNames = { first: [], count: 0 };

/** Derives from an endpoint's schemas, once, how to find the names that they do not have. */
export function unknownNamesFinder({
  query: querySchema,
  body: bodySchema,
}: {
  query?: TSchema;
  body?: TSchema;
}): (query: unknown, body: unknown) => UnknownNames {
  const inQuery = knownNames(querySchema);
  const inBody = knownNames(bodySchema);
  return (query, body) => {
    let first: UnknownName[] | undefined;
    let count = 0;
    let isParameter = true;
    const note = (place: string, name: string, fields: ReadonlyMap<string, unknown>): void => {
      first ??= [];
      if (count < PROBLEMS_MAX) first.push({ place, name, known: [...fields.keys()], isParameter });
      count += 1;
    };
    visit(inQuery, query, '', note);
    isParameter = false;
    visit(inBody, body, '', note);
    return first ? { first, count } : NONE_UNKNOWN;
  };
}

/** An endpoint without a schema knows no names. */
const knownNames = (schema: TSchema | undefined): Known => knownIn((schema ?? NO_FIELDS) as Schema) ?? {};
const NO_FIELDS: Schema = { properties: {} };

function knownIn(schema: Schema): Known | undefined {
  const alternatives = schema.anyOf ?? [schema];
  const { items } = alternatives.find((each) => each.items) ?? {};
  const { properties, additionalProperties } = alternatives.find((each) => each.properties) ?? {};
  const inItems = items && knownIn(items);
  // A schema that says itself whether other names are allowed is checked by the validation.
  const fields =
    properties && additionalProperties === undefined
      ? new Map(Object.entries(properties).map(([name, field]) => [name, knownIn(field)]))
      : undefined;
  return fields || inItems ? { ...(fields && { fields }), items: inItems } : undefined;
}

function visit(
  { fields, items }: Known,
  value: unknown,
  place: string,
  note: (place: string, name: string, fields: ReadonlyMap<string, unknown>) => void,
): void {
  if (items && Array.isArray(value))
    for (const [index, item] of value.entries()) visit(items, item, `${place}[${index}].`, note);
  if (!fields || !isFields(value)) return;
  for (const name of Object.keys(value)) {
    const inner = fields.get(name);
    if (inner) visit(inner, value[name], inner.items ? place + name : `${place}${name}.`, note);
    else if (!fields.has(name)) note(place, name, fields);
  }
}

const HEADER_NAMES_MAX = 20;
const HEADER_LENGTH_MAX = 1_000;
const HEADER_NAME_LENGTH_MAX = 40;

/** Contract 7.1: ignored names are named in `X-Ignored-Fields`, each with the known name that was probably meant. */
export function nameIgnored(reply: FastifyReply, { first, count }: UnknownNames): void {
  const named: string[] = [];
  let length = 0;
  for (const unknown of first.slice(0, HEADER_NAMES_MAX)) {
    const meant = nearest(unknown);
    const entry = unknown.place + encoded(unknown.name) + (meant ? ` (${meant}?)` : '');
    length += entry.length;
    if (length > HEADER_LENGTH_MAX) break;
    named.push(entry);
  }
  const rest = count - named.length;
  reply.header('x-ignored-fields', [...named, ...(rest > 0 ? [`+${rest}`] : [])].join(', '));
}

/** Encodes a name that the caller sent, so that a header shows it as one name. */
function encoded(name: string): string {
  if (name === '') return '""';
  const cut = name.length > HEADER_NAME_LENGTH_MAX;
  const kept = cut ? name.slice(0, HEADER_NAME_LENGTH_MAX) : name;
  const safe = kept
    .toWellFormed()
    .replace(/[^\w-]/gu, (character) =>
      [...Buffer.from(character)]
        .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
        .join(''),
    );
  return cut ? `${safe}...` : safe;
}

/** For a caller that wants unknown names refused. Names that cannot be stored are refused anyway. */
export const unknownNameProblems = ({ first }: UnknownNames): Problem[] =>
  first.filter(({ name }) => isStorable(name)).map(unknownNameProblem);

function unknownNameProblem(unknown: UnknownName): Problem {
  const { place, name, isParameter } = unknown;
  const meant = nearest(unknown);
  return {
    field: cutName(place + (name || '""')),
    pt:
      `não é um ${isParameter ? 'parâmetro' : 'campo'} conhecido nesta rota` +
      (meant ? `; você quis dizer '${meant}'?` : ''),
    en:
      `is not a known ${isParameter ? 'query parameter' : 'field'} of this endpoint` +
      (meant ? `; did you mean '${meant}'?` : ''),
  };
}

const NEAR_LENGTH_MAX = 50;

/**
 * The known name that was probably meant: the same written differently, else one with a few wrong letters, else the
 * only one that has all words of the name.
 */
function nearest({ name, known }: UnknownName): string | undefined {
  if (name.length > NEAR_LENGTH_MAX) return undefined;
  const words = wordsOf(name);
  const written = words.join('_');
  const wrongMax = Math.min(3, Math.ceil(written.length / 4));
  let best: { name: string; wrong: number } | undefined;
  for (const each of known) {
    const wrong = editDistance(written, each, wrongMax);
    if (wrong <= wrongMax && wrong < (best?.wrong ?? Infinity)) best = { name: each, wrong };
  }
  if (best) return best.name;
  const longer = known.filter((each) => words.every((word) => wordsOf(each).includes(word)));
  return longer.length === 1 ? longer[0] : undefined;
}

/** statusSolicitacao, Status-Solicitação → status, solicitacao */
const wordsOf = (name: string): string[] =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);

/** Preferences are short; a header may hold a hundred times as much. */
const PREFER_LENGTH_MAX = 1_000;
const PREFERENCES = /(?:"(?:[^"\\]|\\.)*"|[^",])+/g;

/** `Prefer: handling=strict` (RFC 7240). The first preference of a name counts. */
export function prefersStrict(prefer: string | string[] | undefined): boolean {
  if (prefer === undefined) return false;
  for (const preference of String(prefer).slice(0, PREFER_LENGTH_MAX).match(PREFERENCES) ?? []) {
    const [, value] = /^\s*handling\s*(?:=\s*"?(\w*)"?\s*)?(?:;|$)/i.exec(preference) ?? [];
    if (/^\s*handling\b/i.test(preference)) return value?.toLowerCase() === 'strict';
  }
  return false;
}
