import type { Order } from '../../src/deliveries/orders/request.ts';
import { randomFrom } from '../../src/platform/kernel/random.ts';
import { demoSenders, moreDrivers, type VehicleCategory } from './demoFleet.ts';
import { rhythmOrder } from './rhythmOrders.ts';

export const HISTORY_DAYS = 30;

/** A delivery of an earlier day. */
export interface PastDelivery {
  order: Order & { companyId: number };
  driverId: number;
  /** Minutes of the local day at which it was ordered. */
  minute: number;
  ending: 'finished' | 'cancelled';
}

const OPENS_MINUTE = 9 * 60;
const CLOSES_MINUTE = 21 * 60;
/** A delivery ends before the next one begins, so that every account is written in the order of time. */
const JITTER = 0.3;
const CANCELLED_SHARE = 0.07;

/** The deliveries of one day, in their order: more at weekends, and slowly more from week to week. */
export function pastDay(day: number, isWeekend: boolean): PastDelivery[] {
  const random = randomFrom(Math.imul(day + 1, 0x51ed270b));
  const count = 6 + Math.floor(random() * 3) + (isWeekend ? 3 : 0) + Math.floor(day / 10);
  const seedOf = () => Math.floor(random() * 1_000_000);
  return Array.from({ length: count }, (_, index) => {
    const order = payingLater(rhythmOrder(seedOf(), 'success', demoSenders()));
    const category = (order.category as { name?: VehicleCategory }).name ?? 'Moto';
    const drivers = moreDrivers.filter((driver) => driver.category === category);
    return {
      order,
      driverId: drivers[Math.floor(random() * drivers.length)]!.id,
      minute:
        OPENS_MINUTE + Math.floor(((index + random() * JITTER) * (CLOSES_MINUTE - OPENS_MINUTE)) / count),
      ending: random() < CANCELLED_SHARE ? ('cancelled' as const) : ('finished' as const),
    };
  });
}

/** The first companies have entries of today already, and an account is written in the order of time. */
const payingLater = (order: PastDelivery['order']): PastDelivery['order'] => ({
  ...order,
  couponCode: null,
  payment:
    order.companyId <= 2 && (order.payment === 'credit_wallet' || order.payment === 'invoiced')
      ? 'instant_transfer'
      : order.payment,
});
