import { wholeCentral } from '../centrals/caller.ts';
import type { Central } from '../centrals/central.ts';
import { findCentral } from '../centrals/centralStore.ts';
import type { Delivery } from '../deliveries/delivery.ts';
import { clearReserved, lockDelivery, markSearchAgain } from '../deliveries/deliveryStore.ts';
import { closeLapsedOffers, findLapsedOffers, insertOffer } from '../deliveries/offerStore.ts';
import { giveBack } from '../deliveries/reserveCredit.ts';
import { resumeSearch } from '../deliveries/steps.ts';
import { takeStep } from '../deliveries/takeStep.ts';
import { lockDriver, worksFor } from '../drivers/driverStore.ts';
import type { EstimateDeps } from '../estimates/estimateTrip.ts';
import { serviceActor } from '../events/event.ts';
import { samePlace } from '../kernel/position.ts';
import { countForEach, forEachIsolated, startRounds, workPerCentral } from '../kernel/rounds.ts';
import {
  findFreeDrivers,
  findOverdueSearches,
  findSearching,
  findSearchingCentrals,
  isFreeNoLonger,
  isSearchOverdue,
  lockUnheld,
  type Searching,
} from './distributionStore.ts';
import { type Match, matchDrivers } from './matchDrivers.ts';

/** How many deliveries of a central are looked at in one round, those that wait longest for a look first. */
export const LOOKED_AT_MAX = 2_500;
/** How many drivers are looked at for each. */
const CANDIDATES_MAX = 6;
/** Offers that lapsed and searches that are over, of a central in one round. */
const BATCH = 2_000;
/** Deliveries that begin to wait in one transaction. */
const WAITING_TOGETHER = 50;
/** Transactions of one central at a time; each holds a connection, of which requests need some too. */
const AT_ONCE = 4;
const CENTRALS_AT_ONCE = 4;

export interface Distributed {
  offered: number;
  waiting: number;
  lapsed: number;
  notAttended: number;
}

const nothingDistributed = (): Distributed => ({ offered: 0, waiting: 0, lapsed: 0, notAttended: 0 });

/** One round of the search for drivers, for every central that has something to search for. */
export async function distributeOnce(deps: EstimateDeps): Promise<Distributed> {
  const done = nothingDistributed();
  await forEachIsolated(
    await findSearchingCentrals(deps.db),
    (centralId) => distributeIn(deps, centralId, done),
    CENTRALS_AT_ONCE,
  );
  return done;
}

/**
 * The round of one central. Offers that will not be answered are closed, searches that have gone on too long end, and
 * whoever is left is matched with the free drivers.
 *
 * The matching itself holds no lock, because it asks the router. Each offer is then made in a transaction of
 * its own that locks delivery and driver and looks again: what changed meanwhile is left for the next round,
 * and several processes may distribute side by side.
 */
async function distributeIn(deps: EstimateDeps, centralId: number, done: Distributed): Promise<void> {
  const central = await findCentral(deps.db, centralId);
  if (!central) return;
  const parts = central.active ? [closeLapsed, endSearches, offerToDrivers] : [closeLapsed];
  await forEachIsolated(parts, (part) => part(deps, central, done));
}

/** An offer that expires counts as a refusal, unless the driver went off duty meanwhile. */
async function closeLapsed({ db, clock }: EstimateDeps, { id }: Central, done: Distributed): Promise<void> {
  const now = clock.now();
  const close = (deliveryId: number) =>
    db.beginIndependent(async (tx) => {
      // The delivery's lock excludes acceptance: an offer is either answered or closed here, never both.
      const delivery = await lockDelivery(tx, wholeCentral(id), deliveryId);
      const closed = await closeLapsedOffers(tx, id, deliveryId, now);
      if (closed > 0 && delivery.status === 'offered')
        await resumeSearch(tx, id, delivery, serviceActor(now));
      return closed;
    });
  const lapsed = await findLapsedOffers(db, id, now, BATCH);
  const closed = await countForEach(lapsed, close, AT_ONCE);
  done.lapsed += closed;
}

async function endSearches(
  { db, clock }: EstimateDeps,
  { id, settings }: Central,
  done: Distributed,
): Promise<void> {
  const now = clock.now();
  const begunBefore = now.subtract({ minutes: settings.searchLimitMinutes });
  const end = (deliveryId: number) =>
    db.beginIndependent(async (tx) => {
      const delivery = await lockDelivery(tx, wholeCentral(id), deliveryId);
      if (!(await isSearchOverdue(tx, id, begunBefore, deliveryId))) return 0;
      const held = await clearReserved(tx, id, deliveryId);
      await takeStep(tx, id, delivery, 'endSearch', serviceActor(now));
      await giveBack(tx, id, held, serviceActor(now));
      return 1;
    });
  const overdue = await findOverdueSearches(db, id, begunBefore, BATCH);
  const ended = await countForEach(overdue, end, AT_ONCE);
  done.notAttended += ended;
}

async function offerToDrivers(deps: EstimateDeps, central: Central, done: Distributed): Promise<void> {
  const { db, clock, routers } = deps;
  const { settings } = central;
  const now = clock.now();
  const searching = await findSearching(db, central.id, now, LOOKED_AT_MAX);
  if (searching.length === 0) return;
  const seenSince = now.subtract({ minutes: settings.positionMinutesMax });
  const drivers = await findFreeDrivers(db, central.id, now, seenSince);
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
  await forEachIsolated(
    [
      async () =>
        forEachIsolated(
          matched,
          async (match) => {
            if (await makeOffers(deps, central, match)) done.offered += 1;
          },
          AT_ONCE,
        ),
      () =>
        letWait(
          deps,
          central,
          lonely.map(({ delivery }) => delivery),
        ),
    ],
    (part) => part(),
  );
  done.waiting += lonely.length;
}

async function makeOffers({ db, clock }: EstimateDeps, central: Central, match: Match): Promise<boolean> {
  return db.beginIndependent(async (tx) => {
    const now = clock.now();
    const delivery = await lockDelivery(tx, wholeCentral(central.id), match.delivery.id);
    if (delivery.status !== 'distributing' && delivery.status !== 'pending') return false;
    if (isAnotherJob(delivery, match.delivery)) return false;
    const asked: number[] = [];
    // Drivers are locked in id order; two rounds that share some never wait for each other in a circle.
    for (const driver of match.drivers.toSorted((a, b) => a.id - b.id)) {
      const known = await lockDriver(tx, central.id, driver.id);
      if (!known.active || !known.available) continue;
      if (await isFreeNoLonger(tx, central.id, driver, delivery.id)) continue;
      if (!(await worksFor(tx, central.id, driver.id, delivery.companyId))) continue;
      const expiresAt = now.add({ seconds: central.settings.offerSeconds });
      await insertOffer(tx, central.id, { deliveryId: delivery.id, driverId: driver.id, expiresAt }, now);
      asked.push(driver.id);
    }
    if (asked.length === 0) return false;
    await takeStep(tx, central.id, delivery, 'offer', serviceActor(now), { offeredTo: asked });
    return true;
  });
}

/** An edit moved it, or made it one for other vehicles, while drivers were being matched for what it was. */
const isAnotherJob = (delivery: Delivery, matched: Searching): boolean =>
  delivery.categoryId !== matched.categoryId || !samePlace(delivery.pickup.position, matched.pickup);

/** Nobody for the moment: pending, and looked at again a little later. */
async function letWait(
  { db, clock }: EstimateDeps,
  central: Central,
  lonely: readonly Searching[],
): Promise<void> {
  const now = clock.now();
  const again = now.add({ seconds: central.settings.searchAgainSeconds });
  const wait = (ids: readonly number[]) =>
    db.beginIndependent(async (tx) => {
      // In id order, and locked rows are left for the next round: no deadlock and no waiting.
      const held = await lockUnheld(tx, central.id, ids);
      for (const delivery of held)
        if (delivery.status === 'distributing')
          await takeStep(tx, central.id, delivery, 'wait', serviceActor(now));
      await markSearchAgain(
        tx,
        central.id,
        held.map(({ id }) => id),
        again,
      );
    });
  const ids = lonely.map(({ id }) => id).sort((a, b) => a - b);
  const together = Array.from({ length: Math.ceil(ids.length / WAITING_TOGETHER) }, (_, index) =>
    ids.slice(index * WAITING_TOGETHER, (index + 1) * WAITING_TOGETHER),
  );
  await forEachIsolated(together, wait, AT_ONCE);
}

/** Deliveries that come within this time are matched with drivers together. */
const EVERY_MS = 1_500;

/**
 * Searches for drivers until it is stopped, round after round. A central is passed over while its own last round goes
 * on, and nobody waits for it longer than a moment: a router that is slow for one central delays no other.
 */
export function startDistribution(
  deps: EstimateDeps,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  const work = workPerCentral((centralId) => distributeIn(deps, centralId, nothingDistributed()), onError);
  const round = async () => work.begin(await findSearchingCentrals(deps.db));
  const rounds = startRounds({ everyMs: EVERY_MS, round, onError });
  return {
    async stop() {
      await rounds.stop();
      await work.end();
    },
  };
}
