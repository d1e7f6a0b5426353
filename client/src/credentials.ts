import { accessTokens } from './accessTokens.ts';
import type { MaloteOptions } from './options.ts';
import type { Attempt } from './retry.ts';

/** The headers that prove who calls. */
export interface Proof {
  headers: Readonly<Record<string, string>>;
  /** Present where the client can get another token after the service has refused this one. */
  discard?: () => void;
}

/** Returns the proof for a request, or the failed attempt to get one. */
export type Credentials = (signal: AbortSignal) => Promise<Proof | Attempt>;

/** `root` is the service's address without the path of the interface. */
export function credentialsOf(options: MaloteOptions, root: string, send: typeof fetch): Credentials {
  if ('clientId' in options && options.clientId !== undefined) {
    const tokens = accessTokens(options, `${root}/oauth/token`, send);
    return async (signal) => {
      const token = await tokens.current(signal);
      if (!('bearer' in token)) return token;
      return { headers: bearer(token.bearer), discard: () => tokens.discard(token) };
    };
  }
  const headers = headersOf(options);
  return async () => ({ headers });
}

function headersOf(options: MaloteOptions): Record<string, string> {
  if ('token' in options && options.token !== undefined) return bearer(options.token);
  if (!('apiKey' in options)) throw new TypeError('apiKey, user and password are missing, or a token');
  const { apiKey, user, password } = options;
  return { 'api-key': apiKey, authorization: `Basic ${base64(`${user}:${password}`)}` };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Encodes UTF-8, with functions that Node and browsers have. */
const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
