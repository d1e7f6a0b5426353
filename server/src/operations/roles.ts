import type { Role } from '../centrals/caller.ts';

/** Runs the central. */
export const operators: readonly Role[] = ['operator'];

/** See what happens as it happens: the whole central, or the manager's own company. */
export const watchers: readonly Role[] = ['operator', 'integrator', 'manager'];

/** A company's manager reads its wallet too; the caller's scope decides which company. */
export const walletReaders: readonly Role[] = ['operator', 'manager'];

/** Keep what a company uses for its orders; the caller's scope decides which company. */
export const companyKeepers: readonly Role[] = ['operator', 'manager'];

/** A driver's login acts only for itself; an operator acts for any driver. */
export const operatorsAndDrivers: readonly Role[] = ['operator', 'driver'];

/** Whoever watches deliveries sees their proof, and so does the driver who made it. */
export const proofReaders: readonly Role[] = [...watchers, 'driver'];
