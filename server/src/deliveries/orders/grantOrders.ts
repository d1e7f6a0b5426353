import { type CouponUses, lockCouponUses } from '../../money/pricing/couponStore.ts';
import { lockBalances } from '../../money/wallet/walletStore.ts';
import { isDone, type Outcome, valuesOf } from '../../platform/kernel/outcome.ts';
import { type PlainKind, Refusal } from '../../platform/kernel/refusal.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { lockPersons, upsertPerson } from '../../registers/companies/companyStore.ts';
import { lockUnusedQuotes } from './quoteStore.ts';
import type { PreparedOrder } from './request.ts';

/** The credit that orders of these companies may still use, under the locks of their wallets. */
export type FindCredit = (tx: Tx, companyIds: readonly number[]) => Promise<Map<number, number>>;

/** Whether one order may be stored, given those before it. Uses nothing up if it may not. */
interface Rule {
  refusal: PlainKind;
  permits(order: PreparedOrder): boolean;
  use(order: PreparedOrder): void;
}

/**
 * Decides which of several new orders may be stored: each as if those before it were stored already. Coupons, quotes and
 * wallets are locked until the end of the transaction, so that other orders can use none of them meanwhile, and nothing
 * is written before the decision, so that a refused order needs no rollback. The locks are taken in the order of a single
 * creation: persons, coupons, quotes, wallets, and of each kind in the order of the keys.
 */
export async function grantOrders<Each extends PreparedOrder>(
  tx: Tx,
  centralId: number,
  prepared: readonly Outcome<Each>[],
  findCredit: FindCredit,
): Promise<Outcome<Each>[]> {
  const orders = valuesOf(prepared);
  const cpfs = orders.flatMap(({ customerId, order }) =>
    customerId === null ? (order.person?.cpf ?? []) : [],
  );
  const persons = cpfs.length > 0 ? await lockPersons(tx, centralId, cpfs) : new Map<string, number>();
  const rules = [
    ...(await couponRule(tx, centralId, orders, persons)),
    ...(await quoteRule(tx, centralId, orders)),
    ...(await creditRule(tx, orders, findCredit)),
  ];
  return prepared.map((outcome) => {
    if (!isDone(outcome)) return outcome;
    const broken = rules.find((rule) => !rule.permits(outcome.value));
    if (broken) return { error: new Refusal(broken.refusal) };
    for (const rule of rules) rule.use(outcome.value);
    return outcome;
  });
}

/** The granted orders with their customers. Their persons are stored in the order of their documents. */
export async function withCustomers<Each extends PreparedOrder>(
  tx: Tx,
  centralId: number,
  orders: readonly Each[],
): Promise<(Each & { customerId: number })[]> {
  const persons = orders
    .flatMap(({ customerId, order: { person } }) => (customerId === null && person ? [person] : []))
    .toSorted((a, b) => (a.cpf < b.cpf ? -1 : a.cpf > b.cpf ? 1 : 0));
  const ids = new Map<string, number>();
  for (const person of persons) ids.set(person.cpf, await upsertPerson(tx, centralId, person));
  return orders.map((prepared) => ({
    ...prepared,
    customerId: prepared.customerId ?? ids.get(prepared.order.person!.cpf)!,
  }));
}

async function couponRule(
  tx: Tx,
  centralId: number,
  orders: readonly PreparedOrder[],
  persons: ReadonlyMap<string, number>,
): Promise<Rule[]> {
  const customerOf = ({ customerId, order }: PreparedOrder) =>
    customerId ?? persons.get(order.person?.cpf ?? '') ?? null;
  const asked = new Map<string, Pick<CouponUses, 'couponId' | 'customerId'>>();
  for (const order of orders) {
    const { couponId } = order;
    const customerId = customerOf(order);
    if (couponId !== null) asked.set(`${couponId} ${customerId}`, { couponId, customerId });
  }
  if (asked.size === 0) return [];
  const found = await lockCouponUses(tx, centralId, [...asked.values()]);
  const limits = new Map(found.map((each) => [each.couponId, each]));
  const used = new Map<string, number>();
  for (const { couponId, customerId, uses, usesOfCustomer } of found) {
    used.set(`${couponId}`, uses);
    used.set(`${couponId} ${customerId}`, usesOfCustomer);
  }
  // A person whose record is new is told from others by the document.
  const keysOf = (order: PreparedOrder) => {
    const known = `${order.couponId} ${customerOf(order)}`;
    return {
      all: `${order.couponId}`,
      own: customerOf(order) === null ? `${known} ${order.order.person?.cpf}` : known,
    };
  };
  const isBelow = (key: string, max: number | null) => max === null || (used.get(key) ?? 0) < max;
  return [
    {
      refusal: 'coupon-invalid',
      permits(order) {
        const limit = limits.get(order.couponId ?? 0);
        const { all, own } = keysOf(order);
        return !limit || (isBelow(all, limit.usesMax) && isBelow(own, limit.usesPerCompanyMax));
      },
      use(order) {
        for (const key of Object.values(keysOf(order))) used.set(key, (used.get(key) ?? 0) + 1);
      },
    },
  ];
}

async function quoteRule(tx: Tx, centralId: number, orders: readonly PreparedOrder[]): Promise<Rule[]> {
  const ids = orders.flatMap(({ order }) => order.quoteId ?? []);
  if (ids.length === 0) return [];
  const unused = new Set(await lockUnusedQuotes(tx, centralId, ids));
  return [
    {
      refusal: 'quote-used',
      permits: ({ order: { quoteId } }) => quoteId === undefined || unused.has(quoteId),
      use: ({ order: { quoteId } }) => void (quoteId !== undefined && unused.delete(quoteId)),
    },
  ];
}

async function creditRule(tx: Tx, orders: readonly PreparedOrder[], findCredit: FindCredit): Promise<Rule[]> {
  const isPaid = ({ order, estimate }: PreparedOrder) =>
    order.payment === 'credit_wallet' && estimate.netCents > 0;
  const companyIds = new Set(orders.filter(isPaid).flatMap(({ companyId }) => companyId ?? []));
  if (companyIds.size === 0) return [];
  const credit = await findCredit(tx, [...companyIds]);
  const after = ({ companyId, estimate }: PreparedOrder): number =>
    (credit.get(companyId!) ?? 0) - estimate.netCents;
  return [
    {
      refusal: 'insufficient-balance',
      permits: (order) => !isPaid(order) || after(order) >= 0,
      use: (order) => void (isPaid(order) && credit.set(order.companyId!, after(order))),
    },
  ];
}

/** The balances of wallets, which deliveries reserve from at once. */
export const balancesOf =
  (centralId: number): FindCredit =>
  async (tx, companyIds) => {
    const wallets = await lockBalances(tx, centralId, companyIds);
    return new Map(wallets.map(({ companyId, balanceCents }) => [companyId, balanceCents]));
  };
