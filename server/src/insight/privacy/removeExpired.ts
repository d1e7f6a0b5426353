import { listSettings } from '../../centrals/centralStore.ts';
import { deleteOldTextViews, findCentralsWithOldTextViews } from '../../centrals/savedViewStore.ts';
import {
  findCentralsWithEndedDeliveries,
  lockEndedDeliveries,
  removePersonalData,
} from '../../deliveries/deliveries/deliveryPersonalDataStore.ts';
import {
  findCentralsWithEndedScheduled,
  lockEndedScheduled,
  removePersonalDataOfScheduled,
} from '../../deliveries/scheduled/scheduledPersonalDataStore.ts';
import { forgetReceiversAnswers } from '../../events/webhooks/messageLogStore.ts';
import { findCentralsWithOldDriverNotes, removeOldDriverNotes } from '../../money/earnings/earningStore.ts';
import { findCentralsWithOldNotes, removeOldNotes } from '../../money/wallet/walletStore.ts';
import { forEachIsolated } from '../../platform/kernel/rounds.ts';
import type { Db, Tx } from '../../platform/postgres/database.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import {
  deleteOldFavourites,
  findCentralsWithOldFavourites,
} from '../../registers/companies/companyAddressStore.ts';
import { removePersons } from '../../registers/companies/companyStore.ts';
import { forgetSearched } from '../search/forgetSearched.ts';
import { insertAction } from './privacyStore.ts';

type Removable = 'deliveries' | 'scheduled' | 'notes' | 'favourites' | 'views';
export type Removed = Record<Removable, number>;

/** One kind of personal data that is removed after its time, and how the centrals that have some are found. */
interface Removal {
  counts: Removable;
  find(tx: Tx, centralIds: readonly number[], before: Temporal.Instant): Promise<number[]>;
  /** Removes at most `limit`; returns their number. */
  remove(
    tx: Tx,
    centralId: number,
    before: Temporal.Instant,
    limit: number,
    now: Temporal.Instant,
  ): Promise<number>;
}

const REMOVALS: readonly Removal[] = [
  { counts: 'deliveries', find: findCentralsWithEndedDeliveries, remove: removeDeliveries },
  { counts: 'scheduled', find: findCentralsWithEndedScheduled, remove: removeScheduled },
  { counts: 'notes', find: findCentralsWithOldNotes, remove: removeOldNotes },
  { counts: 'notes', find: findCentralsWithOldDriverNotes, remove: removeOldDriverNotes },
  // After the stops, whose phones decide which favourites are still used.
  { counts: 'favourites', find: findCentralsWithOldFavourites, remove: deleteOldFavourites },
  { counts: 'views', find: findCentralsWithOldTextViews, remove: deleteOldTextViews },
];

const NOTHING: Removed = { deliveries: 0, scheduled: 0, notes: 0, favourites: 0, views: 0 };
const BATCH = 200;

/**
 * Removes personal data from requests that ended before their central's retention time (a setting, off by default). It
 * works on one central after another, in small transactions that lock only ended requests, so no request waits. Rows
 * that are done are not found again, so a run costs only what has become due since the last one. A failure does not
 * prevent other removals, and is thrown afterwards.
 */
export async function removeExpiredPersonalData({ db, clock }: Deps): Promise<Removed> {
  const total = { ...NOTHING };
  const now = clock.now();
  await forEachIsolated(await findDue(db, now), async ({ centralId, before }) => {
    const removed = { ...NOTHING };
    const removeAll = async ({ counts, remove }: Removal) => {
      await inSteps(
        db,
        (tx) => remove(tx, centralId, before, BATCH, now),
        (some) => {
          removed[counts] += some;
          total[counts] += some;
        },
      );
    };
    const record = async () => {
      if (Object.values(removed).every((some) => some === 0)) return;
      const action = { action: 'retention', by: 'malote', personDigest: null, counts: removed } as const;
      await db.beginIndependent((tx) => insertAction(tx, centralId, action, now));
    };
    // The record comes last, also if a removal failed, so that completed ones are recorded.
    await forEachIsolated([() => forEachIsolated(REMOVALS, removeAll), record], (step) => step());
  });
  return total;
}

/** The centrals with something to remove, found by one query for all with the same retention time. */
async function findDue(
  db: Db,
  now: Temporal.Instant,
): Promise<{ centralId: number; before: Temporal.Instant }[]> {
  const due: { centralId: number; before: Temporal.Instant }[] = [];
  const keeping = Map.groupBy(await listSettings(db), ({ settings }) => settings.personalDataMonths);
  for (const [months, centrals] of keeping) {
    // These centrals have set no retention time, so they keep personal data.
    if (months === 0) continue;
    const before = now.toZonedDateTimeISO('UTC').subtract({ months }).toInstant();
    const ids = centrals.map(({ centralId }) => centralId);
    const found = new Set<number>();
    for (const { find } of REMOVALS)
      for (const centralId of await find(db, ids, before)) found.add(centralId);
    due.push(...[...found].map((centralId) => ({ centralId, before })));
  }
  return due;
}

async function removeDeliveries(
  tx: Tx,
  centralId: number,
  before: Temporal.Instant,
  limit: number,
  now: Temporal.Instant,
): Promise<number> {
  const ended = await lockEndedDeliveries(tx, centralId, before, limit);
  const ids = ended.map(({ id }) => id);
  await removePersonalData(tx, centralId, ids, now);
  await forgetReceiversAnswers(tx, centralId, { deliveries: ids, scheduled: [] });
  const customers = [...new Set(ended.map(({ customerId }) => customerId))];
  await removePersons(tx, centralId, customers);
  await forgetSearched(tx, centralId, { deliveries: ids, scheduled: [], customers }, now);
  return ids.length;
}

async function removeScheduled(
  tx: Tx,
  centralId: number,
  before: Temporal.Instant,
  limit: number,
  now: Temporal.Instant,
): Promise<number> {
  const ended = await lockEndedScheduled(tx, centralId, before, limit);
  const ids = ended.map(({ id }) => id);
  await removePersonalDataOfScheduled(tx, centralId, ids, now);
  await forgetReceiversAnswers(tx, centralId, { deliveries: [], scheduled: ids });
  const customers = [...new Set(ended.map(({ customerId }) => customerId))];
  await removePersons(tx, centralId, customers);
  await forgetSearched(tx, centralId, { deliveries: [], scheduled: ids, customers }, now);
  return ids.length;
}

async function inSteps(
  db: Db,
  removeSome: (tx: Tx) => Promise<number>,
  count: (removed: number) => void,
): Promise<void> {
  for (;;) {
    const removed = await db.beginIndependent(removeSome);
    count(removed);
    if (removed < BATCH) return;
  }
}
