import type { Central, Settings } from '../../centrals/central.ts';
import {
  closeLapsedOffers,
  findLapsedOffers,
  findWithOpenOffer,
} from '../../deliveries/deliveries/offerStore.ts';
import { giveBack } from '../../deliveries/deliveries/reserveCredit.ts';
import { clearDrivers, clearReserved } from '../../deliveries/deliveries/stepStore.ts';
import { takeSteps } from '../../deliveries/deliveries/takeSteps.ts';
import { serviceActor } from '../../events/record/event.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { countForEachBatch } from './batches.ts';
import { findOverdueSearches, lockOverdueSearches, lockUnheld } from './distributionStore.ts';

/** How many lapsed offers, or searches that are over, are read at a time. */
const READ_MAX = 2_000;
/** Deliveries in one transaction. */
const TOGETHER = 50;

/** An offer that expires counts as a refusal, unless the driver went off duty meanwhile. Returns their number. */
export async function closeLapsed({ db, clock }: Deps, { id: centralId }: Central): Promise<number> {
  const now = clock.now();
  const close = async (tx: Tx, ids: readonly number[]): Promise<number> => {
    // The delivery's lock excludes acceptance: an offer is either answered or closed here, never both.
    const held = await lockUnheld(tx, centralId, ids);
    if (held.length === 0) return 0;
    const heldIds = held.map(({ id }) => id);
    const closed = await closeLapsedOffers(tx, centralId, heldIds, now);
    const stillOffered = await findWithOpenOffer(tx, centralId, heldIds);
    const over = held.filter(
      ({ id, status }) => status === 'offered' && closed.includes(id) && !stillOffered.has(id),
    );
    await clearDrivers(
      tx,
      centralId,
      over.map(({ id }) => id),
    );
    const { assigned = [], found = [] } = Object.groupBy(over, ({ driverSpecified }) =>
      driverSpecified ? 'assigned' : 'found',
    );
    await takeSteps(tx, centralId, found, 'decline', serviceActor(now));
    await takeSteps(tx, centralId, assigned, 'declineAssigned', serviceActor(now));
    return closed.length;
  };
  return countForEachBatch(await findLapsedOffers(db, centralId, now, READ_MAX), TOGETHER, (ids) =>
    db.beginIndependent((tx) => close(tx, ids)),
  );
}

/** Searches that began before this instant have reached the central's time limit. */
const begunBefore = ({ searchLimitMinutes }: Settings, now: Temporal.Instant): Temporal.Instant =>
  now.subtract({ minutes: searchLimitMinutes });

export const isSearchOver = (since: Temporal.Instant, settings: Settings, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(since, begunBefore(settings, now)) <= 0;

/** Ends the searches that are over; returns their number. */
export async function endSearches(
  { db, clock }: Deps,
  { id: centralId, settings }: Central,
): Promise<number> {
  const now = clock.now();
  const limit = begunBefore(settings, now);
  const end = async (tx: Tx, ids: readonly number[]): Promise<number> => {
    const over = await lockOverdueSearches(tx, centralId, limit, ids);
    if (over.length === 0) return 0;
    const reserved = await clearReserved(
      tx,
      centralId,
      over.map(({ id }) => id),
    );
    await takeSteps(tx, centralId, over, 'endSearch', serviceActor(now));
    await giveBack(tx, centralId, reserved, serviceActor(now));
    return over.length;
  };
  let total = 0;
  for (;;) {
    const overdue = await findOverdueSearches(db, centralId, limit, READ_MAX);
    const ended = await countForEachBatch(overdue, TOGETHER, (ids) =>
      db.beginIndependent((tx) => end(tx, ids)),
    );
    total += ended;
    // Rows that another transaction holds are left for the next round.
    if (ended === 0 || overdue.length < READ_MAX) return total;
  }
}
