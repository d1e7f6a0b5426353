import type { WebhookEvent } from './events.ts';

export interface ReceivedWebhook {
  /** The request's headers, of which `webhook-id`, `webhook-timestamp` and `webhook-signature` are read. */
  headers: Headers | Readonly<Record<string, string | string[] | undefined>>;
  /** The body exactly as it came, before anything parsed it. */
  body: string;
  /** The secret from the webhook's registration; several while one replaces another. */
  secret: string | readonly string[];
  /** The maximum difference between `webhook-timestamp` and `now`; 5 minutes by default. */
  toleranceSeconds?: number;
  now?: Date;
}

/** The signature is wrong or the time is out of range: answer with 400 and ignore the webhook. */
export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError';
}

/**
 * Verifies that a webhook was signed with the secret (Standard Webhooks), and returns its event.
 * `id` stays the same when an event is sent again: store it to process each event once.
 */
export async function verifyWebhook(received: ReceivedWebhook): Promise<WebhookEvent & { id: string }> {
  const { body, toleranceSeconds = 300, now = new Date() } = received;
  const header = headerReader(received.headers);
  const id = header('webhook-id');
  const timestamp = header('webhook-timestamp');
  const sent = Number(timestamp);
  if (!Number.isInteger(sent)) throw new WebhookVerificationError('webhook-timestamp is not a time');
  if (Math.abs(now.getTime() / 1000 - sent) > toleranceSeconds)
    throw new WebhookVerificationError('webhook-timestamp is too far in the past or the future');
  const signatures = header('webhook-signature')
    .split(' ')
    .filter((each) => each.startsWith('v1,'))
    .map((each) => each.slice('v1,'.length));
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const secret of [received.secret].flat())
    for (const signature of signatures)
      if (await isSigned(secret, signature, content)) return { id, ...(JSON.parse(body) as WebhookEvent) };
  throw new WebhookVerificationError('no signature matches the secret');
}

function headerReader(headers: ReceivedWebhook['headers']): (name: string) => string {
  return (name) => {
    const value = headers instanceof Headers ? headers.get(name) : anyCase(headers, name);
    const text = Array.isArray(value) ? value[0] : value;
    if (!text) throw new WebhookVerificationError(`${name} is missing`);
    return text;
  };
}

const anyCase = (headers: Readonly<Record<string, string | string[] | undefined>>, name: string) =>
  headers[name] ?? Object.entries(headers).find(([header]) => header.toLowerCase() === name)?.[1];

/** Web Crypto compares the signatures, in constant time. */
async function isSigned(
  secret: string,
  signature: string,
  content: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const hash = { name: 'HMAC', hash: 'SHA-256' };
  try {
    const raw = bytesOf(secret.replace(/^whsec_/, ''));
    const key = await crypto.subtle.importKey('raw', raw, hash, false, ['verify']);
    return await crypto.subtle.verify('HMAC', key, bytesOf(signature), content);
  } catch {
    // A secret or a signature that is not base64 proves nothing.
    return false;
  }
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
