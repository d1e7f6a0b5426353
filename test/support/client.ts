/** Untyped, so that tests can read any field of an answer. Their assertions check the types. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Answer {
  status: number;
  body: Json;
  text: string;
  headers: Headers;
}

export interface Client {
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  delete(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** Sends any other request: raw bodies, odd methods, missing headers (undefined removes one). */
  send(
    path: string,
    init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string | undefined> },
  ): Promise<Answer>;
}

export interface Login {
  key: string;
  user: string;
  password: string;
}

export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** A driver's phone, identified by its session cookie. */
export interface SignedIn {
  cookie: string;
}

/** A program, identified by its token. */
interface Bearer {
  token: string;
}

const headersOf = (login: Login | SignedIn | Bearer): Record<string, string> =>
  'token' in login
    ? { authorization: `Bearer ${login.token}` }
    : 'cookie' in login
      ? { cookie: login.cookie, 'x-malote-entregador': '1' }
      : { 'api-key': login.key, authorization: basic(login.user, login.password) };

/** An HTTP client that acts as an integrator. */
export function client(base: string, login: Login | SignedIn | Bearer): Client {
  const send: Client['send'] = async (path, init) => {
    const given = { ...headersOf(login), ...init.headers };
    const headers = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const response = await fetch(base + path, { ...init, headers: headers as Record<string, string> });
    const text = await response.text();
    return { status: response.status, text, body: parse(text), headers: response.headers };
  };
  const withBody =
    (method: string) =>
    (path: string, body?: unknown, headers: Record<string, string> = {}) =>
      send(path, {
        method,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
  return {
    send,
    get: (path, headers = {}) => send(path, { method: 'GET', headers }),
    post: withBody('POST'),
    put: withBody('PUT'),
    delete: (path, headers = {}) => send(path, { method: 'DELETE', headers }),
  };
}

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
