import { createECDH, randomBytes } from 'node:crypto';

/** The keys of a browser's subscription. */
export function browserKeys(): { p256dh: string; auth: string } {
  const browser = createECDH('prime256v1');
  browser.generateKeys();
  return { p256dh: browser.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') };
}
