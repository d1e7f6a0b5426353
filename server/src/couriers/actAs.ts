import type { Caller } from '../centrals/caller.ts';
import type { Central } from '../centrals/central.ts';

/** No user: what is done so is done by the simulation. */
const NOBODY = 0;

/** A courier may do what its driver's login may, and nothing else. */
export const actAsDriver = (central: Central, driverId: number): Caller => ({
  central,
  centralId: central.id,
  companyId: null,
  userId: NOBODY,
  role: 'driver',
  driverId,
});

/** For what only the central can decide about a courier's delivery. */
export const actAsOperator = (central: Central): Caller => ({
  central,
  centralId: central.id,
  companyId: null,
  userId: NOBODY,
  role: 'operator',
  driverId: null,
});
