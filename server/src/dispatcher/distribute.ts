import { wholeCentral } from '../centrals/caller.ts';
import type { Central } from '../centrals/central.ts';
import { findCentral } from '../centrals/centralStore.ts';
import type { Delivery } from '../deliveries/delivery.ts';
import { lockDelivery } from '../deliveries/deliveryStore.ts';
import { insertOffer } from '../deliveries/offerStore.ts';
import { giveBack, unreserve } from '../deliveries/reserveCredit.ts';
import { searchOn } from '../deliveries/searchOn.ts';
import { takeStep } from '../deliveries/takeStep.ts';
import { lockDriver, worksFor } from '../drivers/driverStore.ts';
import type { EstimateNeeds } from '../estimates/estimateTrip.ts';
import { doneByService } from '../events/deed.ts';
import { samePlace } from '../kernel/position.ts';
import {
  closeLapsedOffers,
  findFreeDrivers,
  findLapsed,
  findOverdueSearches,
  findSearching,
  findSearchingCentrals,
  isFreeNoLonger,
  isSearchOverdue,
  markSearchAgain,
  type Searching,
} from './distributionStore.ts';
import { eachApart } from './eachApart.ts';
import { type Match, matchDrivers } from './matchDrivers.ts';

/** How many deliveries are matched together, and how many drivers are looked at for each. */
const TOGETHER_MAX = 60;
const CANDIDATES_MAX = 6;
const BATCH = 200;

export interface Distributed {
  offered: number;
  waiting: number;
  lapsed: number;
  notAttended: number;
}

/**
 * One round of the search for drivers, for every central that searches. Offers that will not be answered are
 * closed, searches that have gone on too long end, and whoever is left is matched with the free drivers.
 *
 * The matching itself holds no lock, because it asks the router. Each offer is then made in a transaction of
 * its own that locks delivery and driver and looks again: what changed meanwhile is left for the next round,
 * and several processes may distribute side by side.
 */
export async function distributeOnce(needs: EstimateNeeds): Promise<Distributed> {
  const done: Distributed = { offered: 0, waiting: 0, lapsed: 0, notAttended: 0 };
  await eachApart([closeLapsed, searchEverywhere], (part) => part(needs, done));
  return done;
}

/** A driver who did not answer in time counts as one who said no; one who is off duty by now was not asked. */
async function closeLapsed({ db, clock }: EstimateNeeds, done: Distributed): Promise<void> {
  const now = clock.now();
  await eachApart(await findLapsed(db, now, BATCH), async ({ centralId, deliveryId }) => {
    done.lapsed += await db.beginAside(async (tx) => {
      // Under the delivery's lock nobody accepts: an offer is either answered or closed here, never both.
      const delivery = await lockDelivery(tx, wholeCentral(centralId), deliveryId);
      const closed = await closeLapsedOffers(tx, centralId, deliveryId, now);
      if (closed > 0 && delivery.status === 'offered')
        await searchOn(tx, centralId, delivery, doneByService(now));
      return closed;
    });
  });
}

async function searchEverywhere(needs: EstimateNeeds, done: Distributed): Promise<void> {
  await eachApart(await findSearchingCentrals(needs.db), async (centralId) => {
    const central = await findCentral(needs.db, centralId);
    if (!central?.active) return;
    await eachApart([endSearches, offerToDrivers], (part) => part(needs, central, done));
  });
}

async function endSearches(
  { db, clock }: EstimateNeeds,
  { id, settings }: Central,
  done: Distributed,
): Promise<void> {
  const now = clock.now();
  const begunBefore = now.subtract({ minutes: settings.searchLimitMinutes });
  await eachApart(await findOverdueSearches(db, id, begunBefore, BATCH), async (deliveryId) => {
    done.notAttended += await db.beginAside(async (tx) => {
      const delivery = await lockDelivery(tx, wholeCentral(id), deliveryId);
      if (!(await isSearchOverdue(tx, id, begunBefore, deliveryId))) return 0;
      const held = await unreserve(tx, id, deliveryId);
      await takeStep(tx, id, delivery, 'endSearch', doneByService(now));
      await giveBack(tx, id, held, doneByService(now));
      return 1;
    });
  });
}

async function offerToDrivers(needs: EstimateNeeds, central: Central, done: Distributed): Promise<void> {
  const { db, clock, routers } = needs;
  const { settings } = central;
  const now = clock.now();
  const searching = await findSearching(db, central.id, now, TOGETHER_MAX);
  if (searching.length === 0) return;
  const seenSince = now.subtract({ minutes: settings.positionMinutesMax });
  const drivers = await findFreeDrivers(db, central.id, now, seenSince);
  const matches = await matchDrivers(routers.forEstimates(settings), searching, drivers, {
    reach: {
      metresMax: settings.searchMetresMax,
      nextPickupMetresMax: settings.nextPickupMetresMax,
      most: CANDIDATES_MAX,
    },
    offersAtOnce: settings.offersAtOnce,
    now,
  });
  const lonely: Searching[] = [];
  await eachApart(matches, async (match) => {
    if (match.drivers.length === 0) lonely.push(match.delivery);
    else if (await makeOffers(needs, central, match)) done.offered += 1;
  });
  if (lonely.length) await letWait(needs, central, lonely);
  done.waiting += lonely.length;
}

async function makeOffers({ db, clock }: EstimateNeeds, central: Central, match: Match): Promise<boolean> {
  return db.beginAside(async (tx) => {
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
    await takeStep(tx, central.id, delivery, 'offer', doneByService(now), { offeredTo: asked });
    return true;
  });
}

/** An edit moved it, or made it one for other vehicles, while drivers were being matched for what it was. */
const isAnotherJob = (delivery: Delivery, matched: Searching): boolean =>
  delivery.categoryId !== matched.categoryId || !samePlace(delivery.pickup.position, matched.pickup);

/** Nobody for the moment: pending, and looked at again a little later. */
async function letWait(
  { db, clock }: EstimateNeeds,
  central: Central,
  lonely: readonly Searching[],
): Promise<void> {
  const now = clock.now();
  const again = now.add({ seconds: central.settings.searchAgainSeconds });
  for (const { id, status } of lonely) {
    if (status === 'pending') continue;
    await db.beginAside(async (tx) => {
      const delivery = await lockDelivery(tx, wholeCentral(central.id), id);
      if (delivery.status === 'distributing')
        await takeStep(tx, central.id, delivery, 'wait', doneByService(now));
    });
  }
  await db.beginAside((tx) =>
    markSearchAgain(
      tx,
      central.id,
      lonely.map(({ id }) => id),
      again,
    ),
  );
}
