import type { Central, Settings } from '../centrals/central.ts';
import { findCentral, findCentrals } from '../centrals/centralStore.ts';
import { findLapsedCentrals } from '../deliveries/offerStore.ts';
import type { EstimateDeps } from '../estimates/estimateTrip.ts';
import { forEachIsolated, startRounds, workPerCentral } from '../kernel/rounds.ts';
import type { Db } from '../postgres/database.ts';
import { limitConnections } from '../postgres/limitConnections.ts';
import { closeLapsed, endSearches, isSearchOver } from './closeSearches.ts';
import {
  findDriversLastSeen,
  findFreeDrivers,
  findSearching,
  findSearchingCentrals,
  type SearchingCentral,
} from './distributionStore.ts';
import { letWait, makeOffers } from './makeOffers.ts';
import { matchDrivers } from './matchDrivers.ts';

/** How many deliveries of a central one round examines, those due longest first. */
export const LOOKED_AT_MAX = 2_500;
/** How many drivers are considered for each delivery. */
const CANDIDATES_MAX = 6;
/** Of all centrals together; requests need some connections too. */
const CONNECTIONS_MAX = 4;

export interface Distributed {
  offered: number;
  waiting: number;
  lapsed: number;
  notAttended: number;
}

const nothingDistributed = (): Distributed => ({ offered: 0, waiting: 0, lapsed: 0, notAttended: 0 });

/** The work due in a central. */
interface Due {
  /** Whether there are offers that will not be answered. */
  lapsed: boolean;
  /** Whether there are deliveries whose search is due. */
  searching: boolean;
}

/** The centrals with due work, found by two to four statements, whatever their number. */
async function findDue(db: Db, now: Temporal.Instant): Promise<Map<number, Due>> {
  const [lapsed, searching] = await Promise.all([
    findLapsedCentrals(db, now),
    findSearchingCentrals(db, now),
  ]);
  const due = new Map<number, Due>();
  for (const id of await findWorthALook(db, searching, now)) due.set(id, { lapsed: false, searching: true });
  for (const id of lapsed) due.set(id, { lapsed: true, searching: due.has(id) });
  return due;
}

/**
 * If all searches of a central are pending, a round can only end an expired one or find a driver who has become free.
 * Centrals without either are left out.
 */
async function findWorthALook(
  db: Db,
  searching: readonly SearchingCentral[],
  now: Temporal.Instant,
): Promise<number[]> {
  const pending = searching.filter(({ hasNew }) => !hasNew);
  const pendingIds = pending.map(({ id }) => id);
  const [centrals, drivers] = await Promise.all([
    findCentrals(db, pendingIds),
    findDriversLastSeen(db, pendingIds),
  ]);
  const settingsOf = new Map(centrals.map(({ id, settings }) => [id, settings]));
  const seenAt = new Map(drivers.map((driver) => [driver.centralId, driver.seenAt]));
  const isWorthALook = ({ id, hasNew, since }: SearchingCentral): boolean => {
    const settings = settingsOf.get(id);
    if (hasNew || !settings) return hasNew;
    const seen = seenAt.get(id);
    const hasDriver = seen !== undefined && Temporal.Instant.compare(seen, seenSince(settings, now)) >= 0;
    return hasDriver || isSearchOver(since, settings, now);
  };
  return searching.filter(isWorthALook).map(({ id }) => id);
}

/** Drivers last seen before this instant get no offers. */
const seenSince = ({ positionMinutesMax }: Settings, now: Temporal.Instant): Temporal.Instant =>
  now.subtract({ minutes: positionMinutesMax });

/** One round of the search for drivers, for every central with due work. */
export async function distributeOnce(deps: EstimateDeps): Promise<Distributed> {
  const done = nothingDistributed();
  const db = limitConnections(deps.db, CONNECTIONS_MAX);
  const due = await findDue(db, deps.clock.now());
  const inCentral = ([centralId, what]: [number, Due]) =>
    distributeIn({ ...deps, db }, centralId, what, done);
  await forEachIsolated([...due], inCentral, due.size);
  return done;
}

/**
 * The round of one central. It closes offers that will not be answered, ends searches over the time limit, and matches
 * the remaining deliveries with free drivers.
 *
 * The matching itself holds no lock, because it asks the router. Transactions then lock deliveries and drivers, check
 * again and make the offers (makeOffers.ts), so several processes may distribute at the same time.
 */
async function distributeIn(
  deps: EstimateDeps,
  centralId: number,
  due: Due,
  done: Distributed,
): Promise<void> {
  const central = await findCentral(deps.db, centralId);
  if (!central) return;
  let isSearching = due.searching && central.active;
  const parts = [
    async () => {
      if (!due.lapsed) return;
      const closed = await closeLapsed(deps, central);
      done.lapsed += closed;
      // The search continues at once.
      isSearching ||= central.active && closed > 0;
    },
    async () => {
      if (!isSearching) return;
      const ended = await endSearches(deps, central);
      done.notAttended += ended;
    },
    async () => {
      if (isSearching) await offerToDrivers(deps, central, done);
    },
  ];
  await forEachIsolated(parts, (part) => part());
}

/**
 * Offers due deliveries to free drivers. Deliveries without a driver wait. If no free driver is left they stay due and
 * nothing is written: the next driver who becomes free is matched with all of them. If there are free drivers who suit
 * none of them, they are postponed, so that they are not matched again in every round and others get a turn.
 */
async function offerToDrivers(deps: EstimateDeps, central: Central, done: Distributed): Promise<void> {
  const { db, clock, routers } = deps;
  const { settings } = central;
  const now = clock.now();
  const drivers = await findFreeDrivers(db, central.id, now, seenSince(settings, now));
  const statuses = drivers.length > 0 ? (['distributing', 'pending'] as const) : (['distributing'] as const);
  const searching = await findSearching(db, central.id, now, statuses, LOOKED_AT_MAX);
  if (searching.length === 0) return;
  const matches = await matchDrivers(routers.forEstimates(settings), searching, drivers, {
    reach: {
      metresMax: settings.searchMetresMax,
      nextPickupMetresMax: settings.nextPickupMetresMax,
      limit: CANDIDATES_MAX,
    },
    offersAtOnce: settings.offersAtOnce,
    now,
  });
  const { matched = [], lonely = [] } = Object.groupBy(matches, ({ drivers: found }) =>
    found.length > 0 ? 'matched' : 'lonely',
  );
  const asked = new Set(matched.flatMap(({ drivers: found }) => found));
  const parts = [
    async () => {
      const offered = await makeOffers(deps, central, matched);
      done.offered += offered;
    },
    async () => {
      const waiting = await letWait(
        deps,
        central,
        lonely.map(({ delivery }) => delivery),
        asked.size < drivers.length ? settings.searchAgainSeconds : 0,
      );
      done.waiting += waiting;
    },
  ];
  await forEachIsolated(parts, (part) => part());
}

/** Deliveries that arrive within this time are matched with drivers together. */
const EVERY_MS = 1_500;

/**
 * Searches for drivers in rounds until it is stopped. A central is skipped while its last round is still running, and
 * does not delay others: no connection and no lock is held while a router is asked.
 */
export function startDistribution(
  deps: EstimateDeps,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  const db = limitConnections(deps.db, CONNECTIONS_MAX);
  let due = new Map<number, Due>();
  const work = workPerCentral(
    (centralId) => distributeIn({ ...deps, db }, centralId, due.get(centralId)!, nothingDistributed()),
    onError,
    { isCrowded: db.isCrowded },
  );
  const round = async () => {
    due = await findDue(db, deps.clock.now());
    await work.begin([...due.keys()]);
  };
  const rounds = startRounds({ everyMs: EVERY_MS, round, onError });
  return {
    async stop() {
      await rounds.stop();
      await work.end();
    },
  };
}
