import { hash, hashRaw, verify } from '@node-rs/argon2';

/** argon2id with the library's defaults (19 MiB, 2 passes), as OWASP advises. */
export const hashPassword = (password: string): Promise<string> => hash(password);

export const isPassword = (passwordHash: string, password: string): Promise<boolean> =>
  verify(passwordHash, password);

/** Tells equal passwords from others, and is as slow to guess from as a hash that is kept. */
export const passwordDigest = async (password: string, salt: Uint8Array): Promise<string> =>
  (await hashRaw(password, { salt })).toString('base64');

/** Verified against when there is no such user, so that an unknown name takes as long as a wrong password. */
export const nobodysHash: Promise<string> = hashPassword('nobody has this password');
