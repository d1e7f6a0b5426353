import { InvalidInput, type Problem } from './invalidInput.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

const DEPTH_MAX = 32;

const problem = (pt: string, en: string) => new InvalidInput([{ field: 'corpo', pt, en }]);
export const notSentAsJson = () =>
  problem('deve ser enviado como application/json', 'must be sent as application/json');

export interface ParsedBody {
  body: unknown;
  /** Its texts that cannot be stored, to be told beside whatever else is wrong with it. */
  problems: Problem[];
}

/** A missing or empty body reads as an empty object, so that what is required gets named. */
export function parseBody(raw: Buffer | undefined, contentType: string | undefined): ParsedBody {
  if (!raw || raw.length === 0) return { body: {}, problems: [] };
  if (contentType && !/^application\/([\w.+-]+\+)?json\b/i.test(contentType)) throw notSentAsJson();
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
  if (isTooDeep(body)) throw problem('tem níveis demais', 'is nested too deeply');
  // Only an escape can smuggle these in, so most bodies are not walked.
  return { body, problems: /\\u(0000|d[89a-f])/i.test(text) ? unstorableTexts(body) : [] };
}

/** Whatever walks a body afterwards may do so by recursion. */
function isTooDeep(body: unknown): boolean {
  let level = [body].filter(isNested);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > DEPTH_MAX) return true;
    level = level.flatMap((value) => Object.values(value).filter(isNested));
  }
  return false;
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** PostgreSQL holds neither NUL nor half a surrogate pair. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

function unstorableTexts(body: unknown): Problem[] {
  const problems: Problem[] = [];
  const waiting: { field: string; value: unknown }[] = [{ field: '', value: body }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { field, value } = next;
    if (typeof value === 'string' && !isStorable(value)) problems.push(unstorable(field || 'corpo'));
    if (!isNested(value)) continue;
    for (const [name, inner] of Object.entries(value)) {
      if (!isStorable(name)) problems.push(unstorable(field || 'corpo'));
      waiting.push({
        field: Array.isArray(value) ? `${field}[${name}]` : field ? `${field}.${name}` : name,
        value: inner,
      });
    }
  }
  return problems.reverse();
}

export const unstorable = (field: string): Problem => ({
  field,
  pt: 'contém caracteres que não podem ser armazenados',
  en: 'contains characters that cannot be stored',
});
