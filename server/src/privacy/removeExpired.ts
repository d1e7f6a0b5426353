import { deleteOldTextViews, findCentralsWithOldTextViews } from '../centrals/savedViewStore.ts';
import { deleteOldFavourites, findCentralsWithOldFavourites } from '../companies/companyAddressStore.ts';
import { removePersons } from '../companies/companyStore.ts';
import {
  findCentralsWithEndedDeliveries,
  lockEndedDeliveries,
  removePersonalData,
} from '../deliveries/personalDataStore.ts';
import { findCentralsWithOldDriverNotes, removeOldDriverNotes } from '../earnings/earningStore.ts';
import type { Db, Tx } from '../postgres/database.ts';
import type { Deps } from '../postgres/deps.ts';
import {
  findCentralsWithEndedScheduled,
  lockEndedScheduled,
  removePersonalDataOfScheduled,
} from '../scheduled/personalDataStore.ts';
import { forgetSearched } from '../search/forgetSearched.ts';
import { findCentralsWithOldNotes, removeOldNotes } from '../wallet/walletStore.ts';
import { forgetReceiversAnswers } from '../webhooks/messageLogStore.ts';
import { findRetentions, insertAction } from './privacyStore.ts';

export interface Removed extends Record<string, number> {
  deliveries: number;
  scheduled: number;
  notes: number;
  favourites: number;
  views: number;
}

const BATCH = 200;

/**
 * Removes personal data from requests that ended longer ago than their central keeps it (a setting, off unless
 * somebody sets it). One central after another, in small transactions that lock only ended requests: nobody waits.
 * What is done is not found again, so a run costs what has become due since the last one.
 */
export async function removeExpiredPersonalData({ db, clock }: Deps): Promise<Removed> {
  const total: Removed = { deliveries: 0, scheduled: 0, notes: 0, favourites: 0, views: 0 };
  const now = clock.now();
  for (const { centralId, before } of await findDue(db, now)) {
    const removed: Removed = {
      deliveries: await inSteps(db, (tx) => removeDeliveries(tx, centralId, before, now)),
      scheduled: await inSteps(db, (tx) => removeScheduled(tx, centralId, before, now)),
      notes:
        (await inSteps(db, (tx) => removeOldNotes(tx, centralId, before, BATCH))) +
        (await inSteps(db, (tx) => removeOldDriverNotes(tx, centralId, before, BATCH))),
      // After the stops, whose phones say which favourites are still used.
      favourites: await inSteps(db, (tx) => deleteOldFavourites(tx, centralId, before, BATCH)),
      views: await inSteps(db, (tx) => deleteOldTextViews(tx, centralId, before, BATCH)),
    };
    if (Object.values(removed).some((count) => count > 0)) {
      const action = { action: 'retention', by: 'malote', personDigest: null, counts: removed } as const;
      await db.beginIndependent((tx) => insertAction(tx, centralId, action, now));
    }
    for (const name of Object.keys(total)) total[name]! += removed[name]!;
  }
  return total;
}

/** The centrals that have something to remove; one look at all that keep it equally long. */
async function findDue(
  db: Db,
  now: Temporal.Instant,
): Promise<{ centralId: number; before: Temporal.Instant }[]> {
  const due: { centralId: number; before: Temporal.Instant }[] = [];
  for (const [months, centrals] of Map.groupBy(await findRetentions(db), ({ months }) => months)) {
    const before = now.toZonedDateTimeISO('UTC').subtract({ months }).toInstant();
    const ids = centrals.map(({ centralId }) => centralId);
    const found = new Set<number>();
    for (const find of [
      findCentralsWithEndedDeliveries,
      findCentralsWithEndedScheduled,
      findCentralsWithOldNotes,
      findCentralsWithOldDriverNotes,
      findCentralsWithOldFavourites,
      findCentralsWithOldTextViews,
    ])
      for (const centralId of await find(db, ids, before)) found.add(centralId);
    due.push(...[...found].map((centralId) => ({ centralId, before })));
  }
  return due;
}

async function removeDeliveries(
  tx: Tx,
  centralId: number,
  before: Temporal.Instant,
  now: Temporal.Instant,
): Promise<number> {
  const ended = await lockEndedDeliveries(tx, centralId, before, BATCH);
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
  now: Temporal.Instant,
): Promise<number> {
  const ended = await lockEndedScheduled(tx, centralId, before, BATCH);
  const ids = ended.map(({ id }) => id);
  await removePersonalDataOfScheduled(tx, centralId, ids, now);
  await forgetReceiversAnswers(tx, centralId, { deliveries: [], scheduled: ids });
  const customers = [...new Set(ended.map(({ customerId }) => customerId))];
  await removePersons(tx, centralId, customers);
  await forgetSearched(tx, centralId, { deliveries: [], scheduled: ids, customers }, now);
  return ids.length;
}

async function inSteps(db: Db, removeSome: (tx: Tx) => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const removed = await db.beginIndependent(removeSome);
    total += removed;
    if (removed < BATCH) return total;
  }
}
