import { cutName, InvalidInput, PROBLEMS_MAX, type Problem } from './invalidInput.ts';

/**
 * Canonical text: equal for equal content, whatever the order of fields. Numbers, strings and null stay distinct,
 * and lists keep their order. One pass with a sort per object: 1 MiB takes milliseconds. It recurses, so the depth
 * of the value must be bounded (below).
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`);
  return `{${fields.join(',')}}`;
}

/**
 * JSON.parse cannot be interrupted, and its cost depends on the shape more than on the size: one mebibyte of
 * `{"a":1},{"b":1},…` takes a quarter of a second, and of brackets alone more. So the bytes are counted before,
 * which takes at most two milliseconds. An object of a new shape costs the most, then short texts, which the engine
 * looks up in a table, then lists; numbers cost little. They share one budget, since a limit for each lets a body
 * reach all of them at once.
 */
const DEPTH_MAX = 32;
/** Enough for 42,000 positions of operating areas, each a list of two or three numbers, which fill one mebibyte. */
const COST_MAX = 225_000;
const COST = {
  /** The cost of a field, in addition to that of its name as a text. 5,000 fields use up the whole budget. */
  name: 34,
  text: 11,
  container: 2,
  item: 1,
};

export type JsonExcess = { what: 'depth' } | { what: 'size'; field: string | undefined };

export const QUOTE = 0x22;
const BACKSLASH = 0x5c;
export const COLON = 0x3a;
export const COMMA = 0x2c;
export const OPEN_LIST = 0x5b;
export const CLOSE_LIST = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

/** Which limit the body exceeds, and in which top-level field; the body need not be well-formed. */
function jsonExcess(raw: Buffer): JsonExcess | undefined {
  let depth = 0;
  let cost = 0;
  let textStart = 0;
  let field: readonly [start: number, end: number] | undefined;
  for (let at = 0; at < raw.length; at += 1) {
    switch (raw[at]!) {
      case QUOTE: {
        const start = at;
        at = endOfText(raw, at);
        if (depth === 1) textStart = start;
        cost += COST.text;
        break;
      }
      case COMMA:
        cost += COST.item;
        break;
      case COLON:
        cost += COST.name;
        if (depth === 1) field = [textStart, at];
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        cost += COST.container;
        depth += 1;
        if (depth > DEPTH_MAX) return { what: 'depth' };
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth -= 1;
        continue;
      default:
        continue;
    }
    if (cost > COST_MAX) return { what: 'size', field: field && nameIn(raw.subarray(...field)) };
  }
  return undefined;
}

/** Whether a body can be parsed again without holding up other requests. */
export const isParsedQuickly = (raw: Buffer): boolean => jsonExcess(raw) === undefined;

/** The index of the closing quote, or the end. */
export function endOfText(raw: Buffer, start: number): number {
  for (let at = start + 1; at < raw.length; at += 1) {
    const byte = raw[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at += 1;
  }
  return raw.length;
}

export function nameIn(bytes: Buffer): string | undefined {
  try {
    const name: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof name === 'string' && name !== '' ? name : undefined;
  } catch {
    return undefined;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

const problem = (pt: string, en: string, field = 'corpo') => new InvalidInput([{ field, pt, en }]);
export const notSentAsJson = () =>
  problem('deve ser enviado como application/json', 'must be sent as application/json');

export interface ParsedBody {
  body: unknown;
  /** Strings that cannot be stored, reported together with the other problems. */
  problems: Problem[];
  /** Whether it may contain a null. */
  hasNulls: boolean;
}

export const isJsonType = (contentType: string): boolean =>
  /^application\/([\w.+-]+\+)?json\b/i.test(contentType);

/** A missing or empty body reads as an empty object, so that every required field is reported. */
export function parseBody(raw: Buffer | undefined, contentType: string | undefined): ParsedBody {
  if (!raw || raw.length === 0) return { body: {}, problems: [], hasNulls: false };
  if (contentType && !isJsonType(contentType)) throw notSentAsJson();
  const excess = excessOf(raw);
  if (excess) throw excess;
  return parseJson(raw);
}

/** The refusal of a body whose parsing would cost too much. */
export function excessOf(raw: Buffer): InvalidInput | undefined {
  const excess = jsonExcess(raw);
  return excess && tooMuch(excess);
}

/** Requires a text without excess. */
export function parseJson(raw: Buffer): ParsedBody {
  let text: string;
  try {
    text = utf8.decode(raw);
  } catch {
    throw problem('não é UTF-8 válido', 'is not valid UTF-8');
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw problem('não é um JSON válido', 'is not valid JSON');
  }
  return {
    body,
    // Only an escape can produce these characters, so most bodies are not searched.
    problems: /\\u(0000|d[89a-f])/i.test(text) ? unstorableTexts(body) : [],
    hasNulls: text.includes('null'),
  };
}

/** Where no body is expected, a body declared as JSON must still be JSON; any other body is not read. */
export function parseIgnored(raw: Buffer | undefined, contentType: string | undefined): unknown {
  return !contentType || isJsonType(contentType) ? parseBody(raw, contentType).body : undefined;
}

const tooMuch = (excess: JsonExcess): InvalidInput =>
  excess.what === 'depth'
    ? problem('tem níveis demais', 'is nested too deeply')
    : problem('tem itens ou campos demais', 'has too many items or fields', excess.field);

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** The first such fields, in the order of the body. Recursive: the limits above bound the depth. */
function unstorableTexts(body: unknown): Problem[] {
  const problems: Problem[] = [];
  const path: (string | number)[] = [];
  const isEnough = () => problems.length >= PROBLEMS_MAX;
  const notify = () => problems.push(unstorable(fieldAt(path)));
  const visitIn = (step: string | number, value: unknown): void => {
    path.push(step);
    visit(value);
    path.pop();
  };
  const visit = (value: unknown): void => {
    if (typeof value === 'string' && !isStorable(value)) notify();
    if (Array.isArray(value))
      for (let index = 0; index < value.length && !isEnough(); index += 1) visitIn(index, value[index]);
    else if (isNested(value))
      for (const [name, inner] of Object.entries(value)) {
        if (isEnough()) return;
        if (!isStorable(name)) notify();
        visitIn(name, inner);
      }
  };
  visit(body);
  return problems;
}

const fieldAt = (path: readonly (string | number)[]): string =>
  path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index ? '.' : ''}${cutName(step)}`))
    .join('') || 'corpo';

export const unstorable = (field: string): Problem => ({
  field,
  pt: 'contém caracteres que não podem ser armazenados',
  en: 'contains characters that cannot be stored',
});
