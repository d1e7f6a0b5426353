import { type Attempt, within } from './retry.ts';

interface Client {
  clientId: number | string;
  clientSecret: string;
  scopes?: readonly string[];
  timeoutMs?: number;
}

interface AccessToken {
  bearer: string;
  /** From here on a new one is asked for, while this one still works. */
  renewAt: number;
  endsAt: number;
}

/** How long before its end a token is renewed, and at most this share of its time. */
const MARGIN_SECONDS = 60;
const MARGIN_SHARE = 0.1;

/**
 * The access tokens of a program (OAuth 2.0, client credentials). A token is shared by all calls until shortly before
 * its end, and calls that need one at the same time wait for one request.
 */
export function accessTokens(client: Client, address: string, send: typeof fetch) {
  let held: AccessToken | undefined;
  let asking: Promise<AccessToken | Attempt> | undefined;

  const ask = async (): Promise<AccessToken | Attempt> => {
    const result = await askOnce(client, address, send);
    if ('bearer' in result) held = result;
    // The service may be out of reach for a moment, in which the old token still works.
    else if (held && Date.now() < held.endsAt) return held;
    return result;
  };

  return {
    /** The token, or the failed attempt to get one. The caller's signal ends its waiting, not the shared request. */
    async current(signal: AbortSignal): Promise<AccessToken | Attempt> {
      if (held && Date.now() < held.renewAt) return held;
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      return Promise.race([asking, aborted(signal)]);
    },
    /** The service has refused the token: the next call gets another. */
    discard(token: AccessToken): void {
      if (held === token) held = undefined;
    },
  };
}

async function askOnce(client: Client, address: string, send: typeof fetch): Promise<AccessToken | Attempt> {
  const { clientId, clientSecret, scopes = [], timeoutMs = 30_000 } = client;
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: String(clientId),
    client_secret: clientSecret,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  });
  const askedAt = Date.now();
  try {
    const { answer, text } = await within(timeoutMs, undefined, async (signal) => {
      const headers = { accept: 'application/json' };
      const got = await send(address, { method: 'POST', headers, body: form, signal });
      return { answer: got, text: await got.text() };
    });
    if (!answer.ok) return { answer, text };
    const { access_token, expires_in } = JSON.parse(text) as { access_token: string; expires_in: number };
    const margin = Math.min(MARGIN_SECONDS, expires_in * MARGIN_SHARE);
    return {
      bearer: access_token,
      renewAt: askedAt + (expires_in - margin) * 1000,
      endsAt: askedAt + expires_in * 1000,
    };
  } catch (failure) {
    return { failure };
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
