import { findPositionCentrals, insertPositionEvents } from '../../events/webhooks/positionEventStore.ts';
import { countCentral } from '../../insight/reports/keepTotals.ts';
import { findCentralsToCount } from '../../insight/reports/totalsStore.ts';
import type { EstimateDeps } from '../../money/pricing/estimateTrip.ts';
import { centralsAhead } from '../../platform/kernel/clock.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { findPlanning, type PlanningDeps, planIn } from '../plans/planContinuously.ts';
import { distributeIn, findDueSearches } from './distributeDeliveries.ts';
import { findMerging, mergeIn } from './mergeScheduled.ts';
import { type Round, startRound } from './runRounds.ts';

type RoundDeps = EstimateDeps & PlanningDeps;

/**
 * The work that is done at intervals. Work that begins with a commit or at a set instant is in startDispatcher.ts,
 * webhookRounds.ts, sendPushes.ts and startIndexing.ts; hourly work is in jobs.ts.
 */
export const ROUNDS = {
  distribution: {
    // Deliveries that arrive within this time are matched with drivers together.
    everyMs: 1_500,
    connectionsMax: 4,
    findDue: findDueSearches,
    work: distributeIn,
  },
  'automatic merge': {
    everyMs: 10_000,
    connectionsMax: 2,
    findDue: findMerging,
    work: mergeIn,
  },
  'continuous planning': {
    everyMs: 5_000,
    connectionsMax: 2,
    findDue: findPlanning,
    work: planIn,
  },
  'sampling of positions': {
    // Often enough that a sampled position is still fresh when it is sent.
    everyMs: 5_000,
    connectionsMax: 2,
    findDue: async ({ db, clock }) => [
      ...new Set([...(await findPositionCentrals(db, clock.now())), ...centralsAhead(clock)]),
    ],
    work: ({ db, clock }, centralId) =>
      db.beginIndependent((tx) => insertPositionEvents(tx, centralId, clock.now())),
  },
  'counting for reports': {
    // Reports are late by this much at most. Longer pauses make batches larger and counting cheaper.
    everyMs: 10_000,
    connectionsMax: 2,
    isUnhurried: true,
    findDue: ({ db }) => findCentralsToCount(db),
    work: countCentral,
  },
} satisfies Record<string, Round<RoundDeps>>;

/** Repeats all rounds until they are stopped. */
export function startAllRounds(
  deps: RoundDeps & { db: Database },
  log: { error(details: object, message: string): void },
): { stop(): Promise<void> } {
  const running = Object.entries<Round<RoundDeps>>(ROUNDS).map(([name, round]) =>
    startRound(round, round.isUnhurried ? { ...deps, db: deps.db.unhurried } : deps, (err) =>
      log.error({ err }, `${name} failed`),
    ),
  );
  return {
    async stop() {
      await Promise.all(running.map((round) => round.stop()));
    },
  };
}
