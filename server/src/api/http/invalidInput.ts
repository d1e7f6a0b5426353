import type { FastifySchemaValidationError } from 'fastify';
import type { Language } from './envelope.ts';

/** One problem of a request: the field and its text. */
export interface Problem {
  field: string;
  pt: string;
  en: string;
}

/** The number of problems reported in one answer. */
export const PROBLEMS_MAX = 100;
const FIELD_LENGTH_MAX = 100;

/**
 * Contract 7.1, code 2: all problems of a request in one answer. Field names come from the caller: long names are
 * cut, and none is part of the error's message.
 */
export class InvalidInput extends Error {
  override name = 'InvalidInput';
  readonly problems: readonly Problem[];
  constructor(problems: readonly Problem[]) {
    super('invalid input');
    this.problems = problems
      .slice(0, PROBLEMS_MAX)
      .map((problem) => ({ ...problem, field: cutName(problem.field) }));
  }
}

export const cutName = (name: string): string =>
  name.length > FIELD_LENGTH_MAX ? `${name.slice(0, FIELD_LENGTH_MAX).toWellFormed()}…` : name;

/** A problem of one field that only the handler can detect. */
export const invalid = (field: string, pt: string, en: string) => new InvalidInput([{ field, pt, en }]);

export const describeProblem = (problem: Problem, language: Language): string =>
  `'${problem.field}': ${problem[language]}`;

type Params = Readonly<Record<string, unknown>>;
type Words = (params: Params) => { pt: string; en: string };

const typeNames: Record<string, { pt: string; en: string }> = {
  string: { pt: 'texto', en: 'a string' },
  number: { pt: 'número', en: 'a number' },
  integer: { pt: 'número inteiro', en: 'an integer' },
  boolean: { pt: 'booleano', en: 'a boolean' },
  object: { pt: 'objeto', en: 'an object' },
  array: { pt: 'lista', en: 'an array' },
  null: { pt: 'nulo', en: 'null' },
};

const typeWords = (params: Params) => {
  const names = [params.type].flat().map((type) => typeNames[String(type)]);
  return {
    pt: `deve ser ${names.map((name) => name?.pt).join(' ou ')}`,
    en: `must be ${names.map((name) => name?.en).join(' or ')}`,
  };
};

const atLeast: Words = ({ limit }) => ({
  pt: `deve ser no mínimo ${limit}`,
  en: `must be at least ${limit}`,
});
const atMost: Words = ({ limit }) => ({ pt: `deve ser no máximo ${limit}`, en: `must be at most ${limit}` });

/** A text with at least one character that is drawn. */
export const VISIBLE = '[^\\s\\p{Default_Ignorable_Code_Point}]';

/** The text for each JSON Schema keyword. */
const words: Record<string, Words> = {
  required: () => ({ pt: 'é obrigatório', en: 'is required' }),
  type: typeWords,
  minimum: atLeast,
  maximum: atMost,
  exclusiveMinimum: ({ limit }) => ({
    pt: `deve ser maior que ${limit}`,
    en: `must be greater than ${limit}`,
  }),
  pattern: ({ pattern }) => (pattern === '\\S' || pattern === VISIBLE ? empty : unfit),
  minLength: ({ limit }) =>
    limit === 1
      ? empty
      : { pt: `deve ter ao menos ${limit} caracteres`, en: `must have at least ${limit} characters` },
  maxLength: ({ limit }) => ({
    pt: `deve ter no máximo ${limit} caracteres`,
    en: `must have at most ${limit} characters`,
  }),
  minItems: ({ limit }) => ({
    pt: `deve ter ao menos ${limit} ${limit === 1 ? 'item' : 'itens'}`,
    en: `must have at least ${limit} ${limit === 1 ? 'item' : 'items'}`,
  }),
  maxItems: ({ limit }) => ({
    pt: `deve ter no máximo ${limit} itens`,
    en: `must have at most ${limit} items`,
  }),
  enum: ({ allowedValues }) => ({
    pt: `deve ser um de: ${(allowedValues as unknown[]).join(', ')}`,
    en: `must be one of: ${(allowedValues as unknown[]).join(', ')}`,
  }),
  uniqueItems: () => ({ pt: 'não pode ter itens repetidos', en: 'must not repeat items' }),
  additionalProperties: () => ({ pt: 'não é um campo conhecido', en: 'is not a known field' }),
  const: ({ allowedValue }) => ({ pt: `deve ser ${allowedValue}`, en: `must be ${allowedValue}` }),
  format: ({ format }) => formatWords[String(format)] ?? unfit,
};

const empty = { pt: 'não pode ser vazio', en: 'must not be empty' };
const unfit = { pt: 'tem um valor inválido', en: 'has an invalid value' };

/** The text for each format of api/http/formats.ts. */
const formatWords: Record<string, { pt: string; en: string }> = {
  'date-br': { pt: 'deve ser uma data DD/MM/AAAA', en: 'must be a date DD/MM/YYYY' },
  'time-br': { pt: 'deve ser um horário HH:MM:SS', en: 'must be a time HH:MM:SS' },
  latitude: { pt: 'deve ser uma latitude decimal em texto', en: 'must be a decimal latitude as a string' },
  longitude: { pt: 'deve ser uma longitude decimal em texto', en: 'must be a decimal longitude as a string' },
  cpf: { pt: 'deve ser um CPF válido', en: 'must be a valid CPF' },
  'cpf-cnpj': { pt: 'deve ser um CPF ou CNPJ válido', en: 'must be a valid CPF or CNPJ' },
  phone: { pt: 'deve ser um telefone com DDD', en: 'must be a phone number with area code' },
  money: {
    pt: 'deve ser um valor com no máximo 2 casas decimais',
    en: 'must be an amount with at most 2 decimals',
  },
  fare: {
    pt: 'deve ser um valor em texto, até 999999.99, com no máximo 2 casas decimais',
    en: 'must be an amount as a string, up to 999999.99, with at most 2 decimals',
  },
  rate: {
    pt: 'deve ser um valor em texto, até 9999.9999, com no máximo 4 casas decimais',
    en: 'must be an amount as a string, up to 9999.9999, with at most 4 decimals',
  },
  factor: {
    pt: 'deve ser um fator decimal em texto, de 0 a 99.9999',
    en: 'must be a decimal factor as a string, from 0 to 99.9999',
  },
  percent: {
    pt: 'deve ser um percentual em texto, maior que 0 e até 100, com no máximo 2 casas decimais',
    en: 'must be a percentage as a string, above 0 and up to 100, with at most 2 decimals',
  },
  'iso-date': { pt: 'deve ser uma data AAAA-MM-DD que existe', en: 'must be a date YYYY-MM-DD that exists' },
  'signed-money': {
    pt: 'deve ser um valor em texto, com no máximo 2 casas decimais',
    en: 'must be an amount as a string, with at most 2 decimals',
  },
  'four-digits': { pt: 'deve ter exatamente 4 dígitos', en: 'must have exactly 4 digits' },
  'hour-minute': { pt: 'deve ser um horário HH:MM', en: 'must be a time HH:MM' },
  instant: {
    pt: 'deve ser um instante ISO 8601 com fuso, como 2026-11-16T15:00:00Z',
    en: 'must be an ISO 8601 instant with an offset, like 2026-11-16T15:00:00Z',
  },
  moment: {
    pt: 'deve ser AAAA-MM-DD HH:MM:SS no horário da central, ou um instante ISO 8601 com fuso, como 2026-11-16T15:00:00Z',
    en: "must be YYYY-MM-DD HH:MM:SS in the central's time, or an ISO 8601 instant with an offset, like 2026-11-16T15:00:00Z",
  },
  username: {
    pt: "deve ter de 1 a 100 caracteres visíveis, sem espaços nem ':'",
    en: "must have 1 to 100 visible characters, without spaces or ':'",
  },
  'time-zone': { pt: 'deve ser um fuso horário IANA', en: 'must be an IANA time zone' },
  origin: {
    pt: 'deve ser a origem exata de uma página, sem caminho nem barra no fim, como https://painel.exemplo.com.br (http só com localhost)',
    en: 'must be the exact origin of a page, without path or trailing slash, like https://panel.example.com (http with localhost only)',
  },
  'stop-coordinates': {
    pt: "deve conter as coordenadas das paradas no formato 'lat,lng|lat,lng'",
    en: "must hold the coordinates of the stops as 'lat,lng|lat,lng'",
  },
};

/**
 * One problem per field: the first one reported. There are two exceptions. A wrong type gives way, because another
 * alternative of a union describes the problem better. A wrong length gives way to a wrong format, which says
 * more.
 */
export function toProblems(errors: readonly FastifySchemaValidationError[]): Problem[] {
  const chosen = new Map<string, FastifySchemaValidationError>();
  for (const error of errors) {
    // A union repeats the problems of its alternatives.
    if (error.keyword === 'anyOf' || error.keyword === 'if') continue;
    const field = fieldName(error);
    const earlier = chosen.get(field);
    if (!earlier && chosen.size === PROBLEMS_MAX) break;
    if (!earlier || givesWay(earlier, error)) chosen.set(field, error);
  }
  return [...chosen]
    .filter(([field, error]) => error.keyword !== 'type' || !hasWrongPart(chosen, field))
    .map(([field, error]) => ({ field, ...wordsOf(error) }));
}

/** An object that may also be null is meant as an object where a part of it is wrong. */
const hasWrongPart = (chosen: ReadonlyMap<string, unknown>, field: string): boolean =>
  [...chosen.keys()].some((other) => other.startsWith(`${field}.`) || other.startsWith(`${field}[`));

const givesWay = (earlier: FastifySchemaValidationError, later: FastifySchemaValidationError): boolean =>
  (earlier.keyword === 'type' && later.keyword !== 'type') ||
  (earlier.keyword === 'maxLength' && later.keyword === 'format');

function wordsOf(error: FastifySchemaValidationError): { pt: string; en: string } {
  const { pt, en } = error.params as { pt?: string; en?: string };
  if (pt && en) return { pt, en };
  return words[error.keyword]?.(error.params) ?? unfit;
}

/** /paradas/0/lat_parada → paradas[0].lat_parada */
function fieldName(error: FastifySchemaValidationError): string {
  const { missingProperty, additionalProperty } = error.params;
  const own = missingProperty ?? additionalProperty;
  const path = `${error.instancePath}${own === undefined ? '' : `/${cutName(String(own))}`}`.slice(1);
  if (path === '') return 'corpo';
  return path
    .split('/')
    .map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : `${index ? '.' : ''}${part}`))
    .join('');
}
