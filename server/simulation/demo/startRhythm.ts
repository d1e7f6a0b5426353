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
import { demoSenders, type Sender } from './demoFleet.ts';
import { findSenderIds } from './fleetStore.ts';
import { FRIDAY_ORDERS_AT_ONCE, fridayOpen, fridayOrders } from './friday.ts';
import { beginFriday, endFriday, fridaySenders } from './fridayFleet.ts';
import { HISTORY_DAYS } from './history.ts';
import {
  type Board,
  gapSeconds,
  isTrouble,
  nextStory,
  ordersPerHour,
  RUSH_PER_HOUR,
  type Story,
  troubleToResolve,
} from './rhythm.ts';
import { rhythmOrder } from './rhythmOrders.ts';
import { endTurn, findDueRhythms, findFleet, findHeld, holdTurn } from './rhythmStore.ts';
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

/** One order in each central whose turn has come, or some on a Friday evening. */
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
      else await keepHours(deps, central, now);
      if (!isHistory(turn.seed) || turn.seed % ORDERS_IN_HISTORY === 0)
        await play(deps, central, turn.seed, now, local);
    }
  } catch (error) {
    // A rule refuses the order, for example because its company was disabled. The next turn makes another order.
    if (!(error instanceof Refusal)) throw error;
  } finally {
    const perHour = deps.isRush ? RUSH_PER_HOUR : ordersPerHour(local);
    const isFriday = central?.settings.simulatedFriday ?? false;
    const seconds = isHistory(turn.seed) ? 0 : isFriday ? FRIDAY_GAP_SECONDS : gapSeconds(turn.seed, perHour);
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

const FRIDAY_GAP_SECONDS = 1;

/** The drivers of the Friday work while it is one. */
async function keepHours({ db }: RhythmDeps, central: Central, now: Temporal.Instant): Promise<void> {
  await db.begin((tx) =>
    central.settings.simulatedFriday ? beginFriday(tx, central.id, now) : endFriday(tx, central.id),
  );
}

const HELD_REASON = 'Conferir o pagamento com a loja';
const FAILURES_READ_MAX = 10;
/** A scheduled delivery counts as open this long before it leaves. */
const SOON_MINUTES = 5;

async function play(
  deps: RhythmDeps,
  central: Central,
  seed: number,
  now: Temporal.Instant,
  local: Temporal.PlainDateTime,
): Promise<void> {
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
  const isFriday = central.settings.simulatedFriday && !isHistory(seed);
  const senders = await sendersOf(deps, central, seed, isFriday);
  if (senders.length === 0) return;
  const work = { deps, central, operator, senders, now };
  if (isFriday) return playFriday(work, seed, board, fridayOpen(local));
  const story = nextStory(seed, board);
  if (story) await order(work, seed, story);
}

async function sendersOf(
  { db }: RhythmDeps,
  central: Central,
  seed: number,
  isFriday: boolean,
): Promise<Sender[]> {
  // The companies of the history order again when it is written.
  const senders = isHistory(seed)
    ? demoSenders().slice(0, 2)
    : isFriday
      ? await fridaySenders(db, central.id)
      : demoSenders();
  const ids = senders.map(({ companyId }) => companyId);
  const active = await findSenderIds(db, central.id, ids);
  return senders.filter(({ companyId }) => active.includes(companyId));
}

/** Several orders, each with a seed of its own. */
async function playFriday(work: Work, turn: number, board: Board, wanted: number): Promise<void> {
  const count = board.couriers > 0 ? fridayOrders(wanted, board.open + board.leavingSoon) : 0;
  const { open } = board;
  let { troubles } = board;
  for (let at = 0; at < count; at += 1) {
    const seed = turn * FRIDAY_ORDERS_AT_ONCE + at;
    const story = nextStory(seed, { ...board, couriers: wanted, open: open + at, troubles });
    if (!story) return;
    if (isTrouble(story)) troubles += 1;
    await order(work, seed, story);
  }
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

const BALANCE_CENTS_MIN = 10_000;
const TOP_UP_CENTS = 50_000;
/** When scheduled deliveries leave: minutes from now. */
const LEAVES_IN_MINUTES = [20, 120] as const;

/** What an order needs to know. */
interface Work {
  deps: RhythmDeps;
  central: Central;
  operator: Caller;
  senders: readonly Sender[];
  now: Temporal.Instant;
}

async function order(
  { deps, central, operator, senders, now }: Work,
  seed: number,
  story: Story,
): Promise<void> {
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
