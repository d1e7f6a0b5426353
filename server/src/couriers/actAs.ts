import type { Caller } from '../centrals/caller.ts';
import type { Central } from '../centrals/central.ts';

/** A courier, who is nobody's login, may do what its driver's login may, and nothing else. */
export const actAsDriver = (central: Central, driverId: number): Caller => ({
  central,
  centralId: central.id,
  companyId: null,
  userId: null,
  role: 'driver',
  driverId,
});

/** For what only the central can decide about a courier's delivery. */
export const actAsOperator = (central: Central): Caller => ({
  central,
  centralId: central.id,
  companyId: null,
  userId: null,
  role: 'operator',
  driverId: null,
});
