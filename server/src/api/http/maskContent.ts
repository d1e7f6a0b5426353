import type { TSchema } from 'typebox';

/** How a field is recognised whose value is shown. A value of another form is replaced like any other. */
const forms = {
  /** Up to nine digits: no phone, no document and no card is as short. */
  number: /^\d{1,9}$/,
  decimal: /^-?\d{1,7}(\.\d{1,2})?$/,
  day: /^(\d{2}\/\d{2}\/\d{4}|\d{4}-\d{2}-\d{2})$/,
  time: /^\d{2}:\d{2}(:\d{2})?$/,
} as const;

/**
 * The fields whose values are shown: ids of records, sizes, days, times and prices. Besides them codes are shown, which
 * the endpoint's schema lists, and booleans and null. Everything else is replaced by its type and length: a field that
 * somebody adds later is hidden until it is listed here.
 */
const SHOWN: Readonly<Record<string, keyof typeof forms>> = {
  ...named('number', ['empresa_id', 'categoria_id', 'condutor_id', 'motivo_id', 'area_id', 'programada_id']),
  ...named('number', [
    'programadas_agrupadas',
    'solicitacoes_agrupadas',
    'parada_id',
    'paradas_ordem',
    'ordem',
  ]),
  ...named('number', ['pagina', 'limite', 'usuario_id', 'chave_id', 'validade_dias', 'minutos']),
  ...named('decimal', ['valor', 'valor_cobrar', 'valor_recebido', 'desconto']),
  ...named('day', ['data', 'de', 'ate']),
  ...named('time', ['hora']),
};

function named<Form extends string>(form: Form, names: readonly string[]): Record<string, Form> {
  return Object.fromEntries(names.map((name) => [name, form]));
}

/** The names and the codes of an endpoint's schemas. Other names may be anything that a caller sent. */
export interface KnownWords {
  names: ReadonlySet<string>;
  codes: ReadonlySet<string>;
}

interface Part {
  properties?: Record<string, Part>;
  items?: Part;
  anyOf?: Part[];
  enum?: unknown[];
  const?: unknown;
}

export function knownWords(...schemas: readonly (TSchema | undefined)[]): KnownWords {
  const names = new Set<string>();
  const codes = new Set<string>();
  const visit = ({ properties = {}, items, anyOf = [], ...rest }: Part): void => {
    for (const value of [...(rest.enum ?? []), rest.const]) if (typeof value === 'string') codes.add(value);
    for (const [name, part] of Object.entries(properties)) {
      names.add(name);
      visit(part);
    }
    for (const part of [...(items ? [items] : []), ...anyOf]) visit(part);
  };
  for (const schema of schemas) if (schema) visit(schema as Part);
  return { names, codes };
}

const DEPTH_MAX = 5;
const ITEMS_MAX = 10;
const FIELDS_MAX = 60;
/** Values of one body or query, of all levels. */
const VALUES_MAX = 200;
/** No name or code of a schema is as long. */
const SHOWN_LENGTH_MAX = 60;

/** `masked` for a whole body or query. Only objects are sent on purpose, so others are described. */
export function maskedPart(value: unknown, known: KnownWords): Record<string, unknown> | string {
  if (Array.isArray(value)) return `lista(${value.length})`;
  const shown = masked(value, known);
  return typeof shown === 'object' && shown !== null ? (shown as Record<string, unknown>) : String(shown);
}

/** The same structure without anything that could be personal or secret, and of bounded size. */
export function masked(value: unknown, known: KnownWords): unknown {
  let left = VALUES_MAX;
  const mask = (each: unknown, form: RegExp | undefined, depth: number): unknown => {
    left -= 1;
    if (each === null || typeof each === 'boolean') return each;
    if (typeof each === 'number') return form?.test(String(each)) ? each : 'número';
    if (typeof each === 'string')
      return form?.test(each) || (each.length <= SHOWN_LENGTH_MAX && known.codes.has(each))
        ? each
        : `texto(${each.length})`;
    if (Array.isArray(each))
      return depth >= DEPTH_MAX ? `lista(${each.length})` : list(each, form, depth + 1);
    if (typeof each === 'object') return depth >= DEPTH_MAX ? 'objeto' : fields(each, depth + 1);
    return '…';
  };
  const list = (items: readonly unknown[], form: RegExp | undefined, depth: number): unknown[] => {
    const shown: unknown[] = [];
    for (const item of items) {
      if (shown.length === ITEMS_MAX || left <= 0) break;
      shown.push(mask(item, form, depth));
    }
    return shown.length < items.length ? [...shown, `+${items.length - shown.length}`] : shown;
  };
  const fields = (object: object, depth: number): Record<string, unknown> => {
    const shown: Record<string, unknown> = {};
    let unknown = 0;
    let count = 0;
    for (const [name, field] of Object.entries(object)) {
      count += 1;
      if (count > FIELDS_MAX || left <= 0) {
        shown['…'] = '…';
        break;
      }
      const isKnown = known.names.has(name);
      if (!isKnown) unknown += 1;
      const form = isKnown && Object.hasOwn(SHOWN, name) ? forms[SHOWN[name]!] : undefined;
      shown[isKnown ? name : `desconhecido ${unknown}`] = mask(field, form, depth);
    }
    return shown;
  };
  return mask(value, undefined, 0);
}

/** `paradas[0].nome`, without the parts that the endpoint does not know. */
export const maskedField = (field: string, { names }: KnownWords, others: readonly string[]): string =>
  others.includes(field)
    ? field
    : field
        .split('.')
        .map((part) => {
          const [, name = '', index = ''] = /^([^[\]]*)((?:\[\d{1,9}\])*)$/.exec(part) ?? [];
          return (names.has(name) || name === '' ? name : '…') + index || '…';
        })
        .join('.');

/** An id of a path. A longer number could be a document or a phone. */
export const maskedId = (text: string | undefined): string =>
  text !== undefined && forms.number.test(text) ? text : '…';
