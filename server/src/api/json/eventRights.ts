import type { Caller } from '../../centrals/caller.ts';
import { may, type Permission } from '../../centrals/permissions.ts';
import type { EventType } from '../../events/record/event.ts';
import type { LiveEvent } from '../../events/record/liveStore.ts';

/** Permissions required in addition to `watch`, so that a stream shows no more than the other endpoints. */
const alsoNeeded: Partial<Record<EventType, Permission>> = {
  'wallet.entry': 'balance',
  'driver.entry': 'earnings-read',
};

/** Whether a caller who may `watch` sees the event. */
export function maySeeEvent(watcher: Caller, { type, companyId }: LiveEvent): boolean {
  const needed = alsoNeeded[type];
  if (needed && !may(watcher, needed)) return false;
  return watcher.companyId === null || watcher.companyId === companyId;
}
