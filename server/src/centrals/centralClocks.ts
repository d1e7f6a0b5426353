import type { CentralClocks, Clock } from '../platform/kernel/clock.ts';
import type { Tx } from '../platform/postgres/database.ts';
import { listClocksAhead } from './sandboxStore.ts';

export interface KeptClocks {
  clock: CentralClocks;
  /** The clock of a sandbox was put forward, or the sandbox was wiped: 0. */
  set(centralId: number, seconds: number): void;
  /** Reads all of them: at the start, and when an announcement may have been missed. */
  read(db: Tx): Promise<void>;
}

/**
 * The clocks of all centrals. Only sandboxes whose clock was put forward have one of their own. They are few, and kept
 * in memory: every process hears of a change (registerCache.ts), so that no round and no request looks for them.
 */
export function centralClocks(base: Clock): KeptClocks {
  let ahead = new Map<number, Clock>();
  const ownClock = (seconds: number): Clock => ({
    now: () => base.now().add({ seconds }),
    milliseconds: () => base.milliseconds() + seconds * 1000,
  });
  let changes = 0;
  const clock: CentralClocks = {
    now: () => base.now(),
    milliseconds: () => base.milliseconds(),
    of: (centralId) => ahead.get(centralId) ?? clock,
    ahead: () => (ahead.size === 0 ? [] : [...ahead.keys()]),
  };
  return {
    clock,
    set(centralId, seconds) {
      changes += 1;
      if (seconds > 0) ahead.set(centralId, ownClock(seconds));
      else ahead.delete(centralId);
    },
    async read(db) {
      for (;;) {
        const before = changes;
        const found = await listClocksAhead(db);
        // A change announced meanwhile may be newer than what was read.
        if (before !== changes) continue;
        ahead = new Map(found.map(({ centralId, seconds }) => [centralId, ownClock(seconds)]));
        return;
      }
    },
  };
}
