/** The same interfaces that integrators and operators use, with the session's cookie instead of headers. */
export const INTEGRATION = '/api/v2/integracao';
export const OPERATION = '/api/v2/operacao';

/** What the server refused, in its own words. */
export class ApiError extends Error {
  readonly status: number;
  readonly messages: string[];
  constructor(status: number, messages: string[]) {
    super(messages.join('\n'));
    this.status = status;
    this.messages = messages;
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** For what answers `{success, data}`. */
export const read = async <Data>(path: string): Promise<Data> =>
  (await call<{ data: Data }>('GET', path)).data;

export const PAGE_SIZE_MAX = 100;
/** Nobody reads further. */
const PAGES_MAX = 50;

/** All pages of something that is shown whole; `count` says how many records a page holds. */
export async function readPages<Page>(
  readPage: (page: number) => Promise<Page>,
  count: (page: Page) => number,
): Promise<Page[]> {
  const pages: Page[] = [];
  do pages.push(await readPage(pages.length + 1));
  while (count(pages.at(-1)!) === PAGE_SIZE_MAX && pages.length < PAGES_MAX);
  return pages;
}

/** A question that needs a body. It changes nothing, so it carries no key. */
export const ask = async <Data>(path: string, body: unknown): Promise<Data> =>
  (await call<{ data: Data }>('POST', path, body)).data;

/**
 * A write whose fate stays unknown, because the connection was lost for longer than we try, keeps its key: done
 * again by a person, a minute or a reload later, it is the same write and still done once.
 */
export async function write<Data>(
  method: Exclude<Method, 'GET'>,
  path: string,
  body?: unknown,
): Promise<Data> {
  const name = `malote.escrita ${await digest(`${method} ${path} ${JSON.stringify(body)}`)}`;
  const key = sessionStorage.getItem(name) ?? crypto.randomUUID();
  sessionStorage.setItem(name, key);
  try {
    const answer = await call<{ data: Data }>(method, path, body, { 'idempotency-key': key });
    sessionStorage.removeItem(name);
    return answer?.data;
  } catch (error) {
    if (error instanceof ApiError && error.status >= 400 && error.status < 500)
      sessionStorage.removeItem(name);
    throw error;
  }
}

/** Bodies may hold passwords, which have no place in the browser's storage. */
async function digest(text: string): Promise<string> {
  // Browsers offer digests on https and on this machine only; elsewhere each write is simply a new one.
  if (!crypto.subtle) return crypto.randomUUID();
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export async function call<Answer = unknown>(
  method: Method,
  path: string,
  body?: unknown,
  more: Record<string, string> = {},
): Promise<Answer> {
  const headers: Record<string, string> = {
    'x-malote-console': '1',
    'accept-language': document.documentElement.lang,
    ...more,
  };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const response = await send(path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = await response.json().catch(() => undefined);
  if (response.ok) return answer as Answer;
  const messages = answer?.errors?.map((one: { message: string }) => one.message) ?? [
    `HTTP ${response.status}`,
  ];
  throw new ApiError(response.status, messages);
}

const ATTEMPTS = 3;
const PAUSE_MS = 700;

/** A connection that drops for a moment loses nothing: the same request, with the same key, is tried again. */
async function send(path: string, init: RequestInit): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await fetch(path, init);
    } catch {
      if (attempt === ATTEMPTS)
        throw new ApiError(0, [offline[document.documentElement.lang === 'en' ? 'en' : 'pt']]);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * attempt));
    }
  }
}

const offline = {
  pt: 'Sem conexão com o servidor. Nada foi perdido: tente novamente.',
  en: 'No connection to the server. Nothing was lost: try again.',
};
