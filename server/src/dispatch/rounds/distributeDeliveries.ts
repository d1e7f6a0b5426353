import type { Central, Settings } from '../../centrals/central.ts';
import { findCentral, findCentrals } from '../../centrals/centralStore.ts';
import { findLapsedCentrals } from '../../deliveries/deliveries/offerStore.ts';
import type { EstimateDeps } from '../../money/pricing/estimateTrip.ts';
import { centralsAhead } from '../../platform/kernel/clock.ts';
import { forEachIsolated } from '../../platform/kernel/rounds.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { isAtWork } from '../../registers/drivers/calendar.ts';
import { closeLapsed, endSearches, isSearchOver } from './closeSearches.ts';
import {
  findDriversLastSeen,
  findFreeDrivers,
  findSearching,
  findSearchingCentrals,
  findUnassignedCentrals,
  type SearchingCentral,
} from './distributionStore.ts';
import { makeOffers, markUnmatched } from './makeOffers.ts';
import { matchDrivers } from './matchDrivers.ts';

/** How many deliveries of a central one round examines, those due longest first. */
export const EXAMINED_MAX = 2_500;
/** How many drivers are considered for each delivery. */
const CANDIDATES_MAX = 6;
export interface Distributed {
  offered: number;
  waiting: number;
  lapsed: number;
  notAttended: number;
}

/** The work due in a central. */
interface DueSearches {
  /** Whether there are offers that will not be answered. */
  lapsed: boolean;
  /** Whether there are deliveries whose search is due. */
  searching: boolean;
}

/** The centrals with due work, found by two to four statements, whatever their number. */
export async function findDueSearches({ db, clock }: EstimateDeps): Promise<Map<number, DueSearches>> {
  const now = clock.now();
  const ahead = centralsAhead(clock);
  const [lapsed, searching, early] = await Promise.all([
    findLapsedCentrals(db, now),
    findSearchingCentrals(db, now),
    ahead.length > 0 ? findUnassignedCentrals(db, ahead) : [],
  ]);
  const due = new Map<number, DueSearches>();
  for (const id of await findPromising(db, searching, now)) due.set(id, { lapsed: false, searching: true });
  for (const id of lapsed) due.set(id, { lapsed: true, searching: due.has(id) });
  for (const id of early) due.set(id, { lapsed: true, searching: true });
  return due;
}

/**
 * If all searches of a central are pending, a round can only end an expired one or find a driver who has become free.
 * Centrals without either are left out.
 */
async function findPromising(
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
  const isPromising = ({ id, hasNew, since }: SearchingCentral): boolean => {
    const settings = settingsOf.get(id);
    if (hasNew || !settings) return hasNew;
    const seen = seenAt.get(id);
    const hasDriver = seen !== undefined && Temporal.Instant.compare(seen, seenSince(settings, now)) >= 0;
    return hasDriver || isSearchOver(since, settings, now);
  };
  return searching.filter(isPromising).map(({ id }) => id);
}

/** Drivers last seen before this instant get no offers. */
const seenSince = ({ positionMinutesMax }: Settings, now: Temporal.Instant): Temporal.Instant =>
  now.subtract({ minutes: positionMinutesMax });

/**
 * The round of one central. It closes offers that will not be answered, ends searches over the time limit, and matches
 * the remaining deliveries with free drivers.
 *
 * The matching itself holds no lock, because it asks the router. Transactions then lock deliveries and drivers, check
 * again and make the offers (makeOffers.ts), so several processes may distribute at the same time.
 */
export async function distributeIn(
  deps: EstimateDeps,
  centralId: number,
  due: DueSearches,
): Promise<Distributed> {
  const done: Distributed = { offered: 0, waiting: 0, lapsed: 0, notAttended: 0 };
  const central = await findCentral(deps.db, centralId);
  if (!central) return done;
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
  return done;
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
  const free = await findFreeDrivers(db, central.id, now, seenSince(settings, now));
  const drivers = free.filter(({ calendar }) => isAtWork(calendar, central.timeZone, now));
  const statuses = drivers.length > 0 ? (['distributing', 'pending'] as const) : (['distributing'] as const);
  const searching = await findSearching(db, central.id, now, statuses, EXAMINED_MAX);
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
  const { matched = [], unmatched = [] } = Object.groupBy(matches, ({ drivers: found }) =>
    found.length > 0 ? 'matched' : 'unmatched',
  );
  const asked = new Set(matched.flatMap(({ drivers: found }) => found));
  const parts = [
    async () => {
      const offered = await makeOffers(deps, central, matched);
      done.offered += offered;
    },
    async () => {
      const waiting = await markUnmatched(
        deps,
        central,
        unmatched.map(({ delivery }) => delivery),
        asked.size < drivers.length ? settings.searchAgainSeconds : 0,
      );
      done.waiting += waiting;
    },
  ];
  await forEachIsolated(parts, (part) => part());
}
