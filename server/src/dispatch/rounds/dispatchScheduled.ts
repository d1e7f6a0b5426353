import { wholeCentral } from '../centrals/caller.ts';
import { findCentral } from '../centrals/centralStore.ts';
import type { EstimateDeps } from '../estimates/estimateTrip.ts';
import { type DispatchFailure, type ScheduledEvent, serviceActor } from '../events/event.ts';
import { Refusal } from '../kernel/refusal.ts';
import { countForEach } from '../kernel/rounds.ts';
import type { Tx } from '../postgres/database.ts';
import { troubleOf } from '../postgres/databaseErrors.ts';
import type { Deps } from '../postgres/deps.ts';
import { limitConnections } from '../postgres/limitConnections.ts';
import { findStops } from '../requests/stopStore.ts';
import { estimateScheduled } from '../scheduled/scheduleDelivery.ts';
import {
  countDispatchAttempt,
  findScheduled,
  lockScheduled,
  markDispatchRetry,
  markFailed,
  recordScheduledEvents,
  saveEstimate,
} from '../scheduled/scheduledStore.ts';
import { insertReserves, lockBalances, type Reservation } from '../wallet/walletStore.ts';
import {
  claimDue,
  claimOne,
  type Dispatched,
  type Due,
  type DueCentral,
  dispatchAtOnce,
  findDueCentrals,
  findOutdated,
  findOutdatedCentrals,
  insertDispatched,
  newDispatchIds,
  waitBriefly,
} from './dispatchStore.ts';

interface Key {
  centralId: number;
  id: number;
}

/** Marks a dispatch as failed for good. The caller holds the lock of the scheduled delivery. */
async function failDispatch(
  tx: Tx,
  key: Key,
  failure: DispatchFailure,
  now: Temporal.Instant,
): Promise<void> {
  await markFailed(tx, key.centralId, key.id, failure);
  const event: ScheduledEvent = {
    scheduledId: key.id,
    type: 'scheduled.changed',
    payload: { situation: 'failed', change: 'dispatch_failed', failure },
  };
  await recordScheduledEvents(tx, key.centralId, [event], serviceActor(now));
}

interface DispatchDeps extends Deps {
  log: { error(details: object, message: string): void };
}

const ATTEMPTS_MAX = 3;
const PAUSE_SECONDS = 5;
const IN_THE_WAY_PAUSE_SECONDS = 1;

/**
 * Handles a scheduled delivery whose dispatch ended in an error. Others continue without it. It is tried again after a
 * pause, and after a few errors it fails for good; contention does not count. Rethrows errors that do not concern this
 * scheduled delivery: the database is gone, or its disk is full.
 */
async function postpone({ db, clock, log }: DispatchDeps, key: Key, error: unknown): Promise<void> {
  if (isDatabaseGone(error)) throw error;
  log.error({ err: error, centralId: key.centralId, scheduledId: key.id }, 'a dispatch ended in an error');
  const now = clock.now();
  await db.begin(async (tx) => {
    if (troubleOf(error) === 'contention')
      return markDispatchRetry(tx, key.centralId, key.id, now.add({ seconds: IN_THE_WAY_PAUSE_SECONDS }));
    const attempts = await countDispatchAttempt(tx, key.centralId, key.id);
    if (attempts === undefined) return;
    if (attempts >= ATTEMPTS_MAX) return failDispatch(tx, key, 'internal-error', now);
    return markDispatchRetry(tx, key.centralId, key.id, now.add({ seconds: PAUSE_SECONDS * attempts }));
  });
}

/** An outage affects all of them; the next round finds them again. */
const isDatabaseGone = (error: unknown): boolean => troubleOf(error) === 'outage';

/** Enough to make a round trip serve many, few enough that several dispatchers share a rush. */
const DISPATCH_BATCH = 50;

/** Of all centrals together; requests need some connections too. */
export const DISPATCH_CONNECTIONS_MAX = 4;

/**
 * Makes a delivery of each due scheduled delivery; returns their number. Any number of processes may do this at once:
 * each claims rows that no other holds, and the transaction that makes the delivery also marks the row, so each is
 * dispatched exactly once even if a process dies.
 */
export async function dispatchReady(deps: DispatchDeps): Promise<number> {
  const limited = { ...deps, db: limitConnections(deps.db, DISPATCH_CONNECTIONS_MAX) };
  let total = 0;
  for (;;) {
    const due = await findDueCentrals(deps.db, deps.clock.now());
    const made = await countForEach(due, (central) => dispatchIn(limited, central), due.length);
    if (made === 0) return total;
    total += made;
  }
}

interface Batch {
  claimed: number;
  made: number;
}

/** The same for the due scheduled deliveries of one central, oldest first, until it is stopped. */
export async function dispatchIn(
  deps: DispatchDeps,
  { centralId, count, paysByCredit }: DueCentral,
  stopping?: AbortSignal,
): Promise<number> {
  const dispatchSome = paysByCredit ? dispatchBatch : dispatchInOneStatement;
  let total = 0;
  for (let left = count; left > 0 && !stopping?.aborted; left -= DISPATCH_BATCH) {
    const size = Math.min(DISPATCH_BATCH, left);
    const { claimed, made } = await dispatchSome(deps, centralId, size);
    total += made;
    if (claimed < size) return total;
  }
  return total;
}

/**
 * Without payment by credit, one statement does everything. Otherwise the dispatch takes several steps, as always on a
 * distributed database, which would carry out such a statement part by part.
 */
async function dispatchInOneStatement(deps: DispatchDeps, centralId: number, size: number): Promise<Batch> {
  const { db, clock } = deps;
  if (db.isDistributed) return dispatchBatch(deps, centralId, size);
  // Taken before waiting for a connection, so that the ids of all centrals are reserved together.
  const ids = await newDispatchIds(db, centralId, size);
  try {
    const done = await db.beginOne((tx) => dispatchAtOnce(tx, centralId, ids, clock.now()));
    if (!done.paysByCredit) return done;
  } catch (error) {
    if (isDatabaseGone(error)) throw error;
  }
  return dispatchBatch(deps, centralId, size);
}

async function dispatchBatch(deps: DispatchDeps, centralId: number, size: number): Promise<Batch> {
  const { db, clock } = deps;
  const now = clock.now();
  let due: Due[] = [];
  try {
    const made = await db.begin(async (tx) => {
      due = await claimDue(tx, centralId, now, size);
      return dispatchClaimed(tx, centralId, due, now);
    });
    return { claimed: due.length, made };
  } catch (error) {
    if (due.length === 0 || isDatabaseGone(error)) throw error;
    // One of them is faulty. Each is dispatched separately, so that the others are not affected.
    let made = 0;
    for (const { id } of due) made += await dispatchAlone(deps, { centralId, id });
    return { claimed: due.length, made };
  }
}

async function dispatchAlone(deps: DispatchDeps, key: Key): Promise<number> {
  const { db, clock } = deps;
  const { centralId, id } = key;
  try {
    const now = clock.now();
    return await db.begin(async (tx) =>
      dispatchClaimed(tx, centralId, await claimOne(tx, centralId, now, id), now),
    );
  } catch (error) {
    await postpone(deps, key, error);
    return 0;
  }
}

/** Dispatches rows that the caller's transaction has claimed. */
async function dispatchClaimed(
  tx: Tx,
  centralId: number,
  due: readonly Due[],
  now: Temporal.Instant,
): Promise<number> {
  if (due.length === 0) return 0;
  const { covered, uncovered } = await splitByCredit(tx, centralId, due);
  for (const { id } of uncovered) await failDispatch(tx, { centralId, id }, 'insufficient-balance', now);
  if (covered.length === 0) return 0;
  const made = await insertDispatched(tx, centralId, covered, now);
  await insertReserves(tx, centralId, made.flatMap(reservationOf), now);
  return made.length;
}

const reservationOf = ({ payment, companyId, deliveryId, netCents }: Dispatched): Reservation[] =>
  payment === 'credit_wallet' && companyId !== null && netCents > 0
    ? [{ companyId, deliveryId, cents: netCents }]
    : [];

/** Splits them by whether the company's credit covers them, the oldest first. */
async function splitByCredit(
  tx: Tx,
  centralId: number,
  due: readonly Due[],
): Promise<{ covered: readonly Due[]; uncovered: readonly Due[] }> {
  const payers = due.flatMap(({ payment, companyId }) =>
    payment === 'credit_wallet' && companyId !== null ? [companyId] : [],
  );
  if (payers.length === 0) return { covered: due, uncovered: [] };
  await waitBriefly(tx);
  const balances = await lockBalances(tx, centralId, payers);
  const left = new Map<number | null, number>(
    balances.map(({ companyId, balanceCents }) => [companyId, balanceCents]),
  );
  const isCovered = ({ payment, companyId, netCents }: Due): boolean => {
    if (payment !== 'credit_wallet') return true;
    const balance = left.get(companyId) ?? 0;
    if (balance < netCents) return false;
    left.set(companyId, balance - netCents);
    return true;
  };
  const { covered = [], uncovered = [] } = Object.groupBy(due, (each) =>
    isCovered(each) ? 'covered' : 'uncovered',
  );
  return { covered, uncovered };
}

const AT_ONCE_MAX = 10;

export interface RefreshDeps extends DispatchDeps, EstimateDeps {}

/**
 * Estimates due scheduled deliveries with outdated figures, on roads or else on straight lines, so that they can be
 * dispatched. It waits for routers, so it runs separately from the dispatch of all others. Returns the number of
 * scheduled deliveries it tried.
 */
export async function refreshEstimates(deps: RefreshDeps): Promise<number> {
  const centralIds = await findOutdatedCentrals(deps.db, deps.clock.now());
  return countForEach(centralIds, (centralId) => refreshIn(deps, centralId), centralIds.length);
}

/** The same for one central. */
export async function refreshIn(deps: RefreshDeps, centralId: number): Promise<number> {
  const ids = await findOutdated(deps.db, centralId, deps.clock.now(), AT_ONCE_MAX);
  const keys = ids.map((id): Key => ({ centralId, id }));
  await Promise.all(keys.map((key) => refresh(deps, key).catch((error) => postpone(deps, key, error))));
  return ids.length;
}

async function refresh(deps: RefreshDeps, { centralId, id }: Key): Promise<void> {
  const { db, clock, routers } = deps;
  const scope = wholeCentral(centralId);
  const central = await findCentral(db, centralId);
  if (!central) throw new Error(`there is no central ${centralId}`);
  const before = await findScheduled(db, scope, id);
  const stops = await findStops(db, centralId, 'scheduled', [id]);
  const router = routers.forEstimates(central.settings);
  const estimate = await estimateScheduled(deps, router, central, before, stops).catch(refusalOnly);
  await db.begin(async (tx) => {
    const scheduled = await lockScheduled(tx, scope, id);
    // It changed meanwhile. The next round finds it again if necessary.
    if (scheduled.version !== before.version || scheduled.situation !== 'awaiting') return;
    if (estimate instanceof Refusal) await failDispatch(tx, { centralId, id }, estimate.kind, clock.now());
    else await saveEstimate(tx, centralId, id, estimate);
  });
}

function refusalOnly(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}
