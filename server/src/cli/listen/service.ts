import { CommandFailed } from '../command.ts';
import { UsageMistakes } from '../commandLine.ts';

const BASE = '/api/v2/integracao';
const DEFAULT_PORT = '3000';
const ANSWER_LENGTH_MAX = 300;

/** The options by which a command reaches a service as a program. */
export const serviceOptions = {
  token: { value: 'token', help: 'the token of a program (default: MALOTE_TOKEN)' },
  url: {
    value: 'address',
    help: `the service (default: http://localhost with PORT, or ${DEFAULT_PORT})`,
    mistake: (text: string) => (isHttp(text) ? undefined : 'must be an http address'),
  },
} as const;

const isHttp = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '');

/** A service, and the token with which it is used. */
export interface Service {
  /** Without a trailing slash. */
  url: string;
  token: string;
}

export function serviceOf({ token, url }: { token: string | undefined; url: string | undefined }): Service {
  const given = (token ?? process.env.MALOTE_TOKEN ?? '').trim();
  if (given === '')
    throw new UsageMistakes([
      'there is no token: give --token or set MALOTE_TOKEN; "malote token create" and the console make one',
    ]);
  // A header takes no other characters.
  if (!/^[\x21-\x7e]+$/.test(given)) throw new UsageMistakes(['the token is not the token of a program']);
  const address = url ?? `http://localhost:${process.env.PORT || DEFAULT_PORT}`;
  return { url: address.replace(/\/+$/, ''), token: given };
}

/** Sends a request below the integration interface. Rejects without an answer. */
export function ask(
  { url, token }: Service,
  path: string,
  { headers, ...init }: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
): Promise<Response> {
  return fetch((url.endsWith(BASE) ? url : url + BASE) + path, {
    ...init,
    redirect: 'manual',
    headers: { authorization: `Bearer ${token}`, 'accept-language': 'en', ...headers },
  });
}

/** Why there was no answer, in the words of the system. */
export function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  const [inner] = cause instanceof AggregateError ? cause.errors : [cause];
  return inner instanceof Error ? inner.message || String((inner as { code?: string }).code) : message;
}

/** What the service says about a refused request, without line breaks. */
export async function refusalText(response: Response): Promise<string> {
  const text = await response.text();
  const shown = messagesIn(text) ?? text;
  return `${response.status} ${shown.replace(/\s+/g, ' ').slice(0, ANSWER_LENGTH_MAX)}`.trim();
}

function messagesIn(text: string): string | undefined {
  try {
    const { errors } = JSON.parse(text) as { errors: { message: string }[] };
    return errors.map(({ message }) => message).join('; ');
  } catch {
    return undefined;
  }
}

/** Explains an answer that another attempt would not change; undefined for one that it may. */
export async function explainRefusal(
  service: Service,
  response: Response,
): Promise<CommandFailed | undefined> {
  const { status } = response;
  if (status === 429 || status >= 500) return undefined;
  const text = await refusalText(response);
  if (status >= 300 && status < 400)
    return new CommandFailed(
      `${service.url} leads to ${response.headers.get('location')}: give that address`,
    );
  if (status === 401) return new CommandFailed(`the token is wrong, has expired or was revoked (${text})`);
  if (status === 403) return new CommandFailed(`the token may not do this (${text})`);
  const kind = response.headers.get('x-error-kind');
  if (kind === null || kind === 'route-not-found' || kind === 'method-not-allowed')
    return new CommandFailed(`${service.url} does not offer this: is it a Malote of this version? (${text})`);
  return new CommandFailed(text);
}
