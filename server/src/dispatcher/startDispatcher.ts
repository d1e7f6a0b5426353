import { secondsBetween } from '../kernel/clock.ts';
import type { Database } from '../postgres/database.ts';
import { DISPATCH_CHANNEL, DISPATCH_POLL_SECONDS } from '../scheduled/wakeDispatcher.ts';
import { dispatchReady } from './dispatchScheduled.ts';
import { findNextDispatch } from './dispatchStore.ts';
import { type RefreshNeeds, refreshEstimates } from './refreshEstimates.ts';

export interface DispatcherNeeds extends RefreshNeeds {
  db: Database;
}

export interface RunningDispatcher {
  /** Waits for the batch that is being dispatched. */
  stop(): Promise<void>;
}

/** Dispatches all that is due now, once; answers with how many deliveries were made. */
export async function dispatchDue(needs: RefreshNeeds): Promise<number> {
  let made = await dispatchReady(needs);
  while ((await refreshEstimates(needs)) > 0) made += await dispatchReady(needs);
  return made;
}

/**
 * Dispatches scheduled deliveries at their instants until it is stopped. A timer waits for the next one, and a
 * NOTIFY tells of one that was scheduled sooner than that; should either be lost, the look that is taken every
 * second finds what is due. After an outage the first look finds all that fell due meanwhile.
 */
export async function startDispatcher(needs: DispatcherNeeds): Promise<RunningDispatcher> {
  const { db, clock, log } = needs;
  const stopping = new AbortController();
  const alarm = alarmClock(stopping.signal);
  const listening = await db.listen(DISPATCH_CHANNEL, alarm.ring, alarm.ring);

  let refreshing = false;
  const refreshAside = async () => {
    if (refreshing) return;
    refreshing = true;
    try {
      if ((await refreshEstimates(needs)) > 0) alarm.ring();
    } catch (err) {
      // A router may keep it longer than a stop waits, and the database is gone by then.
      if (!stopping.signal.aborted) log.error({ err }, 'estimates of due deliveries could not be refreshed');
    } finally {
      refreshing = false;
    }
  };

  const run = async () => {
    while (!stopping.signal.aborted) {
      let waitSeconds = DISPATCH_POLL_SECONDS;
      try {
        await dispatchReady(needs, stopping.signal);
        void refreshAside();
        const now = clock.now();
        const next = await findNextDispatch(db, now);
        if (next) waitSeconds = Math.min(waitSeconds, secondsBetween(now, next));
      } catch (err) {
        log.error({ err }, 'the dispatcher could not look for due deliveries');
      }
      await alarm.wait(waitSeconds);
    }
  };
  const running = run();

  return {
    async stop() {
      stopping.abort();
      await Promise.all([running, listening.stop()]);
    },
  };
}

/** Waits, unless it was rung since the last wait or rings during this one. */
function alarmClock(stopping: AbortSignal) {
  let rung = false;
  let wake = () => {};
  const ring = () => {
    rung = true;
    wake();
  };
  stopping.addEventListener('abort', ring);
  return {
    ring,
    async wait(seconds: number): Promise<void> {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, Math.ceil(seconds * 1000));
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      rung = stopping.aborted;
    },
  };
}
