import type { Caller } from '../centrals/caller.ts';
import type { Position } from '../kernel/position.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Needs } from '../postgres/needs.ts';
import { actingDriver } from './actingDriver.ts';
import { upsertPosition } from './positionStore.ts';

/**
 * Where a driver is now. Phones send it every few seconds, so nothing is locked beside it or recorded after it, and it
 * shares its statement with whatever else is reported at the moment.
 */
export async function reportPosition(
  { db, clock }: Needs,
  caller: Caller,
  driverId: number,
  position: Position,
): Promise<void> {
  actingDriver(caller, driverId);
  const { centralId } = caller;
  const isKnown = await upsertPosition(db, { centralId, driverId, position, at: clock.now() });
  if (!isKnown) throw new Refusal('driver-not-found');
}
