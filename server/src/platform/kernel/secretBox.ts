import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Encrypts secrets that the service must be able to read again, so that a database dump does not show them.
 *
 * A stored value is `v1:<key id>:<nonce>:<ciphertext and tag>`, AES-256-GCM. The owner is authenticated along with
 * it: a value that is copied to the row of another owner cannot be opened there.
 */
export interface SecretBox {
  /** The prefix of values in the current form and key; empty where no key is configured. */
  readonly currentPrefix: string;
  /** Without a key the secret is returned unchanged. */
  seal(secret: string, owner: string): string;
  /** Undefined when its key is not configured, or when it was changed or belongs to another owner. */
  open(stored: string, owner: string): string | undefined;
}

export const SECRET_KEY_BYTES = 32;
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ENCRYPTED = /^v1:/;
const FORM = /^v1:([0-9a-f]{16}):([\w-]{16}):([\w-]{22,})$/;

/** The first key encrypts, every key decrypts: a new key precedes the old one until all values are re-encrypted. */
export function secretBox(keys: readonly Buffer[]): SecretBox {
  const ciphers = new Map(keys.map((key) => [keyId(key), cipherKey(key)]));
  const [current] = ciphers;
  return {
    currentPrefix: current ? `v1:${current[0]}:` : '',
    seal(secret, owner) {
      if (!current) return secret;
      const [id, key] = current;
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(
        Buffer.from(owner),
      );
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `v1:${id}:${nonce.toString('base64url')}:${sealed.toString('base64url')}`;
    },
    open(stored, owner) {
      if (!ENCRYPTED.test(stored)) return stored;
      const [, id, nonce, sealed] = FORM.exec(stored) ?? [];
      const key = id && ciphers.get(id);
      if (!key || !nonce || !sealed) return undefined;
      return decrypt(key, Buffer.from(nonce, 'base64url'), Buffer.from(sealed, 'base64url'), owner);
    },
  };
}

/** The value re-encrypted with the current key. Undefined if it already has that key, or cannot be decrypted. */
export function renewSecret(box: SecretBox, stored: string, owner: string): string | undefined {
  if (stored.startsWith(box.currentPrefix)) return undefined;
  const secret = box.open(stored, owner);
  return secret === undefined ? undefined : box.seal(secret, owner);
}

function decrypt(key: Buffer, nonce: Buffer, sealed: Buffer, owner: string): string | undefined {
  const cipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(owner))
    .setAuthTag(sealed.subarray(-TAG_BYTES));
  const text = cipher.update(sealed.subarray(0, -TAG_BYTES));
  try {
    return Buffer.concat([text, cipher.final()]).toString('utf8');
  } catch {
    // The tag does not match: the value was changed, or belongs to another owner.
    return undefined;
  }
}

/** Identifies a key without revealing anything about it. */
const keyId = (key: Buffer): string =>
  createHmac('sha256', key).update('malote key id').digest('hex').slice(0, 16);

/** Derives a key for this use only, so that the configured key may serve other uses later. */
const cipherKey = (key: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', 'malote stored secrets', SECRET_KEY_BYTES));

/** 32 bytes as 64 hexadecimal digits or as base64, with or without padding; undefined for anything else. */
export function parseSecretKey(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  if (!/^[\w+/-]{43}=?$/.test(text)) return undefined;
  return Buffer.from(text, 'base64');
}
