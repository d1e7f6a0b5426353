import { randomUUID } from 'node:crypto';
import type { Caller } from '../centrals/caller.ts';
import type { Central } from '../centrals/central.ts';
import { findCentral } from '../centrals/centralStore.ts';
import { countFailures, listFailures } from '../deliveries/failureListStore.ts';
import { holdDelivery } from '../deliveries/holdDelivery.ts';
import { countOpen } from '../deliveries/openDeliveriesStore.ts';
import { openDelivery } from '../deliveries/openDelivery.ts';
import { resolveFailure } from '../deliveries/resolveFailure.ts';
import { releaseDelivery } from '../deliveries/steps.ts';
import type { EstimateDeps } from '../estimates/estimateTrip.ts';
import { randomFrom } from '../kernel/random.ts';
import { Refusal } from '../kernel/refusal.ts';
import { forEachIsolated, type RunningRounds, startRounds } from '../kernel/rounds.ts';
import { scheduleDelivery } from '../scheduled/scheduleDelivery.ts';
import { topUpWallet } from '../wallet/moveCredit.ts';
import { findBalance } from '../wallet/walletStore.ts';
import { SIMULATED_ABSENCE } from '../wire/orderBody.ts';
import {
  type Board,
  gapSeconds,
  nextStory,
  ordersPerHour,
  RUSH_PER_HOUR,
  type Story,
  troubleToSettle,
} from './rhythm.ts';
import { rhythmOrder } from './rhythmOrders.ts';
import { endTurn, findDueRhythms, findFleet, findHeld, holdTurn } from './rhythmStore.ts';

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
    if (central?.active && central.settings.simulatedCouriers) await play(deps, central, turn.seed, now);
  } catch (error) {
    // A rule refuses the order, for example because its company was disabled. The next turn makes another order.
    if (!(error instanceof Refusal)) throw error;
  } finally {
    const seconds = gapSeconds(turn.seed, deps.isRush ? RUSH_PER_HOUR : ordersPerHour(local));
    await endTurn(db, centralId, holder, now.add({ seconds }));
  }
}

const HELD_REASON = 'Conferir o pagamento com a loja';
const FAILURES_LOOKED_AT = 10;
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
  await settle(deps, operator, now);
  const story = nextStory(seed, board);
  if (story) await order(deps, central, operator, seed, story, now);
}

/** The simulated central settles problems that the rhythm has made, and leaves those made by people. */
async function settle(deps: RhythmDeps, operator: Caller, now: Temporal.Instant): Promise<void> {
  const { centralId } = operator;
  const held = await findHeld(deps.db, centralId, HELD_REASON);
  const failed = (await listFailures(deps.db, operator, FAILURES_LOOKED_AT)).filter(
    ({ note, status }) => note === SIMULATED_ABSENCE && status === 'finished',
  );
  const troubles = [
    ...held.map(({ id, since }) => ({ since, settle: () => releaseDelivery(deps, operator, id) })),
    ...failed.map(({ happenedAt, deliveryId, stopId }) => ({
      since: happenedAt,
      settle: () => resolveFailure(deps, operator, deliveryId, stopId, 'Retirado na loja'),
    })),
  ].sort((a, b) => Temporal.Instant.compare(a.since, b.since));
  await troubleToSettle(troubles, now)?.settle();
}

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
  const wanted = rhythmOrder(seed, story);
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
