import { wholeCentral } from '../centrals/caller.ts';
import type { Central } from '../centrals/central.ts';
import { findCentral } from '../centrals/centralStore.ts';
import { lockDelivery } from '../deliveries/deliveryStore.ts';
import { hasCurrentDelivery } from '../deliveries/driverLoadStore.ts';
import { closeOffers, hasOpenOffer, insertOffer } from '../deliveries/offerStore.ts';
import { giveBack, unreserve } from '../deliveries/reserveCredit.ts';
import { takeStep } from '../deliveries/takeStep.ts';
import { lockDriver } from '../drivers/driverStore.ts';
import type { EstimateNeeds } from '../estimates/estimateTrip.ts';
import { doneByService } from '../events/deed.ts';
import {
  closeExpiredOffers,
  type FreeDriver,
  findExpired,
  findFreeDrivers,
  findOverdueSearches,
  findSearching,
  findSearchingCentrals,
  hasOpenOfferOrHold,
  markSearchAgain,
  type Searching,
} from './distributionStore.ts';
import { type Match, matchDrivers } from './matchDrivers.ts';

/** How many deliveries are matched together, and how many drivers are looked at for each. */
const TOGETHER_MAX = 60;
const CANDIDATES_MAX = 6;
const BATCH = 200;

export interface Distributed {
  offered: number;
  waiting: number;
  expired: number;
  notAttended: number;
}

/**
 * One round of the search for drivers, for every central that searches. Offers whose time is over are closed,
 * searches that have gone on too long end, and whoever is left is matched with the free drivers.
 *
 * The matching itself holds no lock, because it asks the router. Each offer is then made in a transaction of
 * its own that locks delivery and driver and looks again: what changed meanwhile is left for the next round,
 * and several processes may distribute side by side.
 */
export async function distributeOnce(needs: EstimateNeeds): Promise<Distributed> {
  const done: Distributed = { offered: 0, waiting: 0, expired: await expireOffers(needs), notAttended: 0 };
  for (const centralId of await findSearchingCentrals(needs.db)) {
    const central = await findCentral(needs.db, centralId);
    if (!central?.active) continue;
    done.notAttended += await endSearches(needs, central);
    const { offered, waiting } = await offerToDrivers(needs, central);
    done.offered += offered;
    done.waiting += waiting;
  }
  return done;
}

/** A driver who did not answer in time counts as one who said no. */
async function expireOffers({ db, clock }: EstimateNeeds): Promise<number> {
  const now = clock.now();
  let expired = 0;
  for (const { centralId, deliveryId } of await findExpired(db, now, BATCH)) {
    expired += await db.beginAside(async (tx) => {
      // Under the delivery's lock nobody accepts: an offer is either answered or expired, never both.
      const delivery = await lockDelivery(tx, wholeCentral(centralId), deliveryId);
      const closed = await closeExpiredOffers(tx, centralId, deliveryId, now);
      if (closed > 0 && delivery.status === 'offered' && !(await hasOpenOffer(tx, centralId, deliveryId)))
        await takeStep(tx, centralId, delivery, 'decline', doneByService(now));
      return closed;
    });
  }
  return expired;
}

async function endSearches({ db, clock }: EstimateNeeds, central: Central): Promise<number> {
  const now = clock.now();
  const begunBefore = now.subtract({ minutes: central.settings.searchLimitMinutes });
  const overdue = await findOverdueSearches(db, central.id, begunBefore, BATCH);
  for (const id of overdue)
    await db.beginAside(async (tx) => {
      const delivery = await lockDelivery(tx, wholeCentral(central.id), id);
      if (delivery.status !== 'distributing' && delivery.status !== 'pending') return;
      const held = await unreserve(tx, central.id, id);
      await takeStep(tx, central.id, delivery, 'endSearch', doneByService(now));
      await closeOffers(tx, central.id, id, null, 'withdrawn', now);
      await giveBack(tx, central.id, held, doneByService(now));
    });
  return overdue.length;
}

async function offerToDrivers(
  needs: EstimateNeeds,
  central: Central,
): Promise<{ offered: number; waiting: number }> {
  const { db, clock, routers } = needs;
  const { settings } = central;
  const now = clock.now();
  const searching = await findSearching(db, central.id, now, TOGETHER_MAX);
  if (searching.length === 0) return { offered: 0, waiting: 0 };
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
  let offered = 0;
  const lonely: Searching[] = [];
  for (const match of matches) {
    if (match.drivers.length === 0) lonely.push(match.delivery);
    else if (await makeOffers(needs, central, match)) offered += 1;
  }
  if (lonely.length) await letWait(needs, central, lonely);
  return { offered, waiting: lonely.length };
}

async function makeOffers({ db, clock }: EstimateNeeds, central: Central, match: Match): Promise<boolean> {
  return db.beginAside(async (tx) => {
    const now = clock.now();
    const delivery = await lockDelivery(tx, wholeCentral(central.id), match.delivery.id);
    if (delivery.status !== 'distributing' && delivery.status !== 'pending') return false;
    const asked: number[] = [];
    // Drivers are locked in id order; two rounds that share some never wait for each other in a circle.
    for (const driver of match.drivers.toSorted((a, b) => a.id - b.id)) {
      const known = await lockDriver(tx, central.id, driver.id);
      if (!known.active || !known.available || (await isBusier(tx, central.id, driver))) continue;
      const expiresAt = now.add({ seconds: central.settings.offerSeconds });
      await insertOffer(tx, central.id, { deliveryId: delivery.id, driverId: driver.id, expiresAt }, now);
      asked.push(driver.id);
    }
    if (asked.length === 0) return false;
    await takeStep(tx, central.id, delivery, 'offer', doneByService(now), { offeredTo: asked });
    return true;
  });
}

/** Whether the driver was given something since it was matched. */
async function isBusier(
  tx: Parameters<typeof hasCurrentDelivery>[0],
  centralId: number,
  driver: FreeDriver,
): Promise<boolean> {
  if (await hasOpenOfferOrHold(tx, centralId, driver.id)) return true;
  return driver.carrying === null && (await hasCurrentDelivery(tx, centralId, driver.id));
}

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
