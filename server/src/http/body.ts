import { cutName, InvalidInput, PROBLEMS_MAX, type Problem } from './invalidInput.ts';
import { type JsonExcess, jsonExcess } from './jsonBounds.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

const problem = (pt: string, en: string, field = 'corpo') => new InvalidInput([{ field, pt, en }]);
export const notSentAsJson = () =>
  problem('deve ser enviado como application/json', 'must be sent as application/json');

export interface ParsedBody {
  body: unknown;
  /** Its texts that cannot be stored, to be told beside whatever else is wrong with it. */
  problems: Problem[];
  /** Whether there may be a null in it. */
  hasNulls: boolean;
}

const isJsonType = (contentType: string): boolean => /^application\/([\w.+-]+\+)?json\b/i.test(contentType);

/** A missing or empty body reads as an empty object, so that what is required gets named. */
export function parseBody(raw: Buffer | undefined, contentType: string | undefined): ParsedBody {
  if (!raw || raw.length === 0) return { body: {}, problems: [], hasNulls: false };
  if (contentType && !isJsonType(contentType)) throw notSentAsJson();
  const excess = jsonExcess(raw);
  if (excess) throw tooMuch(excess);
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
    // Only an escape can smuggle these in, so most bodies are not walked.
    problems: /\\u(0000|d[89a-f])/i.test(text) ? unstorableTexts(body) : [],
    hasNulls: text.includes('null'),
  };
}

/** Where nothing is expected, what claims to be JSON must still be JSON; anything else is left unread. */
export function refuseMalformed(raw: Buffer | undefined, contentType: string | undefined): void {
  if (!contentType || isJsonType(contentType)) parseBody(raw, contentType);
}

const tooMuch = (excess: JsonExcess): InvalidInput =>
  excess.what === 'depth'
    ? problem('tem níveis demais', 'is nested too deeply')
    : problem('tem itens ou campos demais', 'has too many items or fields', excess.field);

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** PostgreSQL holds neither NUL nor half a surrogate pair. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** The first ones, in the order in which they were sent. By recursion: jsonBounds.ts bounds the depth. */
function unstorableTexts(body: unknown): Problem[] {
  const problems: Problem[] = [];
  const path: (string | number)[] = [];
  const isEnough = () => problems.length >= PROBLEMS_MAX;
  const tell = () => problems.push(unstorable(fieldAt(path)));
  const visitIn = (step: string | number, value: unknown): void => {
    path.push(step);
    visit(value);
    path.pop();
  };
  const visit = (value: unknown): void => {
    if (typeof value === 'string' && !isStorable(value)) tell();
    if (Array.isArray(value))
      for (let index = 0; index < value.length && !isEnough(); index += 1) visitIn(index, value[index]);
    else if (isNested(value))
      for (const [name, inner] of Object.entries(value)) {
        if (isEnough()) return;
        if (!isStorable(name)) tell();
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
