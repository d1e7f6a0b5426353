import type { Caller } from '../centrals/caller.ts';
import { Refusal } from '../kernel/refusal.ts';

/**
 * For whom somebody acts: a driver's login only for itself, and any other driver is to it the same as none;
 * an operator for whom it names, which is null when it names nobody.
 */
export function actingDriver(caller: Pick<Caller, 'driverId'>, named: number | undefined): number | null {
  if (caller.driverId === null) return named ?? null;
  if (named !== undefined && named !== caller.driverId) throw new Refusal('driver-not-found');
  return caller.driverId;
}
