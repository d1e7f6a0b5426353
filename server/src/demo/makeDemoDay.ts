import type { Caller } from '../centrals/caller.ts';
import { findCentral, findLogin } from '../centrals/centralStore.ts';
import { openDelivery } from '../deliveries/openDelivery.ts';
import type { Order } from '../deliveries/order.ts';
import { priceBooks } from '../estimates/priceBook.ts';
import type { Needs } from '../postgres/needs.ts';
import { estimatorRouters } from '../routing/estimatorRouters.ts';
import { demoDestinations, demoPickups } from './demoPlaces.ts';

const CENTRAL_ID = 1;

/** A few hours of a central's work, done by the same commands that serve requests. */
export async function makeDemoDay({ db, clock }: Needs): Promise<void> {
  const needs = { db, clock, priceBooks: priceBooks(db), routers: estimatorRouters };
  const manager = await callerOf(needs, 'gerente');
  const manager2 = await callerOf(needs, 'gerente2');
  await openDelivery(needs, manager, order(manager, 'bakery', [0, 1], { payment: 'credit_wallet' }));
  await openDelivery(needs, manager, order(manager, 'bakery', [2], { couponCode: 'DEMO10' }));
  await openDelivery(needs, manager2, order(manager2, 'pharmacy', [3, 4, 5], { returning: true }));
}

async function callerOf({ db }: Needs, username: string): Promise<Caller> {
  const central = await findCentral(db, CENTRAL_ID);
  const login = await findLogin(db, CENTRAL_ID, username);
  if (!central || !login) throw new Error(`the demonstration has no ${username}`);
  const { userId, role, companyId, driverId } = login;
  return { central, centralId: CENTRAL_ID, userId, role, companyId, driverId };
}

const order = (
  { companyId }: Caller,
  from: keyof typeof demoPickups,
  to: readonly number[],
  changes: Partial<Order> = {},
): Order => ({
  companyId,
  person: null,
  category: {},
  payment: 'cash',
  returning: false,
  note: null,
  couponCode: null,
  pickup: demoPickups[from],
  stops: to.map((index) => ({ ...demoDestinations[index]!, orderNumber: `P-${1001 + index}` })),
  ...changes,
});
