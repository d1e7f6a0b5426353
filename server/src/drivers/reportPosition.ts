import type { Caller } from '../centrals/caller.ts';
import type { Position } from '../kernel/position.ts';
import type { Needs } from '../postgres/needs.ts';
import { actingDriver } from './actingDriver.ts';
import { upsertPosition } from './positionStore.ts';

/**
 * Where a driver is now. Phones send it every few seconds, so it is one statement that commits by itself:
 * nothing is read before, locked beside or recorded after it.
 */
export async function reportPosition(
  { db, clock }: Needs,
  caller: Caller,
  driverId: number,
  position: Position,
): Promise<void> {
  actingDriver(caller, driverId);
  await upsertPosition(db, caller.centralId, driverId, position, clock.now());
}
