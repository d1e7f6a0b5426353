import type { Central } from './central.ts';
import type { Proof } from './rights.ts';

/** operator and integrator see the whole central, and only an operator runs it. */
export type Role = 'operator' | 'integrator' | 'manager' | 'driver';

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
}

/** Somebody with a login. */
export interface UserCaller extends Caller {
  userId: number;
}

/** Somebody whose password was right. */
export interface VerifiedCaller extends UserCaller {
  /** Of the password that was right; see rights.ts. */
  passwordMark: string;
}

/** Somebody with a login, and what it was identified by. */
export interface IdentifiedCaller extends UserCaller {
  proof: Proof;
}

export const wholeCentral = (centralId: number): Scope => ({ centralId, companyId: null });
