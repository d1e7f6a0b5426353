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

export async function call<Answer = unknown>(method: Method, path: string, body?: unknown): Promise<Answer> {
  const headers: Record<string, string> = {
    'x-malote-console': '1',
    'accept-language': document.documentElement.lang,
  };
  if (body !== undefined) headers['content-type'] = 'application/json';
  // Sent again by us after a lost connection, a write is still done once.
  if (method !== 'GET') headers['idempotency-key'] = crypto.randomUUID();
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
    } catch (error) {
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

/** For what answers `{success, data}`. */
export const read = async <Data>(path: string): Promise<Data> =>
  (await call<{ data: Data }>('GET', path)).data;
export const write = async <Data>(
  method: Exclude<Method, 'GET'>,
  path: string,
  body?: unknown,
): Promise<Data> => (await call<{ data: Data }>(method, path, body))?.data;
