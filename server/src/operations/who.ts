import type { Role } from '../centrals/caller.ts';

/** Runs the central. */
export const operators: readonly Role[] = ['operator'];

/** A driver's login acts only for itself; an operator acts for any driver. */
export const operatorsAndDrivers: readonly Role[] = ['operator', 'driver'];
