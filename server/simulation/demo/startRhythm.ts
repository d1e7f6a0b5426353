import { randomUUID } from 'node:crypto';
import { SIMULATED_ABSENCE } from '../../src/api/json/orderBody.ts';
import type { Caller } from '../../src/centrals/caller.ts';
import type { Central } from '../../src/centrals/central.ts';
import { findCentral } from '../../src/centrals/centralStore.ts';
import { holdDelivery } from '../../src/deliveries/deliveries/holdDelivery.ts';
import {
  countFailures,
  countOpen,
  listFailures,
} from '../../src/deliveries/deliveries/openDeliveriesStore.ts';
import { openDelivery } from '../../src/deliveries/deliveries/openDelivery.ts';
import { resolveFailure } from '../../src/deliveries/deliveries/resolveFailure.ts';
import { releaseDelivery } from '../../src/deliveries/deliveries/steps.ts';
import { scheduleDelivery } from '../../src/deliveries/scheduled/scheduleDelivery.ts';
import type { EstimateDeps } from '../../src/money/pricing/estimateTrip.ts';
import { topUpWallet } from '../../src/money/wallet/moveCredit.ts';
import { findBalance } from '../../src/money/wallet/walletStore.ts';
import { randomFrom } from '../../src/platform/kernel/random.ts';
import { Refusal } from '../../src/platform/kernel/refusal.ts';
import { forEachIsolated, type RunningRounds, startRounds } from '../../src/platform/kernel/rounds.ts';
import { HISTORY_DAYS } from './history.ts';
import {
  type Board,
  gapSeconds,
  nextStory,
  ordersPerHour,
  RUSH_PER_HOUR,
  type Story,
  troubleToResolve,
} from './rhythm.ts';
import { rhythmOrder } from './rhythmOrders.ts';
import { endTurn, findDueRhythms, findFleet, findHeld, findSenderIds, holdTurn } from './rhythmStore.ts';
import { writeHistory } from './writeHistory.ts';

export interface RhythmDeps extends EstimateDeps {
  log: { error(details: object, message: string): void };
  /** As many orders as the couriers can carry, at any hour. */
  isRush?: boolean;
}

const ROUND_MS = 1_000;
/** Longer than a turn takes: a central changes its process only when that process is gone. */
const LEASE_SECONDS = 30;

/** Makes automatic orders in the centrals of the demonstration until it is stopped. One process takes each turn. */
export function startRhythm(deps: RhythmDeps): RunningRounds {
  const holder = randomUUID();
  return startRounds({
    everyMs: ROUND_MS,
    round: () => rhythmRound(deps, holder),
    onError: (err) => deps.log.error({ err }, 'the demonstration could not order'),
  });
}

/** One order in each central whose turn has come. */
export async function rhythmRound(deps: RhythmDeps, holder: string): Promise<void> {
  const due = await findDueRhythms(deps.db, deps.clock.now());
  await forEachIsolated(due, (centralId) => takeTurn(deps, centralId, holder));
}

async function takeTurn(deps: RhythmDeps, centralId: number, holder: string): Promise<void> {
  const { db, clock } = deps;
  const now = clock.now();
  const turn = await holdTurn(db, centralId, holder, now, now.add({ seconds: LEASE_SECONDS }));
  if (!turn) return;
  const central = await findCentral(db, centralId);
  const local = now.toZonedDateTimeISO(central?.timeZone ?? 'UTC').toPlainDateTime();
  try {
    // Without simulated couriers nobody would carry the orders.
    if (central?.active && central.settings.simulatedCouriers) {
      if (isHistory(turn.seed)) await writeDay(deps, central, turn.seed);
      if (!isHistory(turn.seed) || turn.seed % ORDERS_IN_HISTORY === 0)
        await play(deps, central, turn.seed, now);
    }
  } catch (error) {
    // A rule refuses the order, for example because its company was disabled. The next turn makes another order.
    if (!(error instanceof Refusal)) throw error;
  } finally {
    const perHour = deps.isRush ? RUSH_PER_HOUR : ordersPerHour(local);
    const seconds = isHistory(turn.seed) ? 0 : gapSeconds(turn.seed, perHour);
    await endTurn(db, centralId, holder, now.add({ seconds }));
  }
}

const isHistory = (turn: number): boolean => turn < HISTORY_DAYS;

/** While the history is written, every third day of it brings an order of today. */
const ORDERS_IN_HISTORY = 3;

const writeDay = (deps: RhythmDeps, central: Central, day: number): Promise<void> =>
  writeHistory(
    deps,
    callerOf(central, 'operator', null),
    (companyId) => callerOf(central, 'manager', companyId),
    day,
  );

const HELD_REASON = 'Conferir o pagamento com a loja';
const FAILURES_READ_MAX = 10;
/** A scheduled delivery counts as open this long before it leaves. */
const SOON_MINUTES = 5;

async function play(deps: RhythmDeps, central: Central, seed: number, now: Temporal.Instant): Promise<void> {
  const { db } = deps;
  const operator = callerOf(central, 'operator', null);
  const [counts, failures, fleet] = await Promise.all([
    countOpen(db, operator, now),
    countFailures(db, operator),
    findFleet(db, central.id, now.add({ minutes: SOON_MINUTES })),
  ]);
  const openIn = (isHeld: boolean) =>
    counts
      .filter(({ status }) => (status === 'awaiting_release') === isHeld)
      .reduce((sum, { count }) => sum + count, 0);
  const board: Board = { ...fleet, open: openIn(false), troubles: openIn(true) + failures };
  await resolveTrouble(deps, operator, now);
  const story = nextStory(seed, board);
  if (story) await order(deps, central, operator, seed, story, now);
}

/** The simulated central resolves problems that the rhythm has made, and leaves those made by people. */
async function resolveTrouble(deps: RhythmDeps, operator: Caller, now: Temporal.Instant): Promise<void> {
  const { centralId } = operator;
  const held = await findHeld(deps.db, centralId, HELD_REASON);
  const failed = (await listFailures(deps.db, operator, FAILURES_READ_MAX)).filter(
    ({ note, status }) => note === SIMULATED_ABSENCE && status === 'finished',
  );
  const troubles = [
    ...held.map(({ id, since }) => ({ since, resolveTrouble: () => releaseDelivery(deps, operator, id) })),
    ...failed.map(({ happenedAt, deliveryId, stopId }) => ({
      since: happenedAt,
      resolveTrouble: () => resolveFailure(deps, operator, deliveryId, stopId, 'Retirado na loja'),
    })),
  ].sort((a, b) => Temporal.Instant.compare(a.since, b.since));
  await troubleToResolve(troubles, now)?.resolveTrouble();
}

const COMPANIES_MAX = 5;
const BALANCE_CENTS_MIN = 10_000;
const TOP_UP_CENTS = 50_000;
/** When scheduled deliveries leave: minutes from now. */
const LEAVES_IN_MINUTES = [20, 120] as const;

async function order(
  deps: RhythmDeps,
  central: Central,
  operator: Caller,
  seed: number,
  story: Story,
  now: Temporal.Instant,
): Promise<void> {
  // The companies of the history order again when it is written.
  const senders = await findSenderIds(deps.db, central.id, isHistory(seed) ? 2 : COMPANIES_MAX);
  if (senders.length === 0) return;
  const wanted = rhythmOrder(seed, story, senders);
  const manager = callerOf(central, 'manager', wanted.companyId);
  if (wanted.payment === 'credit_wallet') await keepCredit(deps, operator, wanted.companyId);
  if (story === 'scheduled') {
    const [min, max] = LEAVES_IN_MINUTES;
    const minutes = min + Math.floor(randomFrom(seed + 1)() * (max - min));
    const at = now.add({ minutes }).round({ smallestUnit: 'minute', roundingMode: 'ceil' });
    await scheduleDelivery(deps, manager, wanted, at);
    return;
  }
  const id = await openDelivery(deps, manager, wanted);
  if (story === 'held') await holdDelivery(deps, operator, id, HELD_REASON);
}

async function keepCredit(deps: RhythmDeps, operator: Caller, companyId: number): Promise<void> {
  if ((await findBalance(deps.db, operator.centralId, companyId)) >= BALANCE_CENTS_MIN) return;
  await topUpWallet(deps, operator, { companyId, cents: TOP_UP_CENTS, note: 'Pix' });
}

/** The rhythm has no login of its own: it may do what a manager and an operator may. */
const callerOf = (central: Central, role: 'operator' | 'manager', companyId: number | null): Caller => ({
  central,
  centralId: central.id,
  companyId,
  userId: null,
  role,
  driverId: null,
});
