import { secondsBetween } from '../kernel/clock.ts';
import type { Tx } from '../postgres/database.ts';

/** What the dispatcher listens on; see dispatcher/startDispatcher.ts. */
export const DISPATCH_CHANNEL = 'malote_dispatch';

/** The dispatcher looks by itself at least this often. */
export const DISPATCH_POLL_SECONDS = 1;

/**
 * Tells the dispatcher of a dispatch that may be due before it would look by itself. All others it finds
 * without being told, which spares nearly every creation a round trip.
 */
export async function wakeDispatcher(
  tx: Tx,
  dispatchAt: Temporal.Instant,
  now: Temporal.Instant,
): Promise<void> {
  if (secondsBetween(now, dispatchAt) > 2 * DISPATCH_POLL_SECONDS) return;
  await tx`select pg_notify(${DISPATCH_CHANNEL}, '')`;
}
