import { _, Ajv, type Code, type FuncKeywordDefinition } from 'ajv';
import type { DataValidateFunction } from 'ajv/dist/types/index.js';
import type { TSchema } from 'typebox';
import { oncePer } from '../../platform/kernel/once.ts';
import { POSITIONS_MAX, type ShapeFault } from '../../registers/areas/readShape.ts';
import { formats } from './formats.ts';
import { type Problem, toProblems } from './invalidInput.ts';
import { clipped, withHouseRules } from './schemaWalk.ts';

/**
 * A rule over a whole object: `Type.Object({…}, { check })`. It receives unchecked input, so it must not trust the
 * fields. Being a function, it is not part of the printed schema.
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

const characters = (text: string): number => {
  let count = 0;
  for (const _character of text) count += 1;
  return count;
};

/**
 * `minLength` and `maxLength` count characters, as in Ajv. Theirs walks through every text; a character takes one or
 * two code units, so that most texts, and those of a mebibyte, are decided by their number.
 */
const lengthFaults: Record<string, (text: Code, limit: Code, count: Code) => Code> = {
  minLength: (text, limit, count) => _`${text}.length < 2 * ${limit} && ${count}(${text}) < ${limit}`,
  maxLength: (text, limit, count) =>
    _`${text}.length > ${limit} && (${text}.length > 2 * ${limit} || ${count}(${text}) > ${limit})`,
};

function withOwnLengths(ajv: Ajv): Ajv {
  for (const [keyword, faultOf] of Object.entries(lengthFaults))
    ajv.removeKeyword(keyword).addKeyword({
      keyword,
      type: 'string',
      schemaType: 'number',
      before: 'pattern',
      error: { message: keyword, params: ({ schemaCode }) => _`{limit: ${schemaCode}}` },
      code(context) {
        const count = context.gen.scopeValue('func', { ref: characters });
        context.fail(faultOf(context.data, _`${context.schemaCode}`, count));
      },
    });
  return ajv;
}

/**
 * The lists of our schemas have texts or numbers. Ajv's own keyword also compares objects, by calling their `valueOf`
 * and `toString`: fields that a caller can give any value, so that the call fails.
 */
function withOwnUniqueItems(ajv: Ajv): Ajv {
  return ajv.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    errors: false,
    validate: (isAsked: boolean, items: readonly unknown[]) =>
      !isAsked || new Set(items).size === items.length,
  });
}

/**
 * The schemas are the service's own: they are neither checked themselves nor is their code optimized, which V8 does
 * for those in use. Both would more than double the time that the first request of its kind waits for its schema.
 */
const ajv = withOwnUniqueItems(
  withOwnLengths(
    new Ajv({
      formats,
      strict: false,
      allErrors: true,
      meta: false,
      validateSchema: false,
      code: { optimize: false },
      keywords: [checkKeyword],
    }),
  ),
);

/** At the first use: compiling the schemas of all endpoints would take a third of the service's start. */
const compiled = oncePer((schema: TSchema) => {
  const ruled = withHouseRules(schema);
  return { ruled, validate: ajv.compile(ruled) };
});

/** Checks a parsed body without coercion: a decimal string is not a number. */
export function bodyValidator(schema: TSchema): (body: unknown) => Problem[] {
  return (body) => {
    const { ruled, validate } = compiled(schema);
    return validate(clipped(ruled, body)) ? [] : toProblems(validate.errors ?? []);
  };
}

/**
 * Checks a query string and converts its integers in place. As in a path, only digits are accepted: JavaScript
 * would also accept 0x10, 1e1 and blanks.
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

/** The texts for the faults of an operating area's GeoJSON. */
export const shapeFaults: Record<ShapeFault, { pt: string; en: string }> = {
  'not-a-polygon': {
    pt: 'deve ser um Polygon ou MultiPolygon GeoJSON com ao menos um anel',
    en: 'it must be a GeoJSON Polygon or MultiPolygon with at least one ring',
  },
  'bad-position': {
    pt: 'cada posição deve ser [longitude, latitude], em números',
    en: 'each position must be [longitude, latitude], as numbers',
  },
  'out-of-range': {
    pt: 'há coordenadas fora dos limites; a ordem é [longitude, latitude]',
    en: 'some coordinates are out of range; the order is [longitude, latitude]',
  },
  'over-antimeridian': {
    pt: 'passa do meridiano de 180°: divida a área nele, em um MultiPolygon',
    en: 'it runs over the meridian of 180°: cut the area there, as a MultiPolygon',
  },
  'too-many-positions': {
    pt: `tem mais de ${POSITIONS_MAX} posições; simplifique o contorno`,
    en: `it has more than ${POSITIONS_MAX} positions; simplify the outline`,
  },
  'too-few-positions': {
    pt: 'cada anel precisa de ao menos 4 posições, a última igual à primeira',
    en: 'each ring needs at least 4 positions, the last one equal to the first',
  },
  'ring-open': {
    pt: 'há um anel aberto: a última posição deve ser igual à primeira',
    en: 'a ring is open: its last position must equal its first',
  },
  'no-area': {
    pt: 'há um anel sem área: todas as posições estão em uma linha',
    en: 'a ring has no area: all its positions lie on one line',
  },
  'self-intersection': {
    pt: 'há um anel que cruza ou toca a si mesmo',
    en: 'a ring crosses or touches itself',
  },
  'rings-cross': {
    pt: 'há anéis que se cruzam ou compartilham um trecho',
    en: 'some rings cross or share a stretch',
  },
  'hole-outside': {
    pt: 'há um buraco fora do anel externo',
    en: 'a hole lies outside the outer ring',
  },
  'holes-overlap': { pt: 'há buracos sobrepostos', en: 'some holes overlap' },
  'too-complex': {
    pt: 'o contorno é complexo demais para ser verificado; simplifique-o',
    en: 'the outline is too complex to be checked; simplify it',
  },
};
