import type { Role } from './caller.ts';

/** A login of a central. */
export interface User {
  id: number;
  username: string;
  role: Role;
  /** A manager's company, and nobody else's. */
  companyId: number | null;
  /** Whom a driver's login acts for. */
  driverId: number | null;
  active: boolean;
}

export interface UserValues extends Omit<User, 'id' | 'active'> {
  /** Null: as it is; a new one is. */
  active: boolean | null;
  /** Null: the password stays. */
  passwordHash: string | null;
}
