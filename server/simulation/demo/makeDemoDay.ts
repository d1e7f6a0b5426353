import type { Caller } from '../../src/centrals/caller.ts';
import { findCentral, findLogin, lockCentral, updateCentral } from '../../src/centrals/centralStore.ts';
import { acceptDelivery } from '../../src/deliveries/deliveries/acceptDelivery.ts';
import { cancelDelivery } from '../../src/deliveries/deliveries/cancelDelivery.ts';
import { concludeStop, NO_PROOF } from '../../src/deliveries/deliveries/concludeStop.ts';
import { openDelivery } from '../../src/deliveries/deliveries/openDelivery.ts';
import { arriveAtPickup, finishDelivery, startDelivery } from '../../src/deliveries/deliveries/steps.ts';
import type { Order } from '../../src/deliveries/orders/request.ts';
import { scheduleDelivery } from '../../src/deliveries/scheduled/scheduleDelivery.ts';
import { findTrackedStops } from '../../src/deliveries/tracking/trackedStopStore.ts';
import { estimatorRouters } from '../../src/geo/routing/routers.ts';
import { couponGuard } from '../../src/money/pricing/couponGuard.ts';
import type { EstimateDeps } from '../../src/money/pricing/estimateTrip.ts';
import { priceBooks } from '../../src/money/pricing/priceBook.ts';
import { topUpWallet } from '../../src/money/wallet/moveCredit.ts';
import { clockAt } from '../../src/platform/kernel/clock.ts';
import type { Deps } from '../../src/platform/postgres/deps.ts';
import { importAreas } from '../../src/registers/areas/changeArea.ts';
import { insertCompanyAddress } from '../../src/registers/companies/companyAddressStore.ts';
import { demoAreas } from './city/zones.ts';
import { demoDestinations, demoPickups } from './demoCentrals.ts';
import { addFleet, SHOP } from './demoFleet.ts';
import { insertRhythm } from './rhythmStore.ts';

type Sender = keyof typeof demoPickups;

/** A delivery and its progress. Destinations are indexes into demoDestinations. */
export interface DemoDelivery extends Partial<Order> {
  /** Minutes. */
  openedAgo: number;
  sender: Sender;
  to: readonly number[];
  driver: number;
  upTo: 'opened' | 'cancelled' | 'accepted' | 'started' | 'finished';
}

/** Oldest first. A driver's earlier delivery ends before the next begins. */
const demoDeliveries: readonly DemoDelivery[] = [
  { openedAgo: 320, sender: 'bakery', to: [0, 1], driver: 1, upTo: 'finished', payment: 'credit_wallet' },
  { openedAgo: 290, sender: 'pharmacy', to: [3], driver: 2, upTo: 'finished', returning: true },
  { openedAgo: 250, sender: 'bakery', to: [6], driver: 3, upTo: 'finished', couponCode: 'DEMO10' },
  { openedAgo: 210, sender: 'pharmacy', to: [5], driver: 2, upTo: 'cancelled', payment: 'credit_wallet' },
  {
    openedAgo: 180,
    sender: 'passerBy',
    to: [9],
    driver: 4,
    category: { name: 'Carro' },
    upTo: 'finished',
    payment: 'instant_transfer',
    person: { name: 'Vera Lúcia Nunes', cpf: '52998224725', phone: '51992220001' },
  },
  { openedAgo: 150, sender: 'bakery', to: [7, 8, 2], driver: 1, upTo: 'finished', payment: 'credit_wallet' },
  { openedAgo: 42, sender: 'bakery', to: [4, 1, 2], driver: 1, upTo: 'started', payment: 'invoiced' },
  { openedAgo: 25, sender: 'pharmacy', to: [3, 9], driver: 2, upTo: 'started' },
  { openedAgo: 4, sender: 'bakery', to: [10], driver: 3, upTo: 'accepted', payment: 'credit_wallet' },
  { openedAgo: 1, sender: 'pharmacy', to: [0, 5], driver: 5, upTo: 'opened' },
];

export interface DemoScheduled extends Partial<Order> {
  sender: Sender;
  to: readonly number[];
  inMinutes: number;
}

/** Two scheduled deliveries of the bakery leave the same pickup within minutes: they can be grouped. */
const demoScheduled: readonly DemoScheduled[] = [
  { sender: 'bakery', to: [0], inMinutes: 90 },
  { sender: 'bakery', to: [1, 4], inMinutes: 95 },
  { sender: 'pharmacy', to: [11], inMinutes: 120, payment: 'invoiced', note: 'Entregar na portaria' },
  { sender: 'bakery', to: [7, 8], inMinutes: 200, returning: true },
  { sender: 'pharmacy', to: [3, 9, 5], inMinutes: 24 * 60 },
];

const CENTRAL_ID = 1;
/** Of the 8 kB that an order stores, its events are half. */
const EVENTS_KEPT_DAYS = 7;
const CHANGE_OF_PLANS = 2;

/** A few hours of a central's work, created by the commands that serve requests, with a clock in the past. */
export async function makeDemoDay({ db, clock }: Deps, isFriday = false): Promise<void> {
  const now = clock.now();
  const needsAt = (minutesAgo: number): EstimateDeps => ({
    db,
    clock: clockAt(now.subtract({ seconds: Math.round(minutesAgo * 60) })),
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

  await db.begin((tx) => addFleet(tx, CENTRAL_ID, now));
  for (const sender of ['bakery', 'pharmacy'] as const)
    await db.begin((tx) =>
      insertCompanyAddress(
        tx,
        CENTRAL_ID,
        callers[sender].companyId!,
        { ...demoPickups[sender], ...SHOP },
        now,
      ),
    );
  await topUpWallet(needsAt(360), operator, { companyId: 1, cents: 15_000, note: 'Pix' });
  for (const story of demoDeliveries) await live(needsAt, operator, callers[story.sender], story);
  for (const { sender, to, inMinutes, ...changes } of demoScheduled) {
    const order = orderOf(callers[sender], sender, to, changes);
    await scheduleDelivery(needsAt(0), callers[sender], order, wholeMinute(now.add({ minutes: inMinutes })));
  }
  const areas = demoAreas().map(({ name, ring }) => ({
    name,
    shape: { type: 'Polygon' as const, coordinates: [ring.map(({ lat, lng }) => [lng, lat])] },
  }));
  await db.begin(async (tx) => {
    await importAreas(tx, CENTRAL_ID, areas);
    await insertRhythm(tx, CENTRAL_ID, now, 0);
    const central = await lockCentral(tx, CENTRAL_ID);
    await updateCentral(tx, {
      ...central,
      settings: { ...central.settings, eventsKeptDays: EVENTS_KEPT_DAYS, simulatedFriday: isFriday },
    });
  });
}

/** Takes a delivery from its creation through the steps of its story. */
async function live(
  needsAt: (minutesAgo: number) => EstimateDeps,
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

async function callerOf(db: Deps['db'], username: string): Promise<Caller> {
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
