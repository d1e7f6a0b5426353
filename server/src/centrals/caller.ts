import { hash } from 'node:crypto';
import type { Central } from './central.ts';

/** Whose login it is; permissions.ts says what each may do. */
export type Role =
  | 'operator'
  | 'supervisor'
  | 'finance'
  | 'attendant'
  | 'viewer'
  | 'integrator'
  | 'manager'
  | 'driver';

/**
 * What may be seen: one central, and for a company's manager that company only. Every store function that
 * reads what has a company takes it, so that what may not be seen is the same as what is not there.
 */
export interface Scope {
  centralId: number;
  companyId: number | null;
}

/** Who is asking. */
export interface Caller extends Scope {
  central: Central;
  /** Null: nobody with a login, but the service itself for those it simulates. */
  userId: number | null;
  role: Role;
  driverId: number | null;
  /** The driver's phone that it came from, if it signed in there. */
  deviceId?: number;
}

/** Somebody with a login. */
export interface UserCaller extends Caller {
  userId: number;
}

/** Somebody whose password was right. */
export interface VerifiedCaller extends UserCaller {
  /** Of the password that was right; a new password ends what was opened with the old one. */
  passwordMark: string;
}

/** Somebody with a login, and what it was identified by. */
export interface IdentifiedCaller extends UserCaller {
  proof: Proof;
}

export const wholeCentral = (centralId: number): Scope => ({ centralId, companyId: null });

/** What a login was identified by, without the secrets themselves: enough to see later whether it still holds. */
type Proof =
  | { kind: 'key'; keyDigest: string; passwordMark: string }
  | { kind: 'session'; sessionDigest: string };

/** Whoever follows a central live may do so for as long as these hold. */
export interface Rights {
  userId: number;
  role: Role;
  companyId: number | null;
  driverId: number | null;
  proof: Proof;
}

/** What is still good of one central: active users by id, keys and sessions by their digests. */
export interface Standing {
  isCentralActive: boolean;
  users: ReadonlyMap<number, Omit<Rights, 'userId' | 'proof'> & { passwordMark: string }>;
  keyDigests: ReadonlySet<string>;
  sessionDigests: ReadonlySet<string>;
}

/** Changes with every new password, and reveals nothing about it. */
export const passwordMark = (passwordHash: string): string => hash('sha256', passwordHash, 'base64');

export function hold({ userId, role, companyId, driverId, proof }: Rights, standing: Standing): boolean {
  const user = standing.users.get(userId);
  if (!standing.isCentralActive || !user) return false;
  if (user.role !== role || user.companyId !== companyId || user.driverId !== driverId) return false;
  if (proof.kind === 'session') return standing.sessionDigests.has(proof.sessionDigest);
  return user.passwordMark === proof.passwordMark && standing.keyDigests.has(proof.keyDigest);
}
