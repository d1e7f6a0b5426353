import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Role } from './caller.ts';
import { grantOf, type Permission, permissions, WITHOUT_SCOPE } from './permissions.ts';

/**
 * The credential of a program. A program is a login without a password: it is made with some permissions as its scopes,
 * for one company or for the whole central, and proves itself by a secret that is shown once. The secret can be replaced,
 * the old one working for a while longer, and the program is revoked once and for all.
 */
export interface Program {
  /** The user as which it acts. */
  id: number;
  label: string;
  /** Whether it reaches the sandbox of the central, and only that. */
  isTest: boolean;
  /** Null: the whole central. */
  companyId: number | null;
  scopes: Permission[];
  createdAt: Temporal.Instant;
  /** Null: the command line. */
  createdBy: string | null;
  /** Null: never. */
  expiresAt: Temporal.Instant | null;
  revokedAt: Temporal.Instant | null;
  /** Until when the secret before the current one works. */
  oldSecretUntil: Temporal.Instant | null;
}

/** An address from which a program was used, and when last. */
export interface ProgramUse {
  programId: number;
  address: string;
  usedAt: Temporal.Instant;
}

/** Who has which access is decided by people. */
const OF_PEOPLE: readonly Permission[] = ['users', 'keys', 'settings'];

/** The scopes that a program may have. One of a company may have those of a manager. */
export const possibleScopes = (companyId: number | null): Permission[] =>
  permissions.filter(
    (permission) =>
      !OF_PEOPLE.includes(permission) &&
      !WITHOUT_SCOPE.includes(permission) &&
      (companyId === null || grantOf('manager', permission) !== 'never'),
  );

/** From the fewest rights to the most; a supervisor has all. */
const ROLES_OF_CENTRAL = ['viewer', 'integrator', 'attendant', 'finance', 'operator', 'supervisor'] as const;

/** The role as which a program acts: the least that has all its scopes. Its scopes limit it further. */
export const roleWith = (scopes: readonly Permission[], companyId: number | null): Role =>
  companyId === null
    ? ROLES_OF_CENTRAL.find((role) => scopes.every((scope) => grantOf(role, scope) === 'always'))!
    : 'manager';

const SECRET_BYTES = 32;

/**
 * `malote_1_<43 characters><6 characters>`: the central, in which the secret is looked up, 256 random bits, and a
 * checksum, by which a typing mistake or another text is recognised without a look-up. Scanners for leaked secrets know
 * it by its beginning. That of a program of the sandbox begins with `teste_`.
 */
export function newSecret(centralId: number, isTest = false): string {
  const beginning = isTest ? 'teste' : 'malote';
  const text = `${beginning}_${centralId.toString(36)}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  return text + checksumOf(text);
}

function checksumOf(text: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return bytes.toString('base64url');
}

/** Undefined for a text that newSecret does not write. */
export function readSecret(text: string): ReadSecret | undefined {
  const [, body, beginning, central, checksum] =
    /^((malote|teste)_([1-9a-z][0-9a-z]{0,9})_[\w-]{43})([\w-]{6})$/.exec(text) ?? [];
  if (!body || !central || checksum !== checksumOf(body)) return undefined;
  const centralId = Number.parseInt(central, 36);
  if (!Number.isSafeInteger(centralId)) return undefined;
  return { centralId, isTest: beginning === 'teste', digest: digestSecret(text) };
}

interface ReadSecret {
  centralId: number;
  isTest: boolean;
  digest: Buffer;
}

export const digestSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();
