import type { Caller, Role } from '../centrals/caller.ts';

// The integration interface knows two kinds of login: the central's and the company manager's.
export const centralUsers: readonly Role[] = ['operator', 'integrator'];
export const readers: readonly Role[] = [...centralUsers, 'manager'];

/** Completions: for central users; a setting of the central lets a manager top up the own company. */
export const mayTopUp = ({ role, central }: Pick<Caller, 'role' | 'central'>): boolean =>
  centralUsers.includes(role) || (role === 'manager' && central.settings.managerTopUp);
