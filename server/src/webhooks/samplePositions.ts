import type { Deps } from '../postgres/deps.ts';
import { insertPositionEvents } from './positionEventStore.ts';

/** A look this often finds a position that is fresh enough to be sent in time. */
export const POSITIONS_SAMPLED_MS = 5_000;

/**
 * Makes events of where drivers are who carry something, for those who want to be told: at most one in 15
 * seconds for each delivery. Reports themselves record nothing, so that they stay one cheap statement.
 */
export async function samplePositions({ db, clock }: Deps): Promise<number> {
  return db.beginIndependent((tx) => insertPositionEvents(tx, clock.now()));
}
