import { secondsBetween } from '../kernel/clock.ts';
import type { Database } from '../postgres/database.ts';
import { DISPATCH_CHANNEL, DISPATCH_POLL_SECONDS } from '../scheduled/scheduleDelivery.ts';
import { dispatchIn, dispatchReady, type RefreshDeps, refreshEstimates } from './dispatchScheduled.ts';
import { findDueCentrals, findNextDispatch } from './dispatchStore.ts';
import { workPerCentral } from './startRounds.ts';

export interface DispatcherDeps extends RefreshDeps {
  db: Database;
}

export interface RunningDispatcher {
  /** Waits for the batches that are being dispatched. */
  stop(): Promise<void>;
}

/** Dispatches all that is due now, once; answers with how many deliveries were made. */
export async function dispatchDue(deps: RefreshDeps): Promise<number> {
  let made = await dispatchReady(deps);
  while ((await refreshEstimates(deps)) > 0) made += await dispatchReady(deps);
  return made;
}

/**
 * Dispatches scheduled deliveries at their instants until it is stopped. A timer waits for the next one, and a
 * NOTIFY tells of one that was scheduled sooner than that; should either be lost, the look that is taken every
 * second finds what is due. After an outage the first look finds all that fell due meanwhile.
 */
export async function startDispatcher(deps: DispatcherDeps): Promise<RunningDispatcher> {
  const { db, clock, log } = deps;
  const stopping = new AbortController();
  const alarm = alarmClock(stopping.signal);
  const listening = await db.listen(DISPATCH_CHANNEL, alarm.ring, alarm.ring);

  let refreshing = false;
  const refreshAside = async () => {
    if (refreshing) return;
    refreshing = true;
    try {
      if ((await refreshEstimates(deps)) > 0) alarm.ring();
    } catch (err) {
      // A router may keep it longer than a stop waits, and the database is gone by then.
      if (!stopping.signal.aborted) log.error({ err }, 'estimates of due deliveries could not be refreshed');
    } finally {
      refreshing = false;
    }
  };

  const dispatching = workPerCentral(
    async (centralId) => {
      if (stopping.signal.aborted) return;
      // Something may have fallen due meanwhile, and this central was passed over.
      if ((await dispatchIn(deps, centralId, stopping.signal)) > 0) alarm.ring();
    },
    (err) => log.error({ err }, 'the due deliveries of a central could not be dispatched'),
  );

  const run = async () => {
    while (!stopping.signal.aborted) {
      let waitSeconds = DISPATCH_POLL_SECONDS;
      try {
        const now = clock.now();
        await dispatching.begin(await findDueCentrals(db, now, dispatching.underWay()));
        void refreshAside();
        const next = await findNextDispatch(db, now);
        if (next) waitSeconds = Math.min(waitSeconds, Math.max(0, secondsBetween(clock.now(), next)));
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
      await dispatching.end();
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
