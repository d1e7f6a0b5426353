import type { Central } from '../../centrals/central.ts';
import { markSearchAgain } from '../../deliveries/deliveries/deliveryStore.ts';
import { insertOffers } from '../../deliveries/deliveries/offerStore.ts';
import type { Status } from '../../deliveries/deliveries/status.ts';
import { takeSteps } from '../../deliveries/deliveries/takeSteps.ts';
import { serviceActor } from '../../events/record/event.ts';
import { samePlace } from '../../platform/kernel/position.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { countForEachBatch } from './batches.ts';
import {
  findStillFree,
  type LockedSearch,
  lockDriversOnDuty,
  lockSearching,
  type Pairing,
  type Searching,
} from './distributionStore.ts';
import type { Match } from './matchDrivers.ts';

/** Deliveries in one transaction: enough to make a round trip serve many, few enough that no lock is held for long. */
const TOGETHER = 50;

/**
 * Offers deliveries to the drivers they were matched with; returns the number offered. Each transaction locks its
 * deliveries and then their drivers without waiting, and checks again: rows that changed since the matching, or are
 * locked by others, are left for the next round. The lock of a driver excludes other assignments, so free drivers stay
 * free until the offers are made.
 */
export async function makeOffers(
  { db, clock }: Deps,
  central: Central,
  matches: readonly Match[],
): Promise<number> {
  return countForEachBatch(matches, TOGETHER, (batch) =>
    db.beginIndependent((tx) => offerTogether(tx, central, batch, clock.now())),
  );
}

async function offerTogether(
  tx: Tx,
  { id: centralId, settings }: Central,
  batch: readonly Match[],
  now: Temporal.Instant,
): Promise<number> {
  const matchOf = new Map(batch.map((match) => [match.delivery.id, match]));
  const locked = await lockSearching(tx, centralId, [...matchOf.keys()]);
  const held = locked.filter((delivery) => !isAnotherJob(delivery, matchOf.get(delivery.id)!.delivery));
  if (held.length === 0) return 0;
  const matched = held.flatMap(({ id, companyId }) =>
    matchOf.get(id)!.drivers.map(
      (driver): Pairing => ({
        deliveryId: id,
        companyId,
        driverId: driver.id,
        carriedId: driver.carrying?.deliveryId ?? null,
      }),
    ),
  );
  const onDuty = await lockDriversOnDuty(
    tx,
    centralId,
    matched.map(({ driverId }) => driverId),
  );
  const pairings = matched.filter(({ driverId }) => onDuty.has(driverId));
  if (pairings.length === 0) return 0;
  const free = await findStillFree(tx, centralId, pairings);
  const driversOf = Map.groupBy(free, ({ deliveryId }) => deliveryId);
  const offered = held.filter(({ id }) => driversOf.has(id));
  if (offered.length === 0) return 0;
  await insertOffers(tx, centralId, free, now.add({ seconds: settings.offerSeconds }), now);
  await takeSteps(tx, centralId, offered, 'offer', serviceActor(now), ({ id }) => ({
    offeredTo: driversOf
      .get(id)!
      .map(({ driverId }) => driverId)
      .sort((a, b) => a - b),
  }));
  return offered.length;
}

/** Whether an edit changed the pickup or the category since the matching. */
const isAnotherJob = (delivery: LockedSearch, matched: Searching): boolean =>
  delivery.categoryId !== matched.categoryId || !samePlace(delivery.pickup, matched.pickup);

/**
 * Marks deliveries without a suitable driver as pending, to be searched again after `againSeconds`. With 0, deliveries
 * that are pending already are not written. Returns how many wait.
 */
export async function markUnmatched(
  { db, clock }: Deps,
  { id: centralId }: Central,
  unmatched: readonly Searching[],
  againSeconds: number,
): Promise<number> {
  const now = clock.now();
  const again = now.add({ seconds: againSeconds });
  const isNew = ({ status }: { status: Status }) => status === 'distributing';
  const changed = againSeconds > 0 ? unmatched : unmatched.filter(isNew);
  const ids = changed.map(({ id }) => id).sort((a, b) => a - b);
  const written = await countForEachBatch(ids, TOGETHER, (batch) =>
    db.beginIndependent(async (tx) => {
      const held = await lockSearching(tx, centralId, batch);
      await takeSteps(tx, centralId, held.filter(isNew), 'wait', serviceActor(now), undefined, again);
      const known = held.filter((delivery) => !isNew(delivery)).map(({ id }) => id);
      await markSearchAgain(tx, centralId, known, again);
      return held.length;
    }),
  );
  return written + unmatched.length - changed.length;
}
