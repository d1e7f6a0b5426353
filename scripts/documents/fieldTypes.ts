import type { Schema } from '../schemaTypes.ts';
import type { Language } from './language.ts';

/** A schema with the limits that a reader of a table needs. */
export type LimitedSchema = Schema & {
  format?: string;
  pattern?: string;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
};

type Words = Readonly<Record<Language, string>>;

const types: Readonly<Record<string, Words>> = {
  string: { en: 'string', pt: 'texto' },
  integer: { en: 'integer', pt: 'inteiro' },
  number: { en: 'number', pt: 'número' },
  boolean: { en: 'boolean', pt: 'booleano' },
  object: { en: 'object', pt: 'objeto' },
  array: { en: 'list', pt: 'lista' },
};

const decimal: Words = { en: 'decimal string', pt: 'texto decimal' };

/** Keyed by `pattern` or `format`. */
const texts: Readonly<Record<string, Words>> = {
  '^\\d+\\.\\d{2}$': decimal,
  '^-?\\d+\\.\\d+$': decimal,
  '^\\d{2}/\\d{2}/\\d{4}$': { en: '`DD/MM/YYYY`', pt: '`DD/MM/AAAA`' },
  '^\\d{2}:\\d{2}:\\d{2}$': { en: '`HH:MM:SS`', pt: '`HH:MM:SS`' },
  '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$': { en: '`YYYY-MM-DD HH:MM:SS`', pt: '`AAAA-MM-DD HH:MM:SS`' },
  '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z$': { en: 'ISO 8601, UTC', pt: 'ISO 8601, UTC' },
  moment: {
    en: '`YYYY-MM-DD HH:MM:SS` of the central or ISO 8601 with a zone',
    pt: '`AAAA-MM-DD HH:MM:SS` da central ou ISO 8601 com fuso',
  },
  'date-br': { en: '`DD/MM/YYYY`', pt: '`DD/MM/AAAA`' },
  'time-br': { en: '`HH:MM:SS`', pt: '`HH:MM:SS`' },
  'stop-coordinates': { en: 'string', pt: 'texto' },
  'four-digits': { en: '4 digits as a string', pt: '4 dígitos em texto' },
  instant: { en: 'ISO 8601 with offset', pt: 'ISO 8601 com fuso' },
  latitude: decimal,
  longitude: decimal,
  money: decimal,
  cpf: { en: 'CPF', pt: 'CPF' },
  phone: { en: 'phone with area code', pt: 'telefone com DDD' },
};

const words = {
  or: { en: ' or ', pt: ' ou ' },
  oneOf: { en: 'one of ', pt: 'um de ' },
  most: { en: 'at most ', pt: 'no máximo ' },
  above: { en: 'above ', pt: 'acima de ' },
  items: { en: ' items', pt: ' itens' },
  to: { en: ' to ', pt: ' a ' },
} satisfies Record<string, Words>;

/** More codes than this are named by the section that lists them. */
const CODES_MAX = 12;

/** The type of a field in words. In requests null stands for a field that is left out, so it is not named. */
export function typeInWords(schema: LimitedSchema, language: Language, isRequest: boolean): string {
  if ('const' in schema) return `\`${schema.const}\``;
  if (schema.enum)
    return schema.enum.length > CODES_MAX
      ? types.string![language]
      : words.oneOf[language] + schema.enum.map((code) => `\`${code}\``).join(', ');
  if (schema.anyOf)
    return [
      ...new Set(
        schema.anyOf
          .filter(({ type }) => !isRequest || type !== 'null')
          .map((each) => typeInWords(each, language, isRequest)),
      ),
    ].join(words.or[language]);
  if (schema.type === 'null') return 'null';
  const text = texts[schema.pattern ?? ''] ?? texts[schema.format ?? ''];
  if (text) return text[language];
  if (schema.pattern ?? schema.format) throw new Error(`no words for ${JSON.stringify(schema)}`);
  const name = types[String(schema.type)]?.[language];
  if (!name) throw new Error(`no words for ${JSON.stringify(schema)}`);
  const items = schema.type === 'array' && schema.items?.type !== 'object' ? schema.items : undefined;
  const kind = items ? `${name}: ${typeInWords(items, language, false)}` : name;
  const limits = isRequest ? limitsOf(schema, language) : '';
  return limits ? `${kind}, ${limits}` : kind;
}

/** The limits of a value in words; empty without any. */
export function limitsOf(schema: LimitedSchema, language: Language): string {
  const { minLength, maxLength, minItems, maxItems, minimum, exclusiveMinimum } = schema;
  // The largest integer that JSON carries is no limit that a reader needs.
  const maximum = schema.maximum === Number.MAX_SAFE_INTEGER ? undefined : schema.maximum;
  if (exclusiveMinimum !== undefined)
    return `${words.above[language]}${exclusiveMinimum}, ${words.most[language]}${maximum}`;
  const range = (least: number | undefined, most: number | undefined): string => {
    if (least === undefined && most === undefined) return '';
    if (most === undefined) return `≥ ${least}`;
    return least ? `${least}${words.to[language]}${most}` : `${words.most[language]}${most}`;
  };
  if (maxItems !== undefined) return range(minItems, maxItems) + words.items[language];
  if (schema.type === 'string') return range(minLength, maxLength);
  return minimum !== undefined && minimum < 0 && maximum !== undefined
    ? `${minimum}${words.to[language]}${maximum}`
    : range(minimum, maximum);
}
