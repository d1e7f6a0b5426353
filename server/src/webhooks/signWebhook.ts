import { createHmac, randomBytes } from 'node:crypto';

/** `whsec_` and 32 random bytes, as Standard Webhooks has them. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/**
 * The three headers of Standard Webhooks. While a rotation overlaps, there is a signature for each secret
 * and a receiver that knows either one is content.
 */
export function signedHeaders(
  uid: string,
  at: Temporal.Instant,
  body: string,
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.epochMilliseconds / 1000));
  return {
    'webhook-id': uid,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => sign(secret, `${uid}.${timestamp}.${body}`)).join(' '),
  };
}

const sign = (secret: string, content: string): string => {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
};
