import { hash } from 'node:crypto';
import type { Central } from './central.ts';

/** The role of a login; permissions.ts defines the rights of each. */
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
 * What a caller may see: one central, and for a company's manager only that company. Every store function that reads
 * rows with a company takes the scope, so that rows outside it are treated as missing.
 */
export interface Scope {
  centralId: number;
  companyId: number | null;
}

/** The identified caller of a request. */
export interface Caller extends Scope {
  central: Central;
  /** Null: the service itself, for simulated drivers. */
  userId: number | null;
  role: Role;
  driverId: number | null;
  /** Of a program: the permissions that it was given. Its role must have them too. */
  scopes?: ReadonlySet<string>;
  /** The driver's phone, if the request uses its session. */
  deviceId?: number;
}

/** A caller with a login. */
export interface UserCaller extends Caller {
  userId: number;
}

/** A caller whose password was verified. */
export interface VerifiedCaller extends UserCaller {
  /** The mark of the verified password. A new password ends the sessions and streams opened with the old one. */
  passwordMark: string;
}

/** A caller with a login, and the proof of identity. */
export interface IdentifiedCaller extends UserCaller {
  proof: Proof;
}

export const wholeCentral = (centralId: number): Scope => ({ centralId, companyId: null });

/** The proof of identity, without the secrets: enough to check later whether it is still valid. */
type Proof =
  | { kind: 'key'; keyDigest: string; passwordMark: string }
  | { kind: 'session'; sessionDigest: string }
  | { kind: 'program'; secretDigest: string };

/** The rights of a live stream, which ends when they no longer hold. */
export interface Rights {
  userId: number;
  central?: Central;
  role: Role;
  companyId: number | null;
  driverId: number | null;
  proof: Proof;
}

/** The credentials of one central that are still valid: active users by id, the others by their digests. */
export interface Standing {
  isCentralActive: boolean;
  users: ReadonlyMap<number, Omit<Rights, 'userId' | 'proof' | 'central'> & { passwordMark: string }>;
  keyDigests: ReadonlySet<string>;
  sessionDigests: ReadonlySet<string>;
  secretDigests: ReadonlySet<string>;
}

/** Changes with every new password, and reveals nothing about it. */
export const passwordMark = (passwordHash: string): string => hash('sha256', passwordHash, 'base64');

export function hold({ userId, role, companyId, driverId, proof }: Rights, standing: Standing): boolean {
  const user = standing.users.get(userId);
  if (!standing.isCentralActive || !user) return false;
  if (user.role !== role || user.companyId !== companyId || user.driverId !== driverId) return false;
  if (proof.kind === 'program') return standing.secretDigests.has(proof.secretDigest);
  if (proof.kind === 'session') return standing.sessionDigests.has(proof.sessionDigest);
  return user.passwordMark === proof.passwordMark && standing.keyDigests.has(proof.keyDigest);
}

/** The same for callers with the same rights in the same central, who may share an answer. */
export const rightsKey = ({ role, companyId, driverId, scopes }: Caller): string =>
  `${role} ${companyId} ${driverId} ${scopes ? [...scopes].join(' ') : '*'}`;
