import { wholeCentral } from '../../centrals/caller.ts';
import { findCentral } from '../../centrals/centralStore.ts';
import { findStops } from '../../deliveries/orders/stopStore.ts';
import { estimateScheduled } from '../../deliveries/scheduled/scheduleDelivery.ts';
import {
  countDispatchAttempt,
  findScheduled,
  lockScheduled,
  markDispatchRetry,
  markFailed,
  recordScheduledEvents,
  saveEstimate,
} from '../../deliveries/scheduled/scheduledStore.ts';
import { type DispatchFailure, type ScheduledEvent, serviceActor } from '../../events/record/event.ts';
import type { EstimateDeps } from '../../money/pricing/estimateTrip.ts';
import {
  type Balance,
  insertEntries,
  lockBalances,
  lockFreeBalances,
  type NewEntry,
} from '../../money/wallet/walletStore.ts';
import { centralsAhead, inCentral } from '../../platform/kernel/clock.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { countForEach } from '../../platform/kernel/rounds.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { troubleOf } from '../../platform/postgres/databaseErrors.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { limitConnections } from '../../platform/postgres/limitConnections.ts';
import {
  claimDue,
  claimThese,
  type Dispatched,
  type Due,
  type DueCentral,
  dispatchAtOnce,
  findDueCentrals,
  findOutdated,
  findOutdatedCentrals,
  findWaitingCentrals,
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
      return markDispatchRetry(tx, key.centralId, [key.id], now.add({ seconds: IN_THE_WAY_PAUSE_SECONDS }));
    const attempts = await countDispatchAttempt(tx, key.centralId, key.id);
    if (attempts === undefined) return;
    if (attempts >= ATTEMPTS_MAX) return failDispatch(tx, key, 'internal-error', now);
    return markDispatchRetry(tx, key.centralId, [key.id], now.add({ seconds: PAUSE_SECONDS * attempts }));
  });
}

/** An outage affects all of them; the next round finds them again. */
const isDatabaseGone = (error: unknown): boolean => troubleOf(error) === 'outage';

/** Enough to make a round trip serve many, few enough that several dispatchers share a rush. */
const DISPATCH_BATCH = 50;

/** The maximum for all centrals together, because requests need connections too. */
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
    const due = await findDue(deps);
    const made = await countForEach(due, (central) => dispatchIn(limited, central), due.length);
    if (made === 0) return total;
    total += made;
  }
}

/** The centrals with something to dispatch, or with a clock that is ahead and something that waits. */
export async function findDue({ db, clock }: Deps, except: readonly number[] = []): Promise<DueCentral[]> {
  const ahead = centralsAhead(clock).filter((centralId) => !except.includes(centralId));
  const [due, waiting] = await Promise.all([
    findDueCentrals(db, clock.now(), except),
    ahead.length > 0 ? findWaitingCentrals(db, ahead, false) : [],
  ]);
  const others = waiting.filter((centralId) => !due.some((each) => each.centralId === centralId));
  return [...due, ...others.map((centralId) => ({ centralId, count: DISPATCH_BATCH, paysByCredit: true }))];
}

/** The same for due scheduled deliveries whose estimate is outdated. */
export async function findOutdatedDue(
  { db, clock }: Deps,
  except: readonly number[] = [],
): Promise<number[]> {
  const ahead = centralsAhead(clock).filter((centralId) => !except.includes(centralId));
  const [due, waiting] = await Promise.all([
    findOutdatedCentrals(db, clock.now(), except),
    ahead.length > 0 ? findWaitingCentrals(db, ahead, true) : [],
  ]);
  return [...new Set([...due, ...waiting])];
}

interface Batch {
  claimed: number;
  made: number;
  /** The ids that were not dispatched, because another transaction holds the wallet that pays for them. */
  busy: readonly number[];
}

/**
 * Dispatches the due scheduled deliveries of one central, oldest first, until `stopping` is aborted. Those whose wallet
 * another transaction holds come last, so that no other waits for it.
 */
export async function dispatchIn(
  service: DispatchDeps,
  { centralId, count, paysByCredit }: DueCentral,
  stopping?: AbortSignal,
): Promise<number> {
  const deps = inCentral(service, centralId);
  const dispatchSome = paysByCredit ? dispatchInSteps : dispatchInOneStatement;
  const busy: number[] = [];
  let total = 0;
  for (let left = count; left > 0 && !stopping?.aborted; left -= DISPATCH_BATCH) {
    const size = Math.min(DISPATCH_BATCH, left);
    const batch = await dispatchSome(deps, centralId, size, busy);
    total += batch.made;
    busy.push(...batch.busy);
    if (batch.claimed < size) break;
  }
  for (let from = 0; from < busy.length && !stopping?.aborted; from += DISPATCH_BATCH) {
    const made = await dispatchBusy(deps, centralId, busy.slice(from, from + DISPATCH_BATCH));
    if (made === null) {
      await postponeBusy(deps, centralId, busy.slice(from));
      break;
    }
    total += made;
  }
  return total;
}

/** Waits briefly for the wallets that pay for these. Null: one of them is held for longer. */
async function dispatchBusy(
  deps: DispatchDeps,
  centralId: number,
  ids: readonly number[],
): Promise<number | null> {
  const { db, clock } = deps;
  const now = clock.now();
  try {
    const { made } = await db.begin(async (tx) => {
      await waitBriefly(tx);
      const due = await claimThese(tx, centralId, now, ids);
      return dispatchClaimed(tx, centralId, due, now, lockBalances);
    });
    return made;
  } catch (error) {
    if (isDatabaseGone(error)) throw error;
    if (troubleOf(error) === 'contention') return null;
    return dispatchEach(deps, centralId, ids);
  }
}

const postponeBusy = (
  { db, clock }: DispatchDeps,
  centralId: number,
  ids: readonly number[],
): Promise<void> =>
  db.begin((tx) =>
    markDispatchRetry(tx, centralId, ids, clock.now().add({ seconds: IN_THE_WAY_PAUSE_SECONDS })),
  );

/**
 * The same as `dispatchInSteps` in one statement, for the frequent case that nothing due is paid by credit: one due
 * delivery in each of 200 centrals took 1,164 statements in steps. On a distributed database, which would carry out such
 * a statement part by part, and after a failure the steps are taken.
 */
async function dispatchInOneStatement(
  deps: DispatchDeps,
  centralId: number,
  size: number,
  except: readonly number[],
): Promise<Batch> {
  const { db, clock } = deps;
  if (db.isDistributed) return dispatchInSteps(deps, centralId, size, except);
  // Taken before waiting for a connection, so that the ids of all centrals are reserved together.
  const ids = await newDispatchIds(db, centralId, size);
  try {
    const done = await dispatchAtOnce(db, centralId, ids, clock.now());
    if (!done.paysByCredit) return { ...done, busy: [] };
  } catch (error) {
    if (isDatabaseGone(error)) throw error;
  }
  return dispatchInSteps(deps, centralId, size, except);
}

/** Claims, locks the wallets that pay, and inserts: right for everything that is due. */
async function dispatchInSteps(
  deps: DispatchDeps,
  centralId: number,
  size: number,
  except: readonly number[],
): Promise<Batch> {
  const { db, clock } = deps;
  const now = clock.now();
  let due: Due[] = [];
  try {
    const done = await db.begin(async (tx) => {
      due = await claimDue(tx, centralId, now, size, except);
      return dispatchClaimed(tx, centralId, due, now);
    });
    return { claimed: due.length, ...done };
  } catch (error) {
    if (due.length === 0 || isDatabaseGone(error)) throw error;
    const ids = due.map(({ id }) => id);
    return { claimed: due.length, made: await dispatchEach(deps, centralId, ids), busy: [] };
  }
}

/**
 * One of them is faulty. Each is dispatched separately, so that the others are not affected; the next round finds those
 * whose wallet is held.
 */
const dispatchEach = (deps: DispatchDeps, centralId: number, ids: readonly number[]): Promise<number> =>
  countForEach(ids, (id) => dispatchAlone(deps, { centralId, id }));

async function dispatchAlone(deps: DispatchDeps, key: Key): Promise<number> {
  const { db, clock } = deps;
  const { centralId, id } = key;
  try {
    const now = clock.now();
    const { made } = await db.begin(async (tx) =>
      dispatchClaimed(tx, centralId, await claimThese(tx, centralId, now, [id]), now),
    );
    return made;
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
  lockWallets: typeof lockBalances = lockFreeBalances,
): Promise<Omit<Batch, 'claimed'>> {
  const payers = new Set(due.flatMap((each) => payerOf(each) ?? []));
  const balances = payers.size > 0 ? await lockWallets(tx, centralId, [...payers]) : [];
  const { covered = [], uncovered = [], busy = [] } = splitByCredit(due, balances);
  for (const { id } of uncovered) await failDispatch(tx, { centralId, id }, 'insufficient-balance', now);
  const made = covered.length > 0 ? await insertDispatched(tx, centralId, covered, now) : [];
  await insertEntries(tx, centralId, made.flatMap(reserveOf), serviceActor(now));
  return { made: made.length, busy: busy.map(({ id }) => id) };
}

/** The company whose wallet pays for it. */
const payerOf = ({ payment, companyId }: Due): number | null =>
  payment === 'credit_wallet' ? companyId : null;

const reserveOf = ({ payment, companyId, deliveryId, netCents }: Dispatched): NewEntry[] =>
  payment === 'credit_wallet' && companyId !== null && netCents > 0
    ? [{ companyId, kind: 'reserve', amountCents: -netCents, deliveryId }]
    : [];

/** Splits them by whether the company's credit covers them, the oldest first, and its wallet was free. */
function splitByCredit(
  due: readonly Due[],
  balances: readonly Balance[],
): Partial<Record<'covered' | 'uncovered' | 'busy', Due[]>> {
  const left = new Map(balances.map(({ companyId, balanceCents }) => [companyId, balanceCents]));
  return Object.groupBy(due, (each) => {
    if (each.payment !== 'credit_wallet') return 'covered';
    const payer = payerOf(each);
    if (payer === null) return 'uncovered';
    const balance = left.get(payer);
    if (balance === undefined) return 'busy';
    if (balance < each.netCents) return 'uncovered';
    left.set(payer, balance - each.netCents);
    return 'covered';
  });
}

const AT_ONCE_MAX = 10;

export interface RefreshDeps extends DispatchDeps, EstimateDeps {}

/**
 * Estimates due scheduled deliveries with outdated figures, on roads or else on straight lines, so that they can be
 * dispatched. It waits for routers, so it runs separately from the dispatch of all others. Returns the number of
 * scheduled deliveries it tried.
 */
export async function refreshEstimates(deps: RefreshDeps): Promise<number> {
  const centralIds = await findOutdatedDue(deps);
  return countForEach(centralIds, (centralId) => refreshIn(deps, centralId), centralIds.length);
}

/** `refreshEstimates` for one central. */
export async function refreshIn(service: RefreshDeps, centralId: number): Promise<number> {
  const deps = inCentral(service, centralId);
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
    // The scheduled delivery changed meanwhile. The next round finds it again if necessary.
    if (scheduled.version !== before.version || scheduled.situation !== 'awaiting') return;
    if (estimate instanceof Refusal) await failDispatch(tx, { centralId, id }, estimate.kind, clock.now());
    else await saveEstimate(tx, centralId, id, estimate);
  });
}

function refusalOnly(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}
