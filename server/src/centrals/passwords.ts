import { hash, hashRaw, verify } from '@node-rs/argon2';
import { passwordQueue, type Queued } from './passwordQueue.ts';

/** One for the process, because what it guards, the cores, is one too. */
const queue = passwordQueue();
/** Whoever sets a password has logged in already. */
const knownClient: Queued = { isKnown: true, network: '' };

/** argon2id with the library's defaults (19 MiB, 2 passes), as OWASP advises. */
export const hashPassword = (password: string): Promise<string> =>
  queue.run(knownClient, () => hash(password));

export type PasswordCheck = (passwordHash: string, password: string, queued?: Queued) => Promise<boolean>;

export const isPassword: PasswordCheck = (passwordHash, password, queued = knownClient) =>
  queue.run(queued, () => verify(passwordHash, password));

/** Tells equal passwords from others, and is as slow to guess from as a hash that is kept. */
export const passwordDigest = async (password: string, salt: Uint8Array): Promise<string> =>
  (await queue.run(knownClient, () => hashRaw(password, { salt }))).toString('base64');

/** Verified against when there is no such user, so that an unknown name takes as long as a wrong password. */
export const nobodysHash: Promise<string> = hashPassword('nobody has this password');
