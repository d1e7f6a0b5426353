import { hash } from 'node:crypto';
import type { Role } from './caller.ts';

/** What a login was identified by, without the secrets themselves: enough to see later whether it still holds. */
export type Proof =
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

/** Changes with every new password, and tells nothing about it. */
export const passwordMark = (passwordHash: string): string => hash('sha256', passwordHash, 'base64');

export function hold({ userId, role, companyId, driverId, proof }: Rights, standing: Standing): boolean {
  const user = standing.users.get(userId);
  if (!standing.isCentralActive || !user) return false;
  if (user.role !== role || user.companyId !== companyId || user.driverId !== driverId) return false;
  if (proof.kind === 'session') return standing.sessionDigests.has(proof.sessionDigest);
  return user.passwordMark === proof.passwordMark && standing.keyDigests.has(proof.keyDigest);
}
