import { listSettings } from '../centrals/centralStore.ts';
import { deleteOldTextViews, findCentralsWithOldTextViews } from '../centrals/savedViewStore.ts';
import { deleteOldFavourites, findCentralsWithOldFavourites } from '../companies/companyAddressStore.ts';
import { removePersons } from '../companies/companyStore.ts';
import {
  findCentralsWithEndedDeliveries,
  lockEndedDeliveries,
  removePersonalData,
} from '../deliveries/personalDataStore.ts';
import { findCentralsWithOldDriverNotes, removeOldDriverNotes } from '../earnings/earningStore.ts';
import { forEachIsolated } from '../kernel/rounds.ts';
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
import { insertAction } from './privacyStore.ts';

type Removable = 'deliveries' | 'scheduled' | 'notes' | 'favourites' | 'views';
export type Removed = Record<Removable, number>;

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
    const count = (name: Removable, removeSome: (tx: Tx) => Promise<number>) => async () => {
      await inSteps(db, removeSome, (some) => {
        removed[name] += some;
        total[name] += some;
      });
    };
    const record = async () => {
      if (Object.values(removed).every((some) => some === 0)) return;
      const action = { action: 'retention', by: 'malote', personDigest: null, counts: removed } as const;
      await db.beginIndependent((tx) => insertAction(tx, centralId, action, now));
    };
    const steps = [
      count('deliveries', (tx) => removeDeliveries(tx, centralId, before, now)),
      count('scheduled', (tx) => removeScheduled(tx, centralId, before, now)),
      count('notes', (tx) => removeOldNotes(tx, centralId, before, BATCH)),
      count('notes', (tx) => removeOldDriverNotes(tx, centralId, before, BATCH)),
      // After the stops, whose phones decide which favourites are still used.
      count('favourites', (tx) => deleteOldFavourites(tx, centralId, before, BATCH)),
      count('views', (tx) => deleteOldTextViews(tx, centralId, before, BATCH)),
      // Runs last, also if a step failed, so that completed removals are recorded.
      record,
    ];
    await forEachIsolated(steps, (step) => step());
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
    // They keep it without an end.
    if (months === 0) continue;
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
