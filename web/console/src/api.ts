import { type Apis, type ErrorKind, questions } from '../../shared/api.gen.ts';
import { newKey } from '../../shared/insecure.ts';

/** The console uses the interfaces of integrators and operators, with the session's cookie instead of headers. */
const BASES = { integracao: '/api/v2/integracao', operacao: '/api/v2/operacao' } as const;
export const EVENTS_URL = `${BASES.operacao}/eventos`;

export type Api = keyof Apis;
export type Operation<A extends Api> = keyof Apis[A] & string;
type Given<A extends Api, O extends Operation<A>> = Apis[A][O] extends { given: infer T } ? T : never;
/** The result of an operation: its `data`, or the whole answer if it has more than `data`. */
export type Answer<A extends Api, O extends Operation<A>> = Apis[A][O] extends { answer: infer T }
  ? T
  : never;
export type Body<A extends Api, O extends Operation<A>> =
  Given<A, O> extends { body?: infer T } ? NonNullable<T> : never;
/** An entry of a list. */
export type Entry<A extends Api, O extends Operation<A>> =
  Answer<A, O> extends readonly (infer T)[] ? T : never;

/** A refusal by the server: its kind for decisions, its messages for people. */
export class ApiError extends Error {
  readonly kind: ErrorKind;
  readonly messages: string[];
  constructor(kind: ErrorKind, messages: string[]) {
    super(messages.join('\n'));
    this.kind = kind;
    this.messages = messages;
  }
}

export const isRefusal = (error: unknown, ...kinds: ErrorKind[]): error is ApiError =>
  error instanceof ApiError && kinds.includes(error.kind);

/** The session has ended, or there is none. */
export const isLoggedOut = (error: unknown): boolean =>
  isRefusal(error, 'bad-credentials', 'central-not-identified', 'api-key-unknown');

/** No answer, or none that says whether a write was done: the same request may be sent again. */
export const isUndecided = (error: unknown): boolean =>
  !(error instanceof ApiError) ||
  isRefusal(
    error,
    'offline',
    'unavailable',
    'outcome-unknown',
    'bug',
    'own-attempt-running',
    'logins-busy',
    'too-much-at-once',
  );

interface AnyGiven {
  query?: Record<string, unknown>;
  body?: unknown;
  [id: string]: unknown;
}

/** Calls an operation of one of the interfaces: `call('operacao', 'GET /entregas/{id}', { id })`. */
export async function call<A extends Api, O extends Operation<A>>(
  api: A,
  operation: O,
  ...[given]: Record<never, never> extends Given<A, O> ? [given?: Given<A, O>] : [given: Given<A, O>]
): Promise<Answer<A, O>> {
  const { query = {}, body, ...ids } = (given ?? {}) as AnyGiven;
  const [method = '', pattern = ''] = operation.split(' ');
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]])),
  ).toString();
  const path = pattern.replace(/\{(\w+)\}/g, (_, id: string) => encodeURIComponent(String(ids[id])));
  const url = `${BASES[api]}${path}${search && `?${search}`}`;
  const isWrite = method !== 'GET' && !questions.includes(`${method} ${BASES[api]}${pattern}`);
  const answer = await (isWrite ? write(method, url, body) : request(method, url, body));
  const { success: _, ...content } = answer as Record<string, unknown>;
  return (Object.keys(content).join() === 'data' ? content.data : content) as Answer<A, O>;
}

const PAGE_SIZE_MAX = 100;
/** Upper bound on the pages of a list that grows during the day, such as the open deliveries. */
const PAGES_MAX = 50;
/** Enough for every register: the largest, that of users, has at most 20,000 entries (recordLimits of the server). */
const REGISTER_PAGES_MAX = 200;

/** Reads all pages of a list that is shown in full. `count` returns the number of records of a page. */
export async function readPages<Page>(
  readPage: (page: { pagina: number; limite: number }) => Promise<Page>,
  count: (page: Page) => number,
  pagesMax = PAGES_MAX,
): Promise<Page[]> {
  const pages: Page[] = [];
  do pages.push(await readPage({ pagina: pages.length + 1, limite: PAGE_SIZE_MAX }));
  while (count(pages.at(-1)!) === PAGE_SIZE_MAX && pages.length < pagesMax);
  return pages;
}

/** Reads a whole register, page by page, for choices and for looking up names. */
export const readAll = async <T>(
  readPage: (given: { query: { pagina: number; limite: number } }) => Promise<T[]>,
): Promise<T[]> =>
  (
    await readPages(
      (query) => readPage({ query }),
      ({ length }) => length,
      REGISTER_PAGES_MAX,
    )
  ).flat();

/**
 * A write whose result is unknown after all attempts keeps its idempotency key. If the user sends it again, a minute
 * or a reload later, it is the same write and is done once.
 */
async function write(method: string, path: string, body: unknown): Promise<unknown> {
  const text = `${method} ${path} ${JSON.stringify(body)}`;
  // Without https there is no `crypto.subtle`. Keys are then kept in memory, until the page is left.
  const [kept, name] = crypto.subtle
    ? [sessionStorage, `malote.escrita ${await digest(text)}`]
    : [writesOfPage, text];
  const key = kept.getItem(name) ?? newKey();
  kept.setItem(name, key);
  try {
    const answer = await request(method, path, body, { 'idempotency-key': key });
    kept.removeItem(name);
    return answer;
  } catch (error) {
    if (!isUndecided(error)) kept.removeItem(name);
    throw error;
  }
}

const keysOfPage = new Map<string, string>();
const writesOfPage = {
  getItem: (name: string) => keysOfPage.get(name) ?? null,
  setItem: (name: string, key: string) => void keysOfPage.set(name, key),
  removeItem: (name: string) => void keysOfPage.delete(name),
};

/** Bodies may contain passwords, which must not be in the browser's storage. */
async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Sends one request, also outside the interfaces, such as the login. */
export async function request(
  method: string,
  path: string,
  body?: unknown,
  more: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<unknown> {
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
    ...(signal && { signal }),
  });
  // Undefined if the answer is incomplete, or comes from a proxy and not from the service.
  const answer = await response.json().catch(() => undefined);
  if (response.ok && answer !== undefined) return answer;
  const kind = (response.headers.get('x-error-kind') ?? 'unavailable') as ErrorKind;
  const errors: { message: string }[] = answer?.errors ?? [
    { message: inWords(unanswered).replace('{}', String(response.status)) },
  ];
  throw new ApiError(
    kind,
    errors.map(({ message }) => message),
  );
}

const ATTEMPTS = 3;
const PAUSE_MS = 700;
/** Longer than the longest export takes. After it, the request fails with a message and can be sent again. */
const TIMEOUT_MS = 90_000;

/** After a lost connection, tries the same request again, with the same key. */
async function send(path: string, { signal, ...init }: RequestInit): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    try {
      return await fetch(path, { ...init, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
    } catch (error) {
      // The caller has cancelled the request.
      if (signal?.aborted) throw error;
      if (attempt === ATTEMPTS || timeout.aborted) throw new ApiError('offline', [inWords(offline)]);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * attempt));
    }
  }
}

const inWords = (words: { pt: string; en: string }): string =>
  words[document.documentElement.lang === 'en' ? 'en' : 'pt'];

const offline = {
  pt: 'Sem conexão com o servidor. Nada foi perdido: tente novamente.',
  en: 'No connection to the server. Nothing was lost: try again.',
};

const unanswered = {
  pt: 'O serviço não deu uma resposta completa (HTTP {}). Nada foi perdido: tente novamente.',
  en: 'The service gave no complete answer (HTTP {}). Nothing was lost: try again.',
};

type After<
  Prefix extends string,
  Suffix extends string,
  O extends string,
> = O extends `${Prefix}${infer Name}${Suffix}` ? Name : never;
/** The registers of an interface, by the paths at which entries are created and deleted. */
export type Creatable<A extends Api> = After<'POST /', '', Operation<A>>;
export type Deletable = After<'DELETE /', '/{id}', Operation<'operacao'>>;
export type CreateOperation<A extends Api, N extends Creatable<A>> = `POST /${N}` & Operation<A>;
