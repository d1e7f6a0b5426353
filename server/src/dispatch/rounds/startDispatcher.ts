import { DISPATCH_CHANNEL, DISPATCH_POLL_SECONDS } from '../../deliveries/scheduled/scheduleDelivery.ts';
import { secondsBetween } from '../../platform/kernel/clock.ts';
import { type RunningRounds, startRounds, workPerCentral } from '../../platform/kernel/rounds.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { limitConnections } from '../../platform/postgres/limitConnections.ts';
import {
  DISPATCH_CONNECTIONS_MAX,
  dispatchIn,
  dispatchReady,
  findDue,
  findOutdatedDue,
  type RefreshDeps,
  refreshEstimates,
  refreshIn,
} from './dispatchScheduled.ts';
import { type DueCentral, findNextDispatch } from './dispatchStore.ts';

export interface DispatcherDeps extends RefreshDeps {
  db: Database;
}

export interface RunningDispatcher {
  /** Waits for the batches that are being dispatched. */
  stop(): Promise<void>;
}

/** Dispatches everything due now, once; returns the number of deliveries made. */
export async function dispatchDue(deps: RefreshDeps): Promise<number> {
  let made = await dispatchReady(deps);
  while ((await refreshEstimates(deps)) > 0) made += await dispatchReady(deps);
  return made;
}

/**
 * Dispatches scheduled deliveries at their instants until it is stopped. A timer waits for the next one, and a NOTIFY
 * announces one that is due sooner. If either is lost, a query every second finds it. After an outage the first query
 * finds everything that fell due meanwhile.
 */
export async function startDispatcher(deps: DispatcherDeps): Promise<RunningDispatcher> {
  const { db, clock, log } = deps;
  const stopping = new AbortController();
  let rounds: RunningRounds | undefined;
  const wake = () => rounds?.wake();
  const listening = await db.listen(DISPATCH_CHANNEL, wake, wake);
  let waitMs = DISPATCH_POLL_SECONDS * 1000;

  const limited = { ...deps, db: limitConnections(db, DISPATCH_CONNECTIONS_MAX) };
  const refreshing = workPerCentral(
    async (centralId) => {
      if ((await refreshIn(limited, centralId)) > 0) wake();
    },
    (err) => {
      // A refresh may wait for a router until after the stop, when the database is closed.
      if (!stopping.signal.aborted) log.error({ err }, 'estimates of due deliveries could not be refreshed');
    },
    { isCrowded: limited.db.isCrowded },
  );

  let due = new Map<number, DueCentral>();
  const dispatching = workPerCentral(
    async (centralId) => {
      if (stopping.signal.aborted) return;
      // Something may have fallen due meanwhile, while rounds skipped this central.
      if ((await dispatchIn(limited, due.get(centralId)!, stopping.signal)) > 0) wake();
    },
    (err) => log.error({ err }, 'the due deliveries of a central could not be dispatched'),
    { isCrowded: limited.db.isCrowded },
  );

  const round = async () => {
    waitMs = DISPATCH_POLL_SECONDS * 1000;
    const now = clock.now();
    const found = await findDue(deps, dispatching.underWay());
    due = new Map(found.map((central) => [central.centralId, central]));
    await dispatching.begin([...due.keys()]);
    // Not awaited, because they ask routers.
    void refreshing.begin(await findOutdatedDue(deps, refreshing.underWay()));
    const next = await findNextDispatch(db, now);
    if (next) waitMs = Math.min(waitMs, Math.max(0, secondsBetween(clock.now(), next) * 1000));
  };
  rounds = startRounds({
    everyMs: () => waitMs,
    round,
    beginsAtOnce: true,
    onError: (err) => log.error({ err }, 'the dispatcher could not look for due deliveries'),
  });

  return {
    async stop() {
      stopping.abort();
      await Promise.all([rounds?.stop(), listening.stop()]);
      await dispatching.end();
    },
  };
}
