import type { Role } from '../centrals/caller.ts';

/** The integration interface knows two kinds of login: the central's and the company manager's. */
export const readers: readonly Role[] = ['operator', 'integrator', 'manager'];
