import type { Caller } from '../centrals/caller.ts';
import { findCentral, findLogin } from '../centrals/centralStore.ts';
import { acceptDelivery } from '../deliveries/acceptDelivery.ts';
import { arriveAtPickup } from '../deliveries/arriveAtPickup.ts';
import { cancelDelivery } from '../deliveries/cancelDelivery.ts';
import { concludeStop, NO_PROOF } from '../deliveries/concludeStop.ts';
import { finishDelivery } from '../deliveries/finishDelivery.ts';
import { openDelivery } from '../deliveries/openDelivery.ts';
import type { Order } from '../deliveries/order.ts';
import { startDelivery } from '../deliveries/startDelivery.ts';
import { couponGuard } from '../estimates/couponGuard.ts';
import type { EstimateNeeds } from '../estimates/estimateTrip.ts';
import { priceBooks } from '../estimates/priceBook.ts';
import type { Needs } from '../postgres/needs.ts';
import { estimatorRouters } from '../routing/estimatorRouters.ts';
import { scheduleDelivery } from '../scheduled/scheduleDelivery.ts';
import { findTrackedStops } from '../tracking/trackedStopStore.ts';
import { topUpWallet } from '../wallet/moveCredit.ts';
import { type DemoDelivery, demoDeliveries, demoScheduled } from './demoDeliveries.ts';
import { demoDestinations, demoPickups } from './demoPlaces.ts';

const CENTRAL_ID = 1;
const CHANGE_OF_PLANS = 2;

/** A few hours of a central's work, done by the same commands that serve requests, on a clock that is set back. */
export async function makeDemoDay({ db, clock }: Needs): Promise<void> {
  const now = clock.now();
  const needsAt = (minutesAgo: number): EstimateNeeds => ({
    db,
    clock: { now: () => now.subtract({ seconds: Math.round(minutesAgo * 60) }) },
    priceBooks: books,
    routers: estimatorRouters,
    couponGuard: guard,
  });
  const books = priceBooks(db);
  const guard = couponGuard(clock);
  const operator = await callerOf(db, 'central');
  const callers = {
    bakery: await callerOf(db, 'gerente'),
    pharmacy: await callerOf(db, 'gerente2'),
    passerBy: operator,
  };

  await topUpWallet(needsAt(360), operator, { companyId: 1, cents: 15_000, note: 'Pix' });
  for (const story of demoDeliveries) await live(needsAt, operator, callers[story.sender], story);
  for (const { sender, to, inMinutes, ...changes } of demoScheduled) {
    const order = orderOf(callers[sender], sender, to, changes);
    await scheduleDelivery(needsAt(0), callers[sender], order, wholeMinute(now.add({ minutes: inMinutes })));
  }
}

/** Lives a delivery from its opening as far as its story goes. */
async function live(
  needsAt: (minutesAgo: number) => EstimateNeeds,
  operator: Caller,
  sender: Caller,
  { openedAgo, sender: from, to, driver, upTo, ...changes }: DemoDelivery,
): Promise<void> {
  let ago = openedAgo;
  const later = (minutes: number) => {
    ago = Math.max(0, ago - minutes);
    return needsAt(ago);
  };
  const id = await openDelivery(needsAt(ago), sender, orderOf(sender, from, to, changes));
  if (upTo === 'opened') return;
  if (upTo === 'cancelled') return cancelDelivery(later(4), sender, id, CHANGE_OF_PLANS);
  await acceptDelivery(later(1.5), operator, id, driver);
  if (upTo === 'accepted') return;
  await arriveAtPickup(later(6), operator, id);
  await startDelivery(later(3), operator, id);
  const stops = await findTrackedStops(needsAt(0).db, operator, id);
  const carried = upTo === 'finished' ? stops : stops.slice(0, -1);
  for (const stop of carried) await concludeStop(later(9), operator, id, stop.id, NO_PROOF);
  if (upTo === 'finished') await finishDelivery(later(1), operator, id);
}

async function callerOf(db: Needs['db'], username: string): Promise<Caller> {
  const central = await findCentral(db, CENTRAL_ID);
  const login = await findLogin(db, CENTRAL_ID, username);
  if (!central || !login) throw new Error(`the demonstration has no ${username}`);
  const { userId, role, companyId, driverId } = login;
  return { central, centralId: CENTRAL_ID, userId, role, companyId, driverId };
}

const orderOf = (
  { companyId }: Caller,
  from: keyof typeof demoPickups,
  to: readonly number[],
  changes: Partial<Order>,
): Order => ({
  companyId,
  person: null,
  category: companyId === null ? { name: 'Moto' } : {},
  payment: 'cash',
  returning: false,
  note: null,
  couponCode: null,
  pickup: demoPickups[from],
  stops: to.map((index) => ({ ...demoDestinations[index]!, orderNumber: `P-${1001 + index}` })),
  ...changes,
});

const wholeMinute = (instant: Temporal.Instant): Temporal.Instant =>
  instant.round({ smallestUnit: 'minute', roundingMode: 'ceil' });
