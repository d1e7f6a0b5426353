import type { Caller } from '../../src/centrals/caller.ts';
import { acceptDelivery } from '../../src/deliveries/deliveries/acceptDelivery.ts';
import { cancelDelivery } from '../../src/deliveries/deliveries/cancelDelivery.ts';
import { concludeStop, NO_PROOF } from '../../src/deliveries/deliveries/concludeStop.ts';
import { openDelivery } from '../../src/deliveries/deliveries/openDelivery.ts';
import { arriveAtPickup, finishDelivery, startDelivery } from '../../src/deliveries/deliveries/steps.ts';
import { findTrackedStops } from '../../src/deliveries/tracking/trackedStopStore.ts';
import { closeAccount, payClosing } from '../../src/money/billing/closeAccount.ts';
import type { EstimateDeps } from '../../src/money/pricing/estimateTrip.ts';
import { topUpWallet } from '../../src/money/wallet/moveCredit.ts';
import { clockAt } from '../../src/platform/kernel/clock.ts';
import { Refusal } from '../../src/platform/kernel/refusal.ts';
import { withinTransaction } from '../../src/platform/postgres/queries.ts';
import { beginShifts, demoSenders, moreDrivers } from './demoFleet.ts';
import { HISTORY_DAYS, type PastDelivery, pastDay } from './history.ts';

const CHANGE_OF_PLANS = 2;
const TOP_UP_CENTS = 120_000;
/** Companies 1 and 2 have wallets with entries of today, see history.ts. */
const isNew = ({ companyId }: { companyId: number }): boolean => companyId > 2;

/**
 * Writes one of the last days, the oldest first: what was delivered, paid in and closed. By the commands that serve
 * requests, with a clock in the past.
 */
export async function writeHistory(
  deps: EstimateDeps,
  operator: Caller,
  managerOf: (companyId: number) => Caller,
  day: number,
): Promise<void> {
  const { timeZone } = operator.central;
  const today = deps.clock.now().toZonedDateTimeISO(timeZone).toPlainDate();
  const date = today.subtract({ days: HISTORY_DAYS - day });
  const morning = date.toZonedDateTime({ timeZone, plainTime: '08:00' }).toInstant();
  const at = (minutes: number): EstimateDeps => ({ ...deps, clock: clockAt(morning.add({ minutes })) });
  if (day % 10 === 0)
    for (const { companyId } of demoSenders().filter(isNew))
      await topUpWallet(at(0), operator, { companyId, cents: TOP_UP_CENTS, note: 'Pix' });
  if (day % 7 === 0 && day > 0) await closeWeek(at(10), operator, date.subtract({ days: 1 }), day < 22);
  for (const delivery of pastDay(day, date.dayOfWeek >= 6))
    await unlessRefused(() => live(at, operator, managerOf(delivery.order.companyId), delivery));
  if (day === HISTORY_DAYS - 1)
    await deps.db.begin((tx) => beginShifts(tx, operator.centralId, deps.clock.now()));
}

const OPENING_MINUTES = 8 * 60;

/** The whole life of a delivery in one transaction, so that nobody is offered a delivery of an earlier day. */
async function live(
  at: (minutes: number) => EstimateDeps,
  operator: Caller,
  manager: Caller,
  { order, driverId, minute, ending }: PastDelivery,
): Promise<void> {
  let passed = minute - OPENING_MINUTES;
  await at(0).db.begin(async (tx) => {
    const db = withinTransaction(tx);
    const later = (minutes: number): EstimateDeps => {
      passed += minutes;
      return { ...at(passed), db };
    };
    const id = await openDelivery(later(0), manager, order);
    if (ending === 'cancelled') return cancelDelivery(later(5), manager, id, CHANGE_OF_PLANS);
    await acceptDelivery(later(2), operator, id, driverId);
    await arriveAtPickup(later(7), operator, id);
    await startDelivery(later(4), operator, id);
    for (const stop of await findTrackedStops(db, operator, id))
      await concludeStop(later(7), operator, id, stop.id, NO_PROOF);
    await finishDelivery(later(1), operator, id);
  });
}

/** Statements of the companies and drivers of the history; those of the last week are not paid yet. */
async function closeWeek(
  deps: EstimateDeps,
  operator: Caller,
  to: Temporal.PlainDate,
  isPaid: boolean,
): Promise<void> {
  const parties = [
    ...demoSenders()
      .filter(isNew)
      .map(({ companyId }) => ({ companyId })),
    ...moreDrivers.map(({ id }) => ({ driverId: id })),
  ];
  for (const party of parties)
    await unlessRefused(async () => {
      const { id } = await closeAccount(deps, operator, party, String(to));
      if (isPaid) await payClosing(deps, operator, id);
    });
}

/** A rule refuses it, as where nothing is open: then this did not happen. */
async function unlessRefused(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}
