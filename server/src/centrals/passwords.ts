import { hash, verify } from '@node-rs/argon2';

/** argon2id with the library's defaults (19 MiB, 2 passes), as OWASP advises. */
export const hashPassword = (password: string): Promise<string> => hash(password);

export const isPassword = (passwordHash: string, password: string): Promise<boolean> =>
  verify(passwordHash, password);

/** Verified against when there is no such user, so that an unknown name takes as long as a wrong password. */
export const nobodysHash: Promise<string> = hashPassword('nobody has this password');
